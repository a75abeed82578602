// What can follow a state, move by move: each state opens to its actions, and each action to how it can turn out.

import { post } from "./api.js";
import { el, fill, inUnit, minus, notice, number, paidInUnit, percent } from "./dom.js";

const FIRST = 8; // actions, and outcomes, that are shown before the rest is asked for
const DEPTHS = [1, 2, 3, 4, 6, 8, 12]; // moves that are opened
const DEPTH = 2; // at first
const MOST_OPENED = 300; // states

// The same promise for every call.
function once(work) {
  let begun = null;
  return () => (begun ??= work());
}

export class TreeView {
  constructor(page) {
    this.page = page;
    this.play = page.play;
    this.solution = page.solution;
    this.place = el("div", {});
    this.depth = el("select", { onchange: () => this.draw() }, DEPTHS.map((d) => el("option", { value: d, selected: d === DEPTH }, d === 1 ? "1 move" : `${d} moves`)));
    this.which = el("select", { onchange: () => this.draw() }, el("option", { value: "best" }, "the best of each state"), el("option", { value: "every" }, "every move"));
    this.note = el("p", { class: "quietly", "aria-live": "polite" });
    this.root = el("section", { class: "tree" }, el("p", { class: "quietly" }, "The play from the state that is shown in Play. Each state can be played from."),
      el("div", { class: "controls" }, el("label", {}, "opened: ", this.depth), el("label", {}, "of ", this.which)), this.place, this.note);
  }

  async show(asked) {
    try {
      if (!this.play.position) await this.play.begin(asked.at);
      await this.draw();
    } catch (error) {
      fill(this.place, notice(error.message, "error"));
    }
  }

  async draw() {
    const turn = (this.turn = (this.turn ?? 0) + 1);
    this.opened = 0;
    this.note.textContent = "Opening …";
    try {
      const made = await this.state(this.play.position, this.play.moment.view, Number(this.depth.value));
      if (turn !== this.turn) return; // asked for anew meanwhile
      fill(this.place, el("ul", { class: "branches" }, made));
      this.note.textContent = this.opened > MOST_OPENED ? `${MOST_OPENED} states are opened; the others open by a click.` : "";
    } catch (error) {
      if (turn !== this.turn) return;
      fill(this.place, notice(error.message, "error"));
      this.note.textContent = "";
    }
  }

  get isEvery() {
    return this.which.value === "every";
  }

  // A state and what can be done there. `open`: how many moves are opened below it.
  async state(position, view, open) {
    const text = position.text.includes("\n") ? el("pre", {}, position.text) : position.text, href = this.page.address("play", position.state);
    const says = el("span", { class: "says" }, minus(position.says));
    if (position.over) return el("li", { class: "node over" }, el("div", { class: "line" }, el("a", { href }, text), " ", says));
    const children = el("ul", { class: "branches" });
    if (open > 0 && ++this.opened > MOST_OPENED) open = 0;
    const box = el("details", { open: open > 0, class: "state" }, el("summary", { class: "line" }, el("span", { class: "where" }, text), " ", says),
      el("a", { class: "from", href }, "play from here"), children); // beside the summary: a link in a button can't be reached by all
    const fillIt = once(async () => {
      await this.more(children, position.actions, FIRST, (a) => this.action(position, view, a, this.isEvery || a === position.actions[0] ? open - 1 : 0));
    });
    box.addEventListener("toggle", () => box.open && fillIt().catch((error) => fill(children, el("li", {}, notice(error.message, "error")))));
    if (open > 0) await fillIt();
    return el("li", { class: "node" }, box);
  }

  async action(position, view, a, open) {
    const joint = position["other actions"];
    const name = el("span", { class: `name ${a.best ? "best" : ""}` }, a.action === null ? "chance" : a.name);
    const cost = a.loss > 0 && !joint && !this.solution.decided ? el("span", { class: "cost" }, this.solution.unit ? `−${percent(Math.abs(this.solution.unit.slope) * a.loss, 3)}` : `${position.player === 1 && !this.solution["two players"] ? "+" : "−"}${inUnit(this.solution["payoff unit"], a.loss, (v) => number(v, 4))}`) : null;
    const share = joint ? el("span", { class: "quietly" }, `played ${percent(a.probability)} of the time`) : null;
    const children = el("ul", { class: "branches" });
    const box = el("details", { open: open > 0, class: "action" }, el("summary", { class: "line" }, name, " ", el("span", { class: "says" }, minus(a.says)), " ", cost, share), children);
    const fillIt = once(async () => {
      if (joint) {
        await this.more(children, joint.filter((b) => b.probability > 0), FIRST, (b) => this.outcomes(position, view, a, b, this.isEvery ? open : 0));
      } else {
        children.append(...(await this.outcomes(position, view, a, null, open)));
      }
    });
    box.addEventListener("toggle", () => box.open && fillIt().catch((error) => fill(children, el("li", {}, notice(error.message, "error")))));
    if (open > 0) await fillIt();
    return el("li", { class: "node" }, box);
  }

  async outcomes(position, view, a, other, open) {
    const found = await post(`/api/solutions/${this.solution.solution}/outcomes`, { state: position.state, action: a.index, other: other?.index ?? null });
    const nodes = [];
    for (const o of found.outcomes.slice(0, FIRST * 3)) {
      const child = await this.state(await this.play.at(o.state), view * o.sign, nodes.length && !this.isEvery ? 0 : open);
      const odds = found.outcomes.length > 1 ? el("span", { class: "odds" }, o.odds ?? percent(o.probability)) : null;
      const paid = o.payoff[0] ? paidInUnit(this.solution["payoff unit"], o.payoff[0]) : null;
      const before = [other ? el("span", { class: "quietly" }, `against ${other.name}`) : null, odds, paid].filter(Boolean);
      child.querySelector(".line").prepend(...before.flatMap((e) => [e, " "])); // a line can be broken at a space, and there alone
      nodes.push(child);
    }
    const rest = found.outcomes.length - nodes.length + found.more;
    if (rest) nodes.push(el("li", { class: "quietly" }, `and ${number(rest)} rarer outcomes`));
    return nodes;
  }

  // The first few of many, and a button for the rest.
  async more(list, items, count, make) {
    const shown = [];
    const now = items.length === count + 1 ? items.length : count; // no button for a single one
    for (const item of items.slice(0, now)) shown.push(await make(item));
    list.append(...shown.flat());
    const rest = items.slice(now);
    if (!rest.length) return;
    const button = el("button", { type: "button", class: "quiet", onclick: async () => {
      button.parentElement.remove();
      await this.more(list, rest, 4 * count, make);
    } }, `${number(rest.length)} more`);
    list.append(el("li", {}, button));
  }
}
