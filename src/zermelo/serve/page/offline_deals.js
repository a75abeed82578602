// Games with hidden information, and matrix games, in a file of `zermelo page`: plays as serve/deals.py keeps them, from what the file holds
// (serve/offline_plays.py). `states`: how many actions each player has (`options`), which of his `sets` he is in (`sees`), and where every
// pair of actions leads; or how play ended.

const NOTHING_LOST = 1e-9;

// The place of one of several weights, drawn by them.
export function drawn(weights) {
  let left = Math.random() * weights.reduce((sum, w) => sum + w, 0);
  const at = weights.findIndex((w) => (left -= w) < 0);
  return at < 0 ? weights.findLastIndex((w) => w > 0) : at;
}

export class Deals {
  constructor(held) {
    this.held = held;
    this.plays = [];
  }

  // The answer to {seat}, {session}, {session, action} or {session, undo}, with errs and most.
  answer(asked) {
    const isNew = asked.session === undefined;
    const name = isNew ? String(this.plays.push(new Deal(this.held, asked.seat)) - 1) : asked.session;
    const play = this.plays[name];
    Object.assign(play, { errs: asked.errs ?? 0, most: asked.most ?? 0 });
    if (asked.action !== undefined) play.act(asked.action);
    else if (asked.undo) play.undo();
    else play.begin();
    play.count();
    return { session: name, ...play.seen() };
  }
}

class Deal {
  constructor(held, seat) {
    Object.assign(this, { held, seat, sign: seat ? -1 : 1, tally: { plays: 0, total: 0, cost: 0 }, errs: 0, most: 0 });
  }

  begin() {
    Object.assign(this, { at: 0, paid: 0, steps: [], before: [], isCounted: false });
    this.goOn();
  }

  get state() {
    return this.held.states[this.at];
  }

  get isOver() {
    return !this.state.leads;
  }

  setOf(player) {
    const at = this.state.sees?.[player];
    return at === null || at === undefined ? null : this.held.sets[player][at];
  }

  goOn() {
    while (!this.isOver && !this.setOf(this.seat)) this.take(null);
  }

  act(place) {
    const set = this.setOf(this.seat), { name, loss } = set.actions[place];
    this.before.push({ at: this.at, paid: this.paid });
    this.steps.push({ text: set.text, name, loss });
    this.take(place);
    this.goOn();
  }

  undo() {
    if (!this.before.length) return;
    Object.assign(this, this.before.pop());
    this.steps.pop();
  }

  // What the person chose, or null, and what the other side and chance draw.
  take(place) {
    const chosen = [0, 1].map((player) => (place !== null && player === this.seat ? place : this.drawnBy(player)));
    const outcomes = this.state.leads[chosen.map((c) => c ?? "").join()];
    const [next, , pays] = outcomes[drawn(outcomes.map((o) => o[1]))];
    this.paid += pays;
    this.at = next;
  }

  drawnBy(player) {
    const count = this.state.options[player], set = this.setOf(player);
    if (!set) return count ? 0 : null;
    if (player !== this.seat && Math.random() < this.errs) {
      const worse = set.actions.map((a, k) => [k, a.loss]).filter(([, loss]) => loss !== null && loss > NOTHING_LOST && loss <= this.most + NOTHING_LOST);
      if (worse.length) return worse[Math.floor(Math.random() * worse.length)][0];
    }
    return drawn(set.actions.map((a) => a.share));
  }

  get result() {
    return this.sign * (this.paid + (this.isOver ? this.state.pays : 0));
  }

  get cost() {
    return this.steps.reduce((sum, s) => sum + (s.loss > NOTHING_LOST ? s.loss : 0), 0);
  }

  count() {
    if (!this.isOver || this.isCounted) return;
    this.isCounted = true;
    this.tally = { plays: this.tally.plays + 1, total: this.tally.total + this.result, cost: this.tally.cost + this.cost };
  }

  seen() {
    const { text, picture, misdrawn, actions } = this.isOver ? this.state : this.setOf(this.seat);
    return {
      seat: this.seat, over: this.isOver, text, picture, misdrawn, actions: actions ?? [], steps: [...this.steps], paid: this.sign * this.paid, result: this.result,
      cost: this.cost, value: this.sign * this.held.value, exact: this.held.exact[this.seat], tally: this.tally,
    };
  }
}
