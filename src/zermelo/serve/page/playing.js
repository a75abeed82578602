// Playing: the position, every move with its value as a bar, what chance does, an opponent, and the play so far.

import { Board } from "./board.js";
import { lineChart } from "./chart.js";
import { Clicks } from "./clicks.js";
import { capital, el, fill, inUnit, isElsewhere, minus, notice, number, paidInUnit, percent, plural, radius, redrawn, say, whole, within } from "./dom.js";
import { byFields, spoken } from "./fields.js";

const SIDES = ["first", "second"];
const SEATS = ["first", "second"]; // where nobody plays against anybody
const MOST_TOLD = 6; // moves at once, that a screen reader says
const KINDS = { 1: "win", 0: "draw", "-1": "loss" }, RESULTS = { 1: "a win", 0: "a draw" }; // what a move leads to; what it can give up
const MOST_FORCED = 500; // moves of others that are made without asking

// A result in few characters, "win in 3" or "lost", as a number from the view of whoever moves.
const resultOf = (says) => ({ win: 1, won: 1, draw: 0, loss: -1, lost: -1 })[says?.split(" ")[0]];

export class PlayView {
  constructor(page) {
    this.page = page;
    this.play = page.play;
    this.solution = page.solution;
    this.chosen = {}; // where both choose at once: the actions chosen so far
    this.clicks = new Clicks({
      moves: () => (this.waiting || this.play.isOver || this.play.isJoint ? [] : this.play.position.actions),
      places: (a) => this.play.position.places?.[a.index],
      told: (...asked) => this.told(...asked), choose: (a) => this.choose(a), draw: () => this.draw(),
    });
    this.isBusy = false;
    const two = this.solution["two players"];
    const unit = this.solution.unit;
    const only = (condition, make) => (condition ? make() : null);
    this.side = el("select", { onchange: () => this.goOn() }, el("option", { value: "both" }, "both sides"), SIDES.map((s, k) => el("option", { value: k }, `the ${s} player`)));
    this.errs = el("input", { type: "number", min: 0, max: 100, step: 5, value: 0, "aria-label": "errs, in per cent of its moves" });
    this.most = el("input", { type: "number", min: 0, step: "any", value: unit ? 10 : 1, "aria-label": "by at most" });
    this.dice = el("select", {}, el("option", { value: "drawn" }, "is drawn"), el("option", { value: "chosen" }, "is chosen by me"));
    this.values = el("input", { type: "checkbox", checked: true, onchange: () => this.draw() });
    this.reveal = el("input", { type: "checkbox", onchange: () => this.draw() });
    this.where = el("div", { class: "where" });
    this.board = el("div", { class: "board" });
    this.outcomes = el("div", { class: "outcomes" });
    this.moves = el("div", { class: "moves" });
    this.history = el("div", { class: "history" });
    this.trouble = el("div", {});
    this.buttons = {
      back: this.button("Undo", "u", () => this.undo()),
      best: this.button("Best move", "b", () => this.best()),
      again: this.button("New play", "n", () => this.start()),
    };
    const settings = el("div", { class: "settings" },
      only(two, () => el("label", {}, "I play ", this.side)),
      only(two, () => this.weak = el("label", { class: "weak", hidden: true }, "the opponent errs in ", this.errs, " % of its moves, by at most ", this.most,
        unit ? " % of winning" : this.solution.decided ? " (1: a draw instead of a win, 2: a loss instead of a win)" : ` ${this.solution["payoff unit"]?.name ?? this.solution.payoffs[0]}`)),
      this.isLucky ? el("label", {}, "chance ", this.dice) : null,
      el("label", { class: "check" }, this.values, " show values"),
      (this.covered = el("label", { class: "check", hidden: true }, this.reveal, " show what is covered")));
    this.root = el("section", { class: "playing" },
      this.trouble,
      el("div", { class: "left" }, this.where, this.board, this.outcomes, el("div", { class: "buttons" }, Object.values(this.buttons)), settings, this.jump()),
      el("div", { class: "right" }, this.moves, this.history));
    this.keys = (event) => this.key(event);
  }

