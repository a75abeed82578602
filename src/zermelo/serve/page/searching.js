// Binary search against an optimal mixture, from either side. A hidden number stays with the server until it is found.

import { post } from "./api.js";
import { Board } from "./board.js";
import { lineChart } from "./chart.js";
import { el, fill, isElsewhere, notice, number, percent, plural, redrawn, say } from "./dom.js";
import { NOTHING_LOST } from "./play.js";

const HIDER = 0, GUESSER = 1;
const LISTED = 10; // numbers, the best first
const PAUSE = 700; // milliseconds between the guesses of the other side
const SIGN = { lower: "it is lower", higher: "it is higher", found: "that is it" };
const dollars = (value) => `$${number(Number(value.toFixed(4)), 8)}`;
const guesses = (count) => `${number(count)} guess${count === 1 ? "" : "es"}`;

export class SearchView {
  constructor(page) {
    this.page = page;
    this.solution = page.solution;
    this.sessions = {}; // names by seat
    this.turn = 0; // counts games: what was begun for an older one is not shown any more
    this.isBusy = false;
    this.side = el("select", { onchange: () => this.begin() }, el("option", { value: GUESSER }, "Bob, who guesses"), el("option", { value: HIDER }, "Alice, who hides"));
    this.values = el("input", { type: "checkbox", checked: true, onchange: () => this.draw() });
    this.typed = el("input", { type: "number", min: 1, step: 1, required: true, "aria-label": "number" });
    this.go = el("button", {});
    const asking = el("form", { class: "buttons", onsubmit: (event) => {
      event.preventDefault();
      this.choose(Number(this.typed.value));
    } }, this.typed, this.go);
    this.best = el("button", { type: "button", title: "Play optimally (key b)", "aria-keyshortcuts": "b", onclick: () => this.choose(this.bestNumber()) }, "Best number");
    this.again = el("button", { type: "button", title: "New game (key n)", "aria-keyshortcuts": "n", onclick: () => this.begin() }, "New game");
    Object.assign(this, { where: el("div", { class: "where" }), board: el("div", { class: "board" }), moves: el("div", { class: "moves" }), history: el("div", { class: "history" }), trouble: el("div", {}) });
    this.board.addEventListener("keydown", (event) => this.walk(event));
    this.root = el("section", { class: "playing searching" }, this.trouble,
      el("div", { class: "left" }, this.where, this.board, el("div", { class: "buttons" }, asking, this.best, this.again),
        el("div", { class: "settings" }, el("label", {}, "I am ", this.side), el("label", { class: "check" }, this.values, " show values"))),
      el("div", { class: "right" }, this.moves, this.history));
    this.keys = (event) => this.key(event);
  }

  show() {
    document.removeEventListener("keydown", this.keys);
    document.addEventListener("keydown", this.keys);
    this.page.remember("search", null);
    if (!this.seen) this.begin();
  }

  leave() {
    document.removeEventListener("keydown", this.keys);
  }

  key(event) {
    if (isElsewhere(event)) return;
    if (event.key === "b") this.best.click();
    else if (event.key === "n") this.again.click();
    else if (/^[0-9]$/.test(event.key)) {
      this.typed.value = event.key;
      this.typed.focus();
    } else return;
    event.preventDefault();
  }

  // Arrow keys go from number to number on the board.
  walk(event) {
    const by = { ArrowLeft: -1, ArrowRight: 1, ArrowUp: -this.across, ArrowDown: this.across }[event.key];
    const at = Number(event.target.dataset?.place);
    if (!by || !at) return;
    event.preventDefault();
    this.board.querySelector(`[data-place="${at + by}"]`)?.focus();
  }

  get isHider() {
    return this.seen.seat === HIDER;
  }

  // --- the game -----------------------------------------------------------------------------------------------------------

  async begin() {
    const turn = ++this.turn, seat = Number(this.side.value);
    this.isBusy = false;
    await this.ask(this.sessions[seat] ? { session: this.sessions[seat] } : { seat }, (found) => {
      if (turn !== this.turn) return;
      this.sessions[seat] = found.session;
      Object.assign(this, { seen: found, steps: [], ended: null, range: [found.low, found.high] });
      this.typed.value = "";
      this.draw();
    });
    if (this.failed && this.sessions[seat]) {
      delete this.sessions[seat]; // the server has forgotten it: the next game is one of a new session
    }
  }

  async ask(asked, done) {
    if (this.isBusy) return;
    this.isBusy = true;
    this.failed = false;
    try {
      const found = await post(`/api/solutions/${this.solution.solution}/search`, asked);
      this.isBusy = false;
      fill(this.trouble);
      await done(found);
    } catch (error) {
      this.isBusy = false;
      this.failed = true;
      fill(this.trouble, notice(error.message, "error"));
    }
  }

