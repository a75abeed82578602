// A play in progress, without input and output. It is followed as `zermelo play` follows it: `view` is +1 while the rules speak from the
// view of the first player, and -1 after PASS; what is paid counts for the first player.

import { post } from "./api.js";

const ROUNDING = 1e-12;
export const NOTHING_LOST = 1e-9; // a loss below this is rounding, where bounds are not known; else the server says 0

export class Play {
  constructor(solution) {
    this.solution = solution;
    this.steps = []; // each: moment before it, seat, action, outcome, loss, number of choices
    this.moment = null; // state, view, total: where play is now
    this.position = null; // what the server says of that state
    this.cache = new Map();
  }

  // --- where play is ----------------------------------------------------------------------------------------------------

  async at(state) {
    const key = state ? state.join(",") : "";
    if (!this.cache.has(key)) {
      if (this.cache.size > 400) this.cache.clear();
      const found = await post(`/api/solutions/${this.solution.solution}/position`, state ? { state } : {});
      this.cache.set(key, found).set(found.state.join(","), found);
    }
    return this.cache.get(key);
  }

  // Begins anew, at the start or at any state; there the rules speak from the first player's view.
  async begin(state = null) {
    const position = await this.at(state);
    this.steps = [];
    this.first = { state: position.state, view: 1, total: 0 };
    this.begun = position; // what the server says of the first state
    this.enter(this.first, position);
  }

  enter(moment, position) {
    this.moment = moment;
    this.position = position;
  }

  async undo(to) {
    if (!this.steps.length) return false;
    const step = this.steps[to ?? this.steps.length - 1];
    const position = await this.at(step.before.state);
    this.steps.length = this.steps.indexOf(step);
    this.enter(step.before, position);
    return true;
  }

  get isOver() {
    return this.position.over;
  }

  // Who moves: 0 or 1; null where chance does, or both at once.
  get mover() {
    if (this.isOver || this.position.chance || this.isJoint) return null;
    return this.seatOf(this.position.player);
  }

  seatOf(player) {
    if (!this.solution["two players"]) return 0;
    return this.moment.view === 1 ? player : 1 - player;
  }

  get isJoint() {
    return Boolean(this.position["other actions"]);
  }

  // What the first player can expect in all, at every step and now: what was paid, and the value of the rest.
  get history() {
    const then = this.steps.map((s, k) => sum(s.before.total, this.weight(k) * s.before.view * s.value));
    return [...then, this.isOver ? this.result : sum(this.moment.total, this.weight() * this.moment.view * this.position.value)];
  }

  // How much of a payoff counts that comes after so many steps.
  weight(step = this.steps.length) {
    return this.solution.discount ** step;
  }

  get result() {
    return sum(this.moment.total, this.isOver ? this.weight() * this.moment.view * this.position["paid at the end"][0] : 0);
  }

  // --- what happens -----------------------------------------------------------------------------------------------------

  outcomes(action, other = null) {
    return post(`/api/solutions/${this.solution.solution}/outcomes`, { state: this.position.state, action, other });
  }

  // Takes an action with one of its outcomes. `judged`: {seat, name, loss, choices}, and `also` for the other player where both choose at once.
  async take(judged, outcome) {
    const before = this.moment;
    const total = sum(before.total, this.weight() * before.view * outcome.payoff[0]);
    const position = await this.at(outcome.state);
    this.steps.push({ ...judged, before, outcome, value: this.position.value, text: position.text });
    this.enter({ state: outcome.state, view: before.view * outcome.sign, total }, position);
  }

  // What a player who may be weaker does: with probability `errs` an action that costs something, but at most `most`.
  choice(actions, { errs = 0, most = 0 } = {}) {
    const worse = actions.filter((a) => a.loss > 0 && a.loss <= most + NOTHING_LOST);
    if (worse.length && Math.random() < errs) return drawn(worse, () => 1);
    if (this.isJoint) return drawn(actions, (a) => a.probability);
    const good = actions.filter((a) => a.best);
    return good[0] ?? actions[0];
  }

  // --- looking back -----------------------------------------------------------------------------------------------------

  // What a player decided, and what it cost; where both choose at once each step has a decision of both.
  decisions(seat) {
    return this.steps.flatMap((s, k) => [s, s.also].filter((d) => d?.seat === seat && d.choices > 1).map((d) => ({ loss: d.loss, weight: this.weight(k) })));
  }

  cost(seat) {
    return this.decisions(seat).reduce((sum, d) => sum + (d.loss > 0 ? d.weight * d.loss : 0), 0);
  }
}

// 0 where two numbers differ by rounding only, as 0.1 + 0.2 and 0.3 do.
function sum(a, b) {
  return Math.abs(a + b) < ROUNDING * Math.max(Math.abs(a), Math.abs(b)) ? 0 : a + b;
}

function drawn(items, weight) {
  let left = Math.random() * items.reduce((sum, item) => sum + weight(item), 0);
  for (const item of items) {
    left -= weight(item);
    if (left < 0) return item;
  }
  return items[items.length - 1];
}