  get isLucky() {
    return !this.solution.statistics?.deterministic;
  }

  button(text, key, act) {
    return el("button", { type: "button", title: `${text} (key ${key})`, "aria-keyshortcuts": key, onclick: () => this.guarded(act) }, text);
  }

  show(asked) {
    document.removeEventListener("keydown", this.keys);
    document.addEventListener("keydown", this.keys);
    const { at } = asked;
    if (!this.play.position || (at && at.join() !== this.play.position.state.join())) this.begin(at);
    else this.draw();
  }

  leave() {
    document.removeEventListener("keydown", this.keys);
  }

  key(event) {
    if (isElsewhere(event)) return;
    const found = { u: "back", b: "best", n: "again" }[event.key];
    if (event.key === "Escape" && this.clicks.forget()) this.draw();
    else if (found) this.buttons[found].click();
    else if (/^[1-9]$/.test(event.key)) this.moves.querySelectorAll("button.move")[Number(event.key) - 1]?.click();
    else return;
    event.preventDefault();
  }

  // One thing at a time; what goes wrong is shown, and play stays where it was.
  async guarded(act) {
    if (this.isBusy) return;
    this.isBusy = true;
    this.root.setAttribute("aria-busy", "true");
    try {
      await act();
      fill(this.trouble);
    } catch (error) {
      fill(this.trouble, notice(error.message, "error"));
      this.trouble.scrollIntoView({ block: "center" }); // what was asked for may stand far below, as the form for any state does
    } finally {
      this.isBusy = false;
      this.root.removeAttribute("aria-busy");
    }
    this.draw();
  }

  begin(at = null) {
    return this.guarded(() => this.start(at));
  }

  // A new play; one that can't begin there leaves the old one as it is.
  async start(at = null) {
    try {
      await this.play.begin(at);
    } catch (error) {
      if (!this.play.position) await this.play.begin();
      throw error;
    }
    this.chosen = {};
    this.waiting = null;
    await this.letOthersMove();
  }

  goOn() {
    if (this.weak) this.weak.hidden = this.side.value === "both";
    this.chosen = {};
    return this.guarded(() => this.letOthersMove());
  }

  // --- moves --------------------------------------------------------------------------------------------------------------

  isMine(seat) {
    return this.side.value === "both" || Number(this.side.value) === seat;
  }

  get weakness() {
    const most = Number(this.most.value) || 0;
    const unit = this.solution.unit;
    return { errs: (Number(this.errs.value) || 0) / 100, most: unit ? most / 100 / Math.abs(unit.slope) : most * (this.solution["payoff unit"]?.payoffs ?? 1) };
  }

  // Lets the opponent move, and chance, until there is something to decide.
  async letOthersMove() {
    for (let k = 0; k < MOST_FORCED; k++) {
      const play = this.play;
      if (play.isOver || this.waiting) return;
      if (play.isJoint) {
        const forced = [play.position.actions, play.position["other actions"]];
        if (!forced.every((a) => a.length === 1)) return;
        await this.takeBoth(forced[0][0], forced[1][0]);
      } else if (play.position.chance) {
        if (this.solution["chance only"] || this.dice.value === "chosen") return;
        await this.take(play.position.actions[0]);
      } else if (!this.isMine(play.mover)) {
        await this.take(play.choice(play.position.actions, this.weakness));
      } else return;
    }
    throw Error(`${MOST_FORCED} moves in a row without a decision of yours: this play may never end; “Best move” goes on, “Undo” goes back`);
  }

  async take(action, numbers = null) {
    const { play } = this;
    const found = await play.outcomes(numbers ?? action.index);
    const judged = { seat: play.mover, name: found.action, says: action?.says, loss: action?.loss ?? found.loss ?? 0, choices: play.position.actions.length + (numbers ? 1 : 0) };
    await this.turnOut(found, judged);
  }