  choose(wanted) {
    if (this.isBusy || !this.seen || this.ended || this.isWatching) return;
    const turn = this.turn;
    this.ask({ session: this.seen.session, number: wanted }, async (found) => {
      if (turn !== this.turn) return;
      this.seen = found;
      if (found.seat === HIDER) await this.watch(found.said.ended, turn);
      else this.tell(found.said, found);
    });
  }

  // An answer to a guess of the person's.
  tell(said, found) {
    this.steps.push(said);
    this.range = said.ended ? [said.number, said.number] : [found.low, found.high];
    this.ended = said.ended;
    this.typed.value = "";
    say(`${said.number}: ${SIGN[said.answer]}${said.ended ? `, ${guesses(this.steps.length)}` : `, from ${found.low} to ${found.high}`}`);
    this.draw();
  }

  // The other side looks for the number that the person has hidden.
  async watch(ended, turn) {
    const quick = matchMedia("(prefers-reduced-motion: reduce)").matches;
    this.isWatching = true;
    this.secret = ended.secret;
    for (const guess of ended.guesses) {
      this.draw();
      if (!quick) await new Promise((done) => setTimeout(done, PAUSE));
      if (turn !== this.turn) break;
      const answer = guess === ended.secret ? "found" : ended.secret < guess ? "lower" : "higher";
      this.steps.push({ number: guess, answer, cost: 0 });
      const [low, high] = this.range;
      this.range = { lower: [low, guess - 1], higher: [guess + 1, high], found: [guess, guess] }[answer];
    }
    this.isWatching = false;
    if (turn !== this.turn) return;
    this.ended = ended;
    say(`Bob found ${ended.secret} with ${guesses(ended.guesses.length)}`);
    this.draw();
  }

  // --- what is shown ------------------------------------------------------------------------------------------------------

  draw() {
    if (this.seen) redrawn(this.root, () => this.drawAll(), () => (this.ended ? this.again : this.typed));
  }

  drawAll() {
    const open = !this.ended && !this.isWatching;
    this.go.textContent = this.isHider ? "Hide" : "Guess";
    this.typed.max = this.seen.numbers;
    for (const part of [this.go, this.typed, this.best]) part.disabled = !open;
    this.best.textContent = this.isHider ? "Draw by the mixture" : "Best number";
    this.best.title = `${this.best.textContent} (key b)`;
    this.again.className = this.ended ? "primary" : "";
    this.drawWhere();
    this.drawBoard();
    this.drawMoves(open);
    this.drawHistory();
  }

  drawWhere() {
    const { seen, steps } = this, [low, high] = this.range;
    const cost = `${dollars(steps.length)} ${this.isHider ? "won" : "paid"} so far`;
    const expects = `Optimal play comes to ${dollars(seen.value)}${seen.exact.includes("/") ? ` (${seen.exact})` : ""} on average.`;
    if (this.ended) {
      const lost = this.ended.cost > NOTHING_LOST ? `${this.isHider ? "Hiding there" : "Mistakes"} cost ${dollars(this.ended.cost)} on average.` : this.isHider ? "No number is a better place to hide." : "Every guess was a best one.";
      fill(this.where, el("h2", {}, `${this.isHider ? "Bob has" : "You have"} found ${this.ended.secret} with ${guesses(steps.length)}: ${this.isHider ? "you get" : "you pay"} ${dollars(steps.length)}.`), el("p", {}, `${expects} ${lost}`));
      return;
    }
    const title = this.isWatching ? `Bob looks for ${this.secret}` : this.isHider ? `Hide a number from 1 to ${seen.numbers}` : low === high ? `It is ${low}: guess it` : `Guess: it is one of ${low} to ${high}`;
    const last = steps.at(-1), told = last ? `${last.number}: ${SIGN[last.answer]}. ` : "";
    fill(this.where, el("h2", {}, title), el("p", {}, this.isHider && !steps.length ? `Bob pays a dollar for each guess. ${expects}` : `${told}${cost}.${steps.length ? "" : ` A guess costs a dollar. ${expects}`}`));
  }

  drawBoard() {
    const n = this.seen.numbers, [low, high] = this.range, columns = n <= 12 ? n : n <= 200 ? 10 : 25;
    this.across = columns;
    const guessed = new Map(this.steps.map((s) => [s.number, s.answer]));
    const isShown = (k) => guessed.get(k) === "found" || (this.isWatching && k === this.secret);
    const cell = (k) => ({ place: String(k), look: isShown(k) ? "marked" : guessed.has(k) ? "dark" : k < low || k > high ? "out" : "plain", pieces: [{ text: String(k) }] });
    const cells = [];
    for (let first = 1; first <= n; first += columns) cells.push(Array.from({ length: Math.min(columns, n + 1 - first) }, (_, k) => cell(first + k)));
    fill(this.board, new Board({ seat: (s) => s, name: String, isTurned: false, reveal: false, place: (name) => this.placeOf(Number(name)) }).draw([{ kind: "grid", cells }], `the numbers 1 to ${n}`));
  }

