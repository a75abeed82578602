// A game with hidden information, from either side against its solution. What the other side holds stays with the server until the end.

import { post } from "./api.js";
import { Board } from "./board.js";
import { Clicks } from "./clicks.js";
import { capital, el, fill, inUnit, isElsewhere, minus, notice, number, percent, plural, redrawn, say } from "./dom.js";
import { NOTHING_LOST } from "./play.js";

const SEATS = ["first", "second"];
const lines = (text) => text.split("\n").map((t) => t.trim()).filter(Boolean);

export class DealView {
  constructor(page) {
    this.page = page;
    this.solution = page.solution;
    this.sessions = {}; // names by seat
    this.isBusy = false;
    this.clicks = new Clicks({
      moves: () => this.seen.actions,
      places: (a) => a.places,
      told: (moves, isOn, name) => this.told(moves, isOn, name), choose: (a) => this.act(this.seen.actions.indexOf(a)), draw: () => this.draw(),
    });
    this.side = el("select", { onchange: () => this.begin() }, SEATS.map((s, k) => el("option", { value: k }, `the ${s} player`)));
    this.errs = el("input", { type: "number", min: 0, max: 100, step: 5, value: 0, "aria-label": "errs, in per cent of its moves" });
    this.most = el("input", { type: "number", min: 0, step: "any", value: 1, "aria-label": "by at most" });
    this.values = el("input", { type: "checkbox", checked: true, onchange: () => this.draw() });
    this.buttons = {
      back: this.button("Undo", "u", () => this.ask({ session: this.seen.session, undo: true })),
      best: this.button("Play the mixture", "b", () => this.act(this.drawn())),
      again: this.button("New play", "n", () => this.begin()),
    };
    Object.assign(this, { where: el("div", { class: "where" }), board: el("div", { class: "board" }), moves: el("div", { class: "moves" }), history: el("div", { class: "history" }), trouble: el("div", {}) });
    this.root = el("section", { class: "playing dealing" }, this.trouble,
      el("div", { class: "left" }, this.where, this.board, el("div", { class: "buttons" }, Object.values(this.buttons)),
        el("div", { class: "settings" }, el("label", {}, "I play ", this.side), el("label", {}, "the opponent errs in ", this.errs, " % of its moves, by at most ", this.most, ` ${this.solution["payoff unit"]?.name ?? ""}`),
          el("label", { class: "check" }, this.values, " show values"))),
      el("div", { class: "right" }, this.moves, this.history));
    this.keys = (event) => this.key(event);
  }

  button(text, key, act) {
    return el("button", { type: "button", title: `${text} (key ${key})`, "aria-keyshortcuts": key, onclick: act }, text);
  }