  async takeBoth(own, other) {
    const { play } = this;
    const found = await play.outcomes(own.index, other.index);
    const seats = play.moment.view === 1 ? [0, 1] : [1, 0];
    const judged = [own, other].map((a, k) => ({ seat: seats[k], loss: a.loss, choices: (k ? play.position["other actions"] : play.position.actions).length }));
    const first = this.side.value === "both" ? 0 : seats.indexOf(Number(this.side.value));
    await this.turnOut(found, { ...judged[first], name: found.action, also: judged[1 - first] });
  }

  async turnOut(found, judged) {
    if (found.outcomes.length > 1 && this.dice.value === "chosen") {
      this.waiting = { found, judged };
      return;
    }
    await this.settle(found.outcomes[found.drawn], judged);
  }

  async settle(outcome, judged) {
    this.waiting = null;
    this.chosen = {};
    await this.play.take(judged, outcome);
  }

  choose(action, side = 0) {
    return this.guarded(async () => {
      if (this.waiting) return;
      if (!this.play.isJoint) await this.take(action);
      else {
        const lists = [this.play.position.actions, this.play.position["other actions"]];
        this.chosen[side] = action;
        for (const k of [0, 1]) {
          if (lists[k].length === 1 || (this.side.value !== "both" && this.seatOfSide(k) !== Number(this.side.value))) this.chosen[k] ??= this.play.choice(lists[k], this.weakness);
        }
        if (!this.chosen[0] || !this.chosen[1]) return;
        await this.takeBoth(this.chosen[0], this.chosen[1]);
      }
      await this.letOthersMove();
    });
  }

  seatOfSide(side) {
    return this.play.moment.view === 1 ? side : 1 - side;
  }

  async undo(to = null) {
    const { play } = this;
    if (this.waiting) {
      this.waiting = null;
      return;
    }
    this.chosen = {};
    let at = to ?? play.steps.length - 1;
    while (to === null && at > 0 && !(this.isMine(play.steps[at].seat) && play.steps[at].choices > 1)) at -= 1;
    if (at >= 0) await play.undo(at);
    if (to === null && at === 0) await this.letOthersMove();
  }

  async best() {
    const { play } = this;
    if (play.isOver) return;
    if (this.waiting) await this.settle(this.waiting.found.outcomes[this.waiting.found.drawn], this.waiting.judged);
    else if (play.isJoint) await this.takeBoth(play.choice(play.position.actions), play.choice(play.position["other actions"]));
    else await this.take(play.choice(play.position.actions));
    await this.letOthersMove();
  }

  // --- showing ------------------------------------------------------------------------------------------------------------

  draw() {
    if (this.play.position) redrawn(this.root, () => this.drawAll(), () => this.root.querySelector("button.outcome, .moves button:enabled") ?? this.buttons.again);
  }

  drawAll() {
    const { play, page } = this;
    if (this.clickedAt !== play.position) this.clicks.forget(); // of another position
    this.clickedAt = play.position;
    if (page.current === this) page.remember("play", play.position.state.join() === this.solution.start.join() ? null : play.position.state);
    this.drawWhere();
    this.drawBoard();
    this.drawOutcomes();
    this.drawMoves();
    this.drawHistory();
    this.buttons.back.disabled = !play.steps.length && !this.waiting;
    this.buttons.best.disabled = play.isOver;
    this.buttons.best.textContent = this.waiting ? "Draw" : play.position.chance ? "Let chance move" : play.isJoint ? "Play the mixtures" : "Best move";
    this.buttons.best.title = `${this.buttons.best.textContent} (key b)`;
  }

  name(seat) {
    if (!this.solution["two players"]) return "you";
    const mine = this.side.value !== "both" && Number(this.side.value) === seat;
    return mine ? `you, the ${SIDES[seat]} player` : `the ${SIDES[seat]} player`;
  }

  drawWhere() {
    const { play } = this;
    const p = play.position;
    let title, text;
    if (play.isOver) {
      title = "The play is over";
      text = p["cut off"] ? "The rules cut play off here." : this.outcomeText();
    } else {
      title = this.waiting ? "How does it turn out?" : play.isJoint ? "Both choose at once" : p.chance ? "Chance moves" : this.solution["two players"] ? `${capital(this.name(play.mover))} to move` : "You decide";
      text = this.values.checked ? this.worth() : "";
    }
    const paid = play.moment.total && !play.isOver && !this.solution["win draw loss"] ? el("span", { class: play.moment.total < 0 ? "paid lost" : "paid" }, `${this.amount(play.moment.total)} so far`) : null;
    fill(this.where, el("h2", {}, title), el("p", {}, text, " ", paid), this.meter());
    say(`${this.news()}${title}. ${text}`);
  }

