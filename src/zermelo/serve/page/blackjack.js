// The page of blackjack: rules, and three views of a table: its chart, any hand, and a trainer.

import { follow, get, isOver, post } from "./api.js";
import { Board } from "./board.js";
import { capital, el, fill, isElsewhere, minus, notice, number, say } from "./dom.js";
import { theme } from "./theme.js";
import { Progress } from "./working.js";

const RANKS = ["A", "2", "3", "4", "5", "6", "7", "8", "9", "10"];
const SUITS = ["♠", "♥", "♣", "♦"]; // for the eye only: suits mean nothing here
const TABS = [["chart", "Chart"], ["hand", "Hand"], ["train", "Trainer"]];
const KEYS = { s: "stand", h: "hit", d: "double", p: "split", r: "surrender" };
const main = document.getElementById("main");
const board = new Board({ seat: () => 0, isTurned: false, place: () => null, reveal: false, name: () => "" });

const signed = (v, figures = 6) => minus(`${v > 0 ? "+" : ""}${Number(v.toFixed(figures))}`);
const certified = (error) => `certified to ${error.toExponential(1).replace("-", "−")}`;
const cards = (label, ranks, offset = 0) => board.draw([{ kind: "cards", cards: ranks.map((r, k) => ({ card: r === null ? null : `${r}${SUITS[(k + offset) % 4]}` })) }], label);

class Page {
  async begin() {
    theme();
    this.answer = el("div", { class: "answer" }, "…");
    this.tabs = el("div", { class: "tabs", role: "group", "aria-label": "Views" }, TABS.map(([name, title]) => el("button", { type: "button", "data-tab": name, onclick: () => this.open(name) }, title)));
    this.below = el("div", {});
    this.form = el("details", { class: "form" });
    fill(main, el("article", { class: "blackjack" }, el("h1", {}, "Blackjack, exactly"), this.form, this.answer, this.tabs, this.below));
    addEventListener("keydown", (event) => this.key(event));
    this.hand = { cards: ["10", "6"], up: "10", seen: "" };
    try {
      this.fields = (await get("/api/blackjack")).fields;
      this.makeForm();
      await this.value();
    } catch (error) {
      fill(this.answer, notice(error.message, "error"));
    }
  }

  makeForm() {
    this.inputs = this.fields.map((f) => {
      const value = f.given ?? f.default;
      if (f.type === "bool") return el("input", { type: "checkbox", checked: value });
      if (f.allowed) return el("select", {}, f.allowed.map((v) => el("option", { value: String(v), selected: String(v) === String(value) }, String(v))));
      return el("input", f.type === "int" ? { type: "number", min: f.from, max: f.to, value: String(value) } : { type: "text", value: String(value), spellcheck: "false" });
    });
    const labels = this.fields.map((f, k) => el("label", {}, el("span", { class: "name" }, f.name.replaceAll("_", " ")), this.inputs[k], el("span", { class: "hint" }, f.about)));
    const send = (event) => {
      event.preventDefault();
      this.value();
    };
    this.shown = el("span", { class: "shown" });
    fill(this.form, el("summary", {}, this.shown, el("span", { class: "change" }, "change the rules")),
      el("form", { class: "parameters", onsubmit: send }, labels, el("div", { class: "buttons" }, el("button", { class: "primary" }, "Value this table"))));
  }

  async value() {
    const turn = (this.turn = (this.turn ?? 0) + 1), isWanted = () => turn === this.turn, progress = new Progress("Valuing");
    const rules = Object.fromEntries(this.fields.map((f, k) => [f.name, f.type === "bool" ? this.inputs[k].checked : this.inputs[k].value]));
    const tell = (p) => {
      if (!isWanted() || isOver(p)) return;
      if (!progress.root.isConnected) fill(this.answer, progress.root);
      progress.tell(p);
    };
    try {
      const found = await follow(await post("/api/blackjack/table", { rules }), (f) => get(`/api/jobs/${f.progress.job}`), tell, isWanted);
      if (!found) return;
      this.table = found.result;
      this.training = this.round = this.last = null;
      this.form.open = false;
      this.shown.textContent = this.table.text;
      fill(this.answer, el("div", { class: "figure" }, el("span", { class: "label" }, "A round is worth, in bets"), el("span", { class: "big" }, signed(this.table.value, 10))),
        el("p", { class: "quietly" }, `Optimal play by the cards in hand, every split included. The chart is worth ${signed(this.table["chart value"], 10)}: it costs ${number(100 * this.table.cost, 3)} % of a bet. Both values are ${certified(this.table["certified to"])}.`));
      this.open(this.tab ?? (TABS.some(([n]) => location.hash === `#${n}`) ? location.hash.slice(1) : "chart"));
    } catch (error) {
      if (isWanted()) fill(this.answer, notice(error.message, "error"));
    }
  }