  show() {
    document.removeEventListener("keydown", this.keys);
    document.addEventListener("keydown", this.keys);
    this.page.remember("deal", null);
    if (!this.seen) this.begin();
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

  // --- the play -------------------------------------------------------------------------------------------------------------

  async begin() {
    const seat = Number(this.side.value), isKept = Boolean(this.sessions[seat]);
    const found = await this.ask(isKept ? { session: this.sessions[seat] } : { seat });
    if (found) this.sessions[seat] = found.session;
    else if (isKept) delete this.sessions[seat]; // the server has forgotten it: the next play is one of a new session
  }

  act(place) {
    if (this.seen && !this.seen.over) this.ask({ session: this.seen.session, action: place });
  }

  // What the server says to this, drawn; null where that goes wrong, and play stays where it was.
  async ask(asked) {
    if (this.isBusy) return null;
    this.isBusy = true;
    const weak = { errs: Math.min(Math.max(Number(this.errs.value) / 100 || 0, 0), 1), most: Math.max(Number(this.most.value) || 0, 0) * (this.solution["payoff unit"]?.payoffs ?? 1) };
    try {
      this.seen = await post(`/api/solutions/${this.solution.solution}/deal`, { ...asked, ...weak });
      fill(this.trouble);
      this.clicks.forget();
      this.draw();
      say(`${this.title()}. ${lines(this.seen.text).join(", ")}`);
      return this.seen;
    } catch (error) {
      fill(this.trouble, notice(error.message, "error"));
      return null;
    } finally {
      this.isBusy = false;
    }
  }

  // The place of an action, drawn as the solution draws it.
  drawn() {
    let left = Math.random();
    const at = this.seen.actions.findIndex((a) => (left -= a.share) < 0);
    return at < 0 ? this.seen.actions.findIndex((a) => a.share > 0) : at;
  }

  // --- what is shown ----------------------------------------------------------------------------------------------------------

  // A payoff in the unit that the rules name, or with its name.
  amount(value, format = (v) => minus(number(Number(v.toFixed(9))))) {
    const name = this.solution.payoffs?.[0], unit = this.solution["payoff unit"];
    return unit ? inUnit(unit, value, format) : `${format(value)}${!name || name === "payoff" ? "" : ` ${name}`}`;
  }

  // What optimal play gets, as a fraction where that is short.
  expected() {
    const { exact, value } = this.seen, unit = this.solution["payoff unit"];
    return exact && !(unit?.payoffs > 1) ? inUnit(unit, minus(exact), (text) => text) : this.amount(value);
  }

  title() {
    const { over, result } = this.seen;
    return over ? `The play is over: you get ${this.amount(result)}` : "Your move";
  }

  draw() {
    if (this.seen) redrawn(this.root, () => this.drawAll(), () => this.moves.querySelector("button") ?? this.buttons.again);
  }

  drawAll() {
    const { seen } = this;
    this.buttons.back.disabled = !seen.steps.length;
    this.buttons.best.disabled = seen.over;
    this.buttons.again.className = seen.over ? "primary" : "";
    const expects = `Optimal play gets you ${this.expected()} a play on average.`;
    fill(this.where, el("h2", {}, this.title()), el("p", {}, seen.over ? "Everything that was hidden is shown now. " : seen.paid ? `${this.amount(seen.paid)} so far. ` : "", expects));
    this.drawBoard();
    this.drawMoves();
    this.drawHistory();
  }

  drawBoard() {
    const { picture, text, misdrawn, seat } = this.seen;
    const name = (owner) => (owner === seat ? "You" : "The other player");
    const made = picture?.length ? new Board({ seat: (owner) => owner, name, isTurned: false, reveal: true, place: (n) => this.clicks.placeOf(n) }).draw(picture, text) : null;
    fill(this.board, misdrawn ? notice(misdrawn, "error") : null, made ?? (text.includes("\n") ? el("pre", {}, text) : el("p", { class: "line" }, text)));
  }

  // What a place of the board says of the moves that begin there.
  told(moves, isOn, name) {
    const one = moves.length === 1 ? moves[0] : null;
    const isBest = this.values.checked && isOn && moves.some((a) => a.loss !== null && a.loss <= NOTHING_LOST);
    const label = one ? `${one.name}${this.values.checked ? `: ${this.says(one)}` : ""}` : `${name}: ${plural(moves.length, "move")}`;
    return { label, kind: !this.values.checked || !isOn || moves.every((a) => a.loss === null) ? "none" : isBest ? "best" : "worse" };
  }

  says(a) {
    return `played ${percent(a.share)} of the time${a.worth === null ? "" : `, worth ${this.amount(a.worth)}`}`;
  }

  drawMoves() {
    const { actions, over } = this.seen;
    if (over) {
      fill(this.moves, el("h2", {}, "No moves"), el("p", { class: "quietly" }, "A new play deals anew; Undo goes back, with the same hidden cards."));
      return;
    }
    const isUnknown = actions.every((a) => a.worth === null);
    fill(this.moves, el("h2", {}, "Moves: how often the solution plays them"),
      el("ol", { class: this.values.checked ? "list" : "list blind" }, actions.map((a, k) => el("li", {}, this.move(a, k)))),
      !this.values.checked ? null : el("p", { class: "quietly" }, isUnknown ? "The solution never comes here, so that moves are not judged." : "Beside them what they are worth to you, by what you know, if both go on as in the solution."));
  }

  move(a, k) {
    const isBest = a.loss !== null && a.loss <= NOTHING_LOST;
    const cost = a.loss === null ? "" : isBest ? "best" : `−${this.amount(a.loss, (v) => number(v, 4))}`;
    const says = a.worth === null ? "–" : this.amount(a.worth);
    return el("button", { type: "button", class: `move ${isBest ? "best" : a.loss === null ? "none" : "worse"}`, "aria-keyshortcuts": k < 9 ? String(k + 1) : null,
      title: this.values.checked ? `${a.name}: ${this.says(a)}` : a.name, onclick: () => this.act(k) },
      el("span", { class: "name" }, a.name),
      this.values.checked ? [
        el("span", { class: "track", "aria-hidden": "true" }, el("span", { class: "bar", style: { width: `${100 * a.share}%` } })), el("span", { class: "share" }, percent(a.share)),
        el("span", { class: "says" }, says), el("span", { class: "cost" }, cost)] : null);
  }

  drawHistory() {
    const { steps, tally, over } = this.seen;
    const wrong = steps.filter((s) => s.loss !== null && s.loss > NOTHING_LOST), unknown = steps.filter((s) => s.loss === null).length;
    const isTold = this.values.checked || over;
    const list = el("ol", { class: "steps" }, steps.map((s) => el("li", {}, el("span", { class: "step" },
      el("span", { class: `who ${this.seen.seat ? "two" : "one"}` }, String(this.seen.seat + 1)),
      el("span", { class: "what" }, s.name, el("span", { class: "quietly" }, ` – ${lines(s.text).join(" / ")}`)),
      isTold && s.loss > NOTHING_LOST ? el("span", { class: "cost" }, `−${this.amount(s.loss, (v) => number(v, 4))}`) : null))));
    const judged = !steps.length || !isTold ? null : wrong.length ? `${plural(wrong.length, "mistake")} in ${plural(steps.length, "decision")}, at a cost of ${this.amount(this.seen.cost)} on average.` : `${["The decision was", "Both decisions were"][steps.length - 1] ?? `All ${steps.length} decisions were`} optimal${unknown ? ", as far as can be judged" : ""}.`;
    const mean = tally.plays ? `${capital(plural(tally.plays, "play"))}: ${this.amount(tally.total)} in all, ${this.amount(tally.total / tally.plays)} a play. Mistakes cost ${this.amount(tally.cost)} on average in all.` : null;
    fill(this.history, steps.length ? [el("h2", {}, `Your play so far: ${plural(steps.length, "move")}`), judged ? el("p", { class: "judged" }, judged) : null, list] : null, mean ? el("p", { class: "judged" }, mean) : null);
  }
}