  // What has happened since this was asked last, in words.
  news() {
    const { steps } = this.play, before = this.heard ?? 0;
    this.heard = steps.length;
    if (steps.length < before) return steps.length ? `Back to after ${plural(steps.length, "move")}. ` : "A new play. ";
    const told = (s) => `${s.seat === null ? "" : `${capital(this.name(s.seat))}: `}${s.name ?? ""}${s.outcome.probability < 1 ? `${s.name ? ", " : ""}${s.outcome.text}` : ""}. `;
    return steps.slice(before).slice(-MOST_TOLD).map(told).join("");
  }

  worth() {
    const p = this.position;
    const [s, unit] = [this.solution, this.solution.unit];
    if (s.decided) return { win: "A win", draw: "A draw", loss: "A loss" }[p.says.split(" ")[0]] + (p["moves to the end"] ? ` in ${plural(p["moves to the end"], "move")}` : "") + " with best play";
    if (unit) return `${minus(p.says)} chance to win${unit.who === "the player to move" || unit.who === "the player" ? "" : ` for ${unit.who}`}`;
    const whom = s["two players"] && !s.passes ? " to the first player" : "";
    return `worth ${s["payoff unit"] ? minus(p.says) : this.amount(minus(p.says))} from here on${whom}`;
  }

  // A payoff in its unit, or with its name, where it has one.
  amount(value) {
    const [name] = this.solution.payoffs, unit = this.solution["payoff unit"];
    if (unit) return inUnit(unit, value, number);
    return `${typeof value === "number" ? number(value) : value}${name === "payoff" ? "" : ` ${name}`}`;
  }

  get position() {
    return this.play.position;
  }

  outcomeText() {
    const s = this.solution, result = this.play.result;
    if (s["win draw loss"]) {
      const start = this.play.first.state.join() === s.start.join() || !s.passes;
      const winner = Math.abs(result) < 1e-9 ? null : result > 0 ? 0 : 1;
      if (winner === null) return "A draw.";
      return this.side.value === "both" || !start ? `The ${SIDES[winner]} player wins.` : winner === Number(this.side.value) ? "You win." : "You lose.";
    }
    const seat = this.side.value === "both" ? 0 : Number(this.side.value);
    const mine = seat ? -result : result;
    const got = `${s["two players"] ? capital(this.name(seat)) + " got" : "In all"} ${this.amount(mine)}`;
    const isWhole = this.play.first.state.join() === s.start.join(), { digits, value } = isWhole ? s : this.play.begun;
    if (digits.startsWith("between ") || digits === "not known") return `${got}.`; // what optimal play expects has no one value
    const expected = seat ? -value : value;
    return `${got}; optimal play from ${isWhole ? "the start" : "where this play began"} expects ${s["payoff unit"] ? this.amount(expected) : number(expected)}.`;
  }

  // The chance of winning of both as a bar, for games for two.
  meter() {
    const s = this.solution;
    if (!s["two players"] || !s.unit || !this.values.checked) return null;
    const share = this.share(this.play.history.at(-1));
    if (share === null) return null;
    const text = [percent(share), percent(1 - share)];
    return el("div", { class: "meter", role: "img", "aria-label": `First player ${Math.round(100 * share)} per cent` },
      el("div", { class: "one", style: { width: `${100 * share}%` } }, share > 0.2 ? `1st ${text[0]}` : ""),
      share < 1 ? el("div", { class: "two" }, share < 0.8 ? `2nd ${text[1]}` : "") : null);
  }

  // A value of the first player as a share of 0 to 1, where that makes sense.
  share(value) {
    const { unit } = this.solution;
    if (unit) return Math.min(Math.max(unit["at 0"] + unit.slope * value, 0), 1);
    return this.solution["win draw loss"] ? (1 + value) / 2 : null;
  }

