// How long plays are, and what they pay: probabilities that are computed, not sampled.

import { barChart } from "./chart.js";
import { el, fill, inUnit, minus, notice, number, percent } from "./dom.js";
import { Working } from "./working.js";

const AT_ONCE = 20000; // states of a game whose distribution is computed without asking

export class DistributionView {
  constructor(page) {
    this.page = page;
    this.solution = page.solution;
    this.found = {};
    this.working = new Working(el("div", {}));
    const payoffs = this.solution.payoffs;
    this.names = [["moves of a play", null], ...payoffs.map((p) => [payoffs.length === 1 && p === "payoff" ? "payoff of a play" : p, p])];
    this.select = el("select", { onchange: () => this.show() }, this.names.map(([text], k) => el("option", { value: k }, text)));
    this.picture = el("div", {});
    this.root = el("section", { class: "spread" }, el("div", { class: "controls" }, el("label", {}, "Distribution of the ", this.select)), this.working.place, this.picture);
  }

  show() {
    const k = Number(this.select.value);
    fill(this.picture);
    this.working.end();
    if (this.found[k]) this.draw(this.found[k], k);
    else if ((this.solution.statistics.states ?? 0) <= AT_ONCE) this.ask(k);
    else fill(this.picture, el("p", { class: "quietly" }, "All plays are followed at once until they have ended, which may take a while."), el("button", { type: "button", class: "primary", onclick: () => { fill(this.picture); this.ask(k); } }, "Compute"));
  }

  resized() {
    const k = Number(this.select.value);
    if (this.found[k]) this.draw(this.found[k], k);
  }

  async ask(k) {
    const found = await this.working.ask(this.solution, "distribution", { payoff: this.names[k][1] });
    if (!found) return;
    this.found[k] = found;
    if (Number(this.select.value) === k) this.draw(found, k);
  }

  // The unit that the game names for its first payoff; lengths and other payoffs have none.
  unitOf(payoff) {
    return payoff !== null && payoff === this.solution.payoffs[0] ? this.solution["payoff unit"] : null;
  }

  draw(found, k) {
    const unit = this.unitOf(this.names[k][1]), name = this.names[k][0] + (unit ? `, ${unit.name}` : "");
    const plain = (v) => number(v / (unit?.payoffs ?? 1)), amount = (v) => inUnit(unit, v, number);
    const between = (low, high) => (low === high ? amount(low) : `${amount(low)} to ${amount(high)}`);
    if (!found.bars.length) {
      fill(this.picture, notice(found.endless ? "No play ever ends." : "There is nothing to show."));
      return;
    }
    const says = minus(found.says), readout = el("p", { class: "readout" }, says);
    const tell = (b) => (readout.textContent = `${between(b[0], b[1])}: ${percent(b[2], 5)}`);
    const q = found.quantiles;
    const rows = [["Mean", found.endless ? "some plays never end" : amount(found.mean)], ["Standard deviation", found.endless ? null : amount(found["standard deviation"])],
      ["9 in 10 plays", between(q["0.05"], q["0.95"])], ["Median", amount(q["0.5"])],
      ["Never ends", found.endless ? percent(found.endless) : null], ["Beyond the picture", found.above + found.below > 1e-12 ? percent(found.above + found.below) : null]];
    fill(this.picture,
      barChart(found.bars, { middle: [q["0.05"], q["0.95"]], mark: found.mean, label: `Distribution of the ${name}. ${says}`, xLabel: name, tell, tick: plain }),
      readout, el("dl", { class: "facts" }, rows.filter(([, v]) => v).map(([n, v]) => el("div", {}, el("dt", {}, n), el("dd", {}, v)))),
      el("details", {}, el("summary", {}, "As a table"), el("div", { class: "scroll", tabindex: 0, role: "region", "aria-label": "The distribution as a table" }, el("table", { "aria-label": `Distribution of the ${name}` }, el("thead", {}, el("tr", {}, el("th", { scope: "col" }, name), el("th", { scope: "col" }, "probability"))),
        el("tbody", {}, found.bars.map((b) => el("tr", {}, el("th", { scope: "row" }, b[0] === b[1] ? plain(b[0]) : `${plain(b[0])} to ${plain(b[1])}`), el("td", {}, percent(b[2], 6)))))))));
  }
}