  open(name) {
    if (!this.table) return;
    this.tab = name;
    history.replaceState(null, "", `#${name}`);
    [...this.tabs.children].forEach((b) => b.setAttribute("aria-pressed", String(b.dataset.tab === name)));
    ({ chart: () => this.chart(), hand: () => this.showHand(), train: () => this.train() })[name]();
  }

  // --- the chart ----------------------------------------------------------------------------------------------------------------

  chart() {
    const { rows, ups, meaning } = this.table, used = new Set(rows.flatMap((r) => r[2]));
    const titles = { hard: "Hard totals", soft: "Soft totals", pair: "Pairs" };
    const grids = Object.entries(titles).map(([kind, title]) => el("section", {}, el("h2", {}, title),
      el("table", {}, el("thead", {}, el("tr", {}, el("td", {}), ups.map((u) => el("th", { scope: "col" }, u)))),
        el("tbody", {}, rows.filter((r) => r[0] === kind).reverse().map(([, name, codes]) => el("tr", {}, el("th", { scope: "row" }, kind === "pair" ? `${name}-${name}` : name),
          codes.map((code, k) => el("td", {}, this.cell(kind, name, ups[k], code, meaning[code])))))))));
    fill(this.below, el("div", { class: "charts" }, grids), el("p", { class: "meanings" }, Object.entries(meaning).filter(([c]) => used.has(c)).map(([c, m]) => el("span", {}, el("strong", {}, c), ` ${m}`))),
      el("p", { class: "quietly" }, "The best table of totals. A click on a cell opens a hand of that kind, with the value of every option."));
  }

  cell(kind, name, up, code, means) {
    const open = () => {
      this.hand = { cards: example(kind, name), up, seen: "" };
      this.open("hand");
    };
    return el("button", { type: "button", class: `code-${code === "-" ? "dash" : code}`, title: `${kind} ${name} against ${up}: ${means}`, "aria-label": `${kind} ${name} against ${up}: ${code === "-" ? "" : `${code}, `}${means}`, onclick: open }, code);
  }

  // --- a hand -------------------------------------------------------------------------------------------------------------------

  showHand() {
    const { hand } = this;
    const ranks = (label, act) => el("div", { class: "ranks", role: "group", "aria-label": label }, RANKS.map((r) => el("button", { type: "button", onclick: () => { act(r); this.showHand(); } }, r)));
    const seen = el("input", { type: "text", value: hand.seen, placeholder: "such as 5 5 6 A", "aria-label": "other cards that are gone", onchange: () => { hand.seen = seen.value; this.ask(); } });
    this.worths = el("div", { class: "felt" }, "…");
    fill(this.below, el("div", { class: "pair" },
      el("div", { class: "felt" },
        el("div", { class: "hand" }, el("span", { class: "label" }, "The dealer shows"), cards("the dealer's card", [hand.up], 1), ranks("the dealer's card", (r) => (hand.up = r))),
        el("div", { class: "hand" }, el("span", { class: "label" }, "You have"), cards("your cards", hand.cards), ranks("add a card", (r) => hand.cards.push(r)),
          el("div", { class: "buttons" }, el("button", { type: "button", onclick: () => { hand.cards = []; this.showHand(); } }, "No cards"), el("button", { type: "button", onclick: () => { hand.cards.pop(); this.showHand(); } }, "One less"))),
        el("label", {}, "other cards gone ", seen)), this.worths));
    this.ask();
  }

  async ask() {
    const { hand, worths } = this;
    if (hand.cards.length < 2) {
      fill(worths, el("p", { class: "quietly" }, "A hand has two cards or more: add them."));
      return;
    }
    try {
      const found = await post("/api/blackjack/hand", { table: this.table.table, cards: hand.cards.join(" "), up: hand.up, seen: hand.seen });
      if (worths !== this.worths) return;
      fill(worths, el("h2", {}, `${found.hand} against ${found.up}`), el("p", { class: "quietly" }, capital(found.described)), options(found.values),
        el("p", { class: "quietly" }, `In bets, on average, ${found.conditional ? "given that the dealer has no blackjack" : "before the dealer has looked"}.`,
          ` Values are ${certified(found["certified to"])}.`, found.insurance === null ? "" : ` Insurance brings ${signed(found.insurance, 4)} for each unit.`));
      say(`${found.values[0].option}, ${signed(found.values[0].value, 4)}`);
    } catch (error) {
      fill(worths, notice(error.message, "error"));
    }
  }