  drawBoard() {
    const p = this.play.position;
    this.covered.hidden = !p["with covered"] && !this.reveal.checked;
    const text = this.reveal.checked && p["with covered"] ? p["with covered"] : p.text;
    const trouble = p.misdrawn ? notice(p.misdrawn, "error") : null;
    fill(this.board, trouble, p.picture?.length ? this.picture(p, text) : text.includes("\n") ? el("pre", {}, text) : el("p", { class: "line" }, text));
  }

  picture(p, text) {
    const isTurned = this.play.moment.view === -1;
    const seat = (owner) => (this.solution["two players"] && isTurned ? 1 - owner : owner);
    const name = (s) => capital(this.solution["two players"] || (!s && !this.solution["chance only"]) ? this.name(s) : SEATS[s]);
    return new Board({ seat, name, isTurned, reveal: this.reveal.checked, place: (n) => this.clicks.placeOf(n) }).draw(p.picture, text);
  }

  // What a place of the board says of the moves that begin there.
  told(moves, isOn, name) {
    const best = this.values.checked && isOn ? this.play.position.actions.find((a) => moves.includes(a)) : null; // they stand the best first
    const label = moves.length === 1 ? `${moves[0].name}${this.values.checked ? `: ${minus(moves[0].says)}` : ""}` : `${name}: ${plural(moves.length, "move")}`;
    return { label, kind: best ? this.scale(this.play.position.actions, false)(best)[0] : "none" };
  }

  drawOutcomes() {
    if (!this.waiting) {
      fill(this.outcomes);
      return;
    }
    const { found, judged } = this.waiting;
    fill(this.outcomes, found.outcomes.map((o) =>
      el("button", { type: "button", class: "outcome", onclick: () => this.guarded(async () => { await this.settle(o, judged); await this.letOthersMove(); }) },
        el("span", { class: "odds" }, o.odds ?? percent(o.probability)), el("span", {}, o.text))),
      found.more ? el("p", { class: "quietly" }, `and ${number(found.more)} rarer ones`) : null);
  }

  // --- the list of moves ----------------------------------------------------------------------------------------------------

  drawMoves() {
    const { play } = this;
    const p = play.position;
    if (this.waiting) {
      fill(this.moves, el("p", { class: "quietly" }, `After “${this.waiting.judged.name}”: choose what happens, or let it be drawn.`));
      return;
    }
    if (play.isOver) {
      fill(this.moves, el("h2", {}, "No moves"), el("p", { class: "quietly" }, "The play is over here. Undo goes back; a new play begins at the start."));
      return;
    }
    const lists = play.isJoint ? [p.actions, p["other actions"]] : [p.actions];
    if (!p.chance) this.isCost = !this.solution["two players"] && p.player === 1; // the one who decides wants little
    fill(this.moves, lists.map((list, side) => this.list(list, side)),
      p["more actions"] ? el("p", { class: "quietly" }, `and ${plural(p["more actions"], "worse action")}`) : null,
      p.asks.length ? this.asking(p.asks) : null);
  }

  list(actions, side) {
    const joint = this.play.isJoint;
    const title = joint ? `${capital(this.name(this.seatOfSide(side)))}: how often optimal play chooses` : actions[0].action === null ? "What may come" : "Moves, the best first";
    if (joint && actions.length === 1) return null;
    const scale = this.scale(actions, joint);
    const note = !joint && actions.length > 1 && !this.play.position["best is certain"] && this.values.checked ? el("p", { class: "quietly" }, "The bounds of the best moves overlap: which is best is not certain.") : null;
    return [el("h2", {}, title), note, el("ol", { class: this.values.checked ? "list" : "list blind" }, this.ordered(actions).map((a, k) => el("li", {}, this.move(a, k, scale, side))))];
  }

  // Without values moves stand in the order of the rules, so that the order says nothing.
  ordered(actions) {
    return this.values.checked ? actions : [...actions].sort((a, b) => a.index - b.index);
  }