  placeOf(k) {
    if (this.ended || this.isWatching || k < this.seen.low || k > this.seen.high) return null;
    const says = this.values.checked ? `: ${this.says(k)}` : "";
    return { label: `${k}${says}`, kind: this.values.checked ? this.kind(k) : "none", isChosen: false, act: () => this.choose(k) };
  }

  costOf(k) {
    return this.seen.costs[k - this.seen.low];
  }

  says(k) {
    return `${dollars(this.seen.worth[k - this.seen.low])} on average, ${this.costOf(k) > NOTHING_LOST ? `${dollars(this.costOf(k))} ${this.isHider ? "less" : "more"} than the best` : "best"}`;
  }

  kind(k) {
    const cost = this.costOf(k), most = Math.max(...this.seen.costs);
    return cost <= NOTHING_LOST ? "best" : cost < 0.25 * most ? "near" : cost < 0.7 * most ? "worse" : "worst";
  }

  // A best number; where somebody hides, one that is drawn as the optimal mixture does.
  bestNumber() {
    const { seen } = this;
    if (!seen.mixture) return seen.low + seen.costs.indexOf(Math.min(...seen.costs));
    let left = Math.random();
    const at = seen.mixture.findIndex((p) => (left -= p) < 0);
    return 1 + (at < 0 ? seen.mixture.findIndex((p) => p > 0) : at);
  }

  drawMoves(open) {
    const { seen } = this;
    if (!open || !this.values.checked) {
      fill(this.moves);
      return;
    }
    const all = seen.costs.map((_, k) => seen.low + k).sort((a, b) => this.costOf(a) - this.costOf(b) || (this.isHider ? seen.mixture[b - 1] - seen.mixture[a - 1] : 0) || a - b);
    const most = Math.max(...seen.worth);
    const share = (k) => (this.isHider ? `drawn in ${percent(seen.mixture[k - 1], 3)}` : this.costOf(k) > NOTHING_LOST ? `+${dollars(this.costOf(k))}` : "best");
    const list = all.slice(0, LISTED).map((k) => el("li", {}, el("button", { type: "button", class: `move ${this.kind(k)}`, title: `${k}: ${this.says(k)}`, onclick: () => this.choose(k) },
      el("span", { class: "name" }, String(k)),
      el("span", { class: "track", "aria-hidden": "true" }, el("span", { class: "bar", style: { width: `${(100 * seen.worth[k - seen.low]) / most}%` } })),
      el("span", { class: "says" }, dollars(seen.worth[k - seen.low])), el("span", { class: "cost" }, share(k)))));
    const title = this.isHider ? "Where to hide: what Bob’s mixture pays on average" : "Guesses, the best first: what it takes from here on";
    const what = this.isHider ? "what Bob pays on average" : "guesses on average";
    const rest = all.length - list.length;
    const chart = seen.worth.length > 2 ? lineChart(seen.worth.map((w, k) => [seen.low + k, w]), { label: `${what}, number by number`, xLabel: "number", title: what, dots: seen.worth.length <= 120, pick: (k) => this.choose(seen.low + k) }) : null;
    fill(this.moves, el("h2", {}, title), el("ol", { class: "list" }, list),
      rest > 0 ? el("p", { class: "quietly" }, `and ${plural(rest, "other number")}: they say what they are worth on pointing at them.`) : null, chart);
  }

  drawHistory() {
    const { tally, seat } = this.seen;
    const step = (s) => el("li", {}, el("span", { class: "step" }, el("span", { class: `who ${seat === HIDER ? "two" : "one"}` }, "?"), el("span", { class: "what" }, `${s.number}: ${SIGN[s.answer]}`),
      s.cost > NOTHING_LOST && (this.values.checked || this.ended) ? el("span", { class: "cost" }, `−${dollars(s.cost)}, best: ${s.best}`) : null));
    const games = tally.games && !this.isWatching ? el("p", { class: "judged" }, `${plural(tally.games, "game")}: ${dollars(tally.mean)} a game; optimal play comes to ${dollars(this.seen.value)}. Mistakes cost ${dollars(tally.cost)} on average in all. `,
      tally.stake ? `As Alice pays ${dollars(tally.stake)} for each game, you have ${tally.account ? `${tally.account < 0 ? "lost" : "won"} ${dollars(Math.abs(tally.account))}` : "neither won nor lost"}.` : "") : null;
    fill(this.history, this.steps.length ? [el("h2", {}, guesses(this.steps.length)), el("ol", { class: "steps" }, this.steps.map(step))] : null, games);
  }
}