  // --- the trainer --------------------------------------------------------------------------------------------------------------

  async train() {
    if (!this.round) await this.deal();
    else this.drawRound();
  }

  async deal() {
    await this.told(() => post("/api/blackjack/deal", { table: this.table.table, training: this.training }), null);
  }

  async decide(option) {
    await this.told(() => post("/api/blackjack/decide", { training: this.training, option }), true);
  }

  async told(question, isDecision) {
    if (this.isBusy) return;
    this.isBusy = true;
    try {
      this.round = await question();
      this.training = this.round.training;
      this.last = isDecision ? this.round.decision : null;
      if (this.tab === "train") this.drawRound();
    } catch (error) {
      fill(this.below, notice(error.message, "error"), el("button", { type: "button", onclick: () => { this.training = this.round = null; this.train(); } }, "Deal"));
    } finally {
      this.isBusy = false;
    }
  }

  drawRound() {
    const { round, last } = this, { score } = round, isOverNow = round.result !== null;
    const hands = round.hands.map((h, k) => el("div", { class: `hand ${h.active ? "active" : ""}` },
      el("span", { class: "label" }, `${round.hands.length > 1 ? `Hand ${k + 1}` : "You have"}: ${h.says}${h.bet === 2 ? ", doubled" : ""}`), cards("your cards", h.cards, 2 * k)));
    const buttons = isOverNow ? [el("button", { type: "button", class: "primary", onclick: () => this.deal() }, "Deal (n)")]
      : round.options.map((o) => el("button", { type: "button", "data-option": o, onclick: () => this.decide(o) }, `${capital(o)} (${Object.keys(KEYS).find((k) => KEYS[k] === o)})`));
    const verdict = !last ? null : [el("p", { class: `verdict ${last.right ? "right" : "wrong"}`, role: "status" }, last.right ? `Right: ${last.best}.` : `${capital(last.best)} is better: ${last.option} costs ${number(last.cost, 4)} of the bet.`),
      el("p", { class: "quietly" }, `${last.hand} against ${last.up}`), options(last.values)];
    fill(this.below, el("div", { class: "pair" },
      el("div", { class: "felt" },
        el("div", { class: "hand" }, el("span", { class: "label" }, `The dealer${round["dealer says"] ? `: ${round["dealer says"]}` : " shows"}`), cards("the dealer's cards", isOverNow ? round.dealer : [round.up, null], 1)),
        hands, isOverNow ? el("p", { role: "status" }, el("strong", {}, `You get ${signed(round.result, 2)}.`)) : null, el("div", { class: "buttons" }, buttons)),
      el("div", { class: "felt" }, verdict ?? el("p", { class: "quietly" }, "Decide. What every option is worth is shown afterwards."),
        el("dl", { class: "facts" }, [["rounds", score.rounds], ["won", signed(score.won, 2)], ["decisions", score.decisions], ["mistakes", score.mistakes], ["cost of mistakes", number(score.cost, 4)]]
          .map(([n, v]) => el("div", {}, el("dt", {}, capital(n)), el("dd", {}, String(v))))))));
    if (last) say(last.right ? "right" : `a mistake: ${last.best} is better`);
  }

  key(event) {
    if (this.tab !== "train" || !this.round || isElsewhere(event)) return;
    const option = KEYS[event.key];
    if (option && this.round.options.includes(option)) this.decide(option);
    else if (event.key === "n" && this.round.result !== null) this.deal();
  }
}

// What each option is worth, from -1 to 1 (doubled and split hands can be worth more) around the middle.
function options(values) {
  const most = Math.max(1, ...values.map((v) => Math.abs(v.value)));
  return el("div", { class: "worths" }, values.map((v) => {
    const far = (50 * Math.abs(v.value)) / most;
    return el("div", { class: v.best ? "best" : "" }, el("span", {}, capital(v.option)), el("span", { class: "lane", "aria-hidden": "true" }, el("i", { style: { left: `${v.value < 0 ? 50 - far : 50}%`, width: `${far}%` } })),
      el("span", { class: "value" }, signed(v.value, 6)), el("span", { class: "cost" }, v.best ? "" : minus(`-${number(v.cost, 3)}`)));
  }));
}

// Two cards for a row of the chart, no pair where there are others.
function example(kind, name) {
  if (kind === "pair") return [name, name];
  const points = Number(name);
  if (kind === "soft") return points === 12 ? ["A", "A"] : ["A", String(points - 11)];
  if (points === 4) return ["2", "2"];
  const large = points >= 12 ? 10 : Math.min(points - 2, 10);
  return points === 20 ? ["10", "10"] : [String(large), String(points - large)];
}

new Page().begin();