  move(a, k, scale, side) {
    const joint = this.play.isJoint;
    const [kind, share, from] = scale(a);
    const error = Math.max(a.high - a.value, a.value - a.low);
    const interval = a.exact ? `exactly ${minus(a.exact)}` : a.low === a.high ? `exactly ${minus(String(a.low))}` : `${within(a.value, error)} ± ${radius(error, a.value)}`;
    const unit = this.solution["payoff unit"], counted = unit && unit.payoffs !== 1 ? `, in 1/${unit.payoffs} ${unit.name}` : "";
    const isChosen = this.chosen[side] === a;
    const isMeant = this.clicks.clicked.length > 0 && this.clicks.by(this.clicks.clicked).includes(a);
    const cost = joint ? (a.probability ? percent(a.probability, 4) : "–") : a.loss > 0 ? this.lossText(a.loss, a.says) : a.best ? "best" : "as good";
    const isForbidden = joint && this.side.value !== "both" && this.seatOfSide(side) !== Number(this.side.value);
    return el("button", {
      type: "button", class: `move ${kind} ${isChosen ? "chosen" : ""} ${isMeant ? "meant" : ""}`, disabled: isForbidden, title: `${a.name}: ${interval}${counted}`,
      "aria-keyshortcuts": k < 9 && !side ? String(k + 1) : null, onclick: () => this.choose(a, side),
    },
      el("span", { class: "name" }, a.action === null ? "Let chance move" : a.name),
      this.values.checked ? [
        el("span", { class: "track", "aria-hidden": "true" }, el("span", { class: "bar", style: { width: `${100 * share}%`, "margin-left": `${100 * from}%` } })),
        el("span", { class: "says" }, minus(a.says)), el("span", { class: "cost" }, a.action === null ? "" : cost)] : null);
  }

  // From an action to its colour, the length of its bar and where it begins.
  scale(actions, joint) {
    if (joint) return (a) => [a.probability > 0 ? "best" : "none", a.probability, 0];
    if (this.solution.decided) return (a) => [KINDS[resultOf(a.says)] ?? "draw", 1, 0];
    const losses = actions.map((a) => a.loss);
    const range = Math.max(...losses);
    const kind = (a) => {
      if (a.loss <= 0) return "best";
      const part = a.loss / (this.solution.unit ? Math.max(range, 0.02 / Math.abs(this.solution.unit.slope)) : range);
      return part < 0.25 ? "near" : part < 0.7 ? "worse" : "worst";
    };
    if (this.solution.unit) return (a) => [kind(a), Math.min(Math.max(this.solution.unit["at 0"] + this.solution.unit.slope * a.value, 0), 1), 0];
    const low = Math.min(0, ...actions.map((a) => a.value)), high = Math.max(0, ...actions.map((a) => a.value));
    const width = high - low || 1;
    return (a) => [kind(a), Math.abs(a.value) / width, (Math.min(a.value, 0) - low) / width];
  }

  // What a move costs whoever makes it; `says`: what it leads to.
  lossText(loss, says) {
    const { unit, decided } = this.solution;
    if (decided) return `gives up ${RESULTS[Math.round(resultOf(says) + loss)] ?? ""}`.trim();
    return `${this.isCost ? "+" : "−"}${unit ? percent(Math.abs(unit.slope) * loss, 3) : inUnit(this.solution["payoff unit"], loss, (v) => number(v, 4))}`;
  }

  // A form for numbers, where there are too many actions to list.
  asking(names) {
    const inputs = names.map((n) => el("input", { type: "number", step: 1, required: true, "aria-label": n }));
    return el("form", { class: "asking", onsubmit: (event) => {
      event.preventDefault();
      this.guarded(async () => { await this.take(null, inputs.map((i) => whole(i.value))); await this.letOthersMove(); });
    } }, el("h2", {}, "Or of your own"), names.map((n, k) => el("label", {}, el("span", { class: "name" }, n), inputs[k])), el("button", {}, "Play"));
  }

  // --- looking back ---------------------------------------------------------------------------------------------------------

  drawHistory() {
    const { play } = this;
    if (!play.steps.length) {
      fill(this.history);
      return;
    }
    const { unit } = this.solution;
    const isChance = unit || this.solution["win draw loss"];
    const points = play.history.map((v, k) => [k, isChance ? this.share(v) : v]);
    const marks = Object.fromEntries(play.steps.map((s, k) => [k, s.choices > 1 && s.loss > 0 ? "mistake" : null]).filter(([, m]) => m));
    const format = unit ? (v) => `${Math.round(100 * v)} %` : this.solution["win draw loss"] ? (v) => ({ 0: "2nd", 0.5: "draw", 1: "1st" })[v] ?? "" : (v, figures) => inUnit(this.solution["payoff unit"], v, (w) => number(w, figures));
    const whose = this.solution["two players"] ? "What the first player can expect" : "What you can expect in all";
    const chart = this.values.checked ? lineChart(points, {
      ...(isChance ? { low: 0, high: 1 } : {}), format, marks, label: `${whose}, move by move`, xLabel: "moves",
      pick: (k) => k < play.steps.length && this.guarded(() => this.undo(k)),
    }) : null;
    const list = el("ol", { class: "steps" }, play.steps.map((s, k) => el("li", {},
      el("button", { type: "button", class: "quiet step", title: "back to before this move", onclick: () => this.guarded(() => this.undo(k)) },
        el("span", { class: `who ${s.seat === 1 ? "two" : "one"}` }, this.solution["two players"] ? (s.seat === null ? "·" : String(s.seat + 1)) : "·"),
        el("span", { class: "what" }, s.name, s.outcome.probability < 1 ? el("span", { class: "quietly" }, ` → ${s.outcome.text}`) : null,
          s.outcome.payoff[0] && !this.solution["win draw loss"] ? [" ", paidInUnit(this.solution["payoff unit"], s.outcome.payoff[0])] : null),
        this.values.checked && s.choices > 1 && s.loss > 0 ? el("span", { class: "cost" }, this.lossText(s.loss, s.says)) : null))));
    fill(this.history, el("h2", {}, `The play so far: ${plural(play.steps.length, "move")}`), chart ? [el("p", { class: "quietly" }, `${whose}; mistakes are marked.`), chart] : null, this.judgement(), list);
    list.scrollTop = list.scrollHeight;
  }

  // What mistakes cost, of everybody who plays.
  judgement() {
    if (!this.values.checked) return null;
    const seats = this.solution["two players"] ? [0, 1] : [0];
    const lines = seats.map((seat) => {
      const decisions = this.play.decisions(seat);
      const wrong = decisions.filter((s) => s.loss > 0);
      if (!decisions.length) return null;
      const who = capital(this.name(seat));
      if (!wrong.length) return `${who}: ${["the decision was", "both decisions were"][decisions.length - 1] ?? `all ${decisions.length} decisions were`} optimal.`;
      const cost = this.solution.decided ? "" : `, at a cost of ${this.lossText(this.play.cost(seat)).replace(/^[−+]/, "")} on average${this.solution.discount === 1 ? "" : ", discounted to where the play began"}`;
      return `${who}: ${plural(wrong.length, "mistake")} in ${plural(decisions.length, "decision")}${cost}.`;
    });
    return lines.filter(Boolean).map((line) => el("p", { class: "judged" }, line));
  }

  // A form that goes to any state.
  jump() {
    const inputs = this.solution.slots.map((n, k) => el("input", { type: "number", step: 1, required: true, value: this.solution.start[k], "aria-label": spoken(this.solution, n) }));
    const form = el("form", { class: "slots", onsubmit: (event) => {
      event.preventDefault();
      this.begin(inputs.map((i) => whole(i.value)));
    } }, byFields(this.solution, this.solution.slots, inputs), el("div", { class: "buttons" }, el("button", {}, "Go")));
    const here = () => this.play.position?.state.forEach((v, k) => (inputs[k].value = v)); // at once: `toggle` comes later, over what was entered
    const box = el("details", { class: "jump" }, el("summary", { onclick: () => box.open || here() }, "Go to any state"), form);
    return box;
  }
}
