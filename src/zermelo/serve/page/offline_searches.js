// Binary search in a file of `zermelo page`: games as serve/searches.py keeps them, from both mixtures, which the file holds.

import { drawn } from "./offline_deals.js";

const HIDER = 0;
const NOTHING_LOST = 1e-9; // a cost below this is rounding

export class Searches {
  constructor(held) {
    this.held = held;
    this.least = leastCosts(held.mixture);
    this.games = [];
  }

  // The answer to {seat}, {session} or {session, number}.
  answer(asked) {
    const isNew = asked.session === undefined;
    const name = isNew ? String(this.games.push(new Game(this, asked.seat)) - 1) : asked.session;
    const game = this.games[name];
    if (asked.number === undefined) {
      game.begin();
      return { session: name, said: null, ...game.seen() };
    }
    const [from, to] = [game.low, game.high], { number } = asked;
    if (!Number.isInteger(number) || number < from || number > to) return { error: game.seat === HIDER ? `hide a number from ${from} to ${to}` : `the number is between ${from} and ${to}, as you know` };
    return { session: name, said: game.seat === HIDER ? { ended: game.hide(number) } : game.guess(number), ...game.seen() };
  }
}

class Game {
  constructor(searches, seat) {
    Object.assign(this, { searches, held: searches.held, seat, ended: [] });
    this.begin();
  }

  begin() {
    Object.assign(this, { low: 1, high: this.held.numbers, guesses: [], cost: 0, secret: 1 + drawn(this.held.mixture) });
  }

  // What a guess costs on average against the best one; nothing where the mixture never hides.
  loss(guess) {
    const { weight, cost } = this.searches.least, i = this.low - 1, j = this.high, total = weight(i, j);
    return total ? Math.max((total + cost(i, guess - 1) + cost(guess, j) - cost(i, j)) / total, 0) : 0;
  }

  get remaining() {
    const { weight, cost } = this.searches.least, total = weight(this.low - 1, this.high);
    return total ? cost(this.low - 1, this.high) / total : 0;
  }

  get all() {
    return Array.from({ length: this.high - this.low + 1 }, (_, k) => this.low + k);
  }

  guess(number) {
    const costs = this.all.map((k) => this.loss(k)), cost = costs[number - this.low], best = this.low + costs.findIndex((c) => c <= NOTHING_LOST);
    this.cost += cost;
    this.guesses.push(number);
    const answer = this.secret < number ? "lower" : this.secret > number ? "higher" : "found";
    if (answer === "lower") this.high = number - 1;
    else if (answer === "higher") this.low = number + 1;
    return { number, answer, cost, best, ended: answer === "found" ? this.end(this.secret) : null };
  }

  hide(number) {
    const { trees, value, paid } = this.held, depth = trees[drawn(trees.map((t) => t[0]))][1];
    let [low, high] = [1, this.held.numbers];
    while (this.guesses.at(-1) !== number) {
      let key = low;
      for (let k = low; k <= high; k++) if (depth[k - 1] < depth[key - 1]) key = k;
      this.guesses.push(key);
      if (number < key) high = key - 1;
      else low = key + 1;
    }
    this.cost = Math.max(value - paid[number - 1], 0);
    return this.end(number);
  }

  end(secret) {
    const ended = { secret, guesses: this.guesses, cost: this.cost };
    this.ended.push(ended);
    this.begin();
    return ended;
  }

  seen() {
    const { numbers, paid, mixture, value, exact, stake } = this.held, isHider = this.seat === HIDER, count = this.ended.length;
    const worth = isHider ? paid : this.all.map((k) => this.remaining + this.loss(k));
    const best = isHider ? Math.max(...paid, value) : Math.min(...worth);
    const won = this.ended.reduce((sum, e) => sum + e.guesses.length - stake, 0);
    return {
      seat: this.seat, numbers, low: this.low, high: this.high, paid: this.guesses.length, worth, costs: worth.map((w) => Math.abs(best - w)), mixture: isHider ? mixture : null,
      value, exact,
      tally: {
        games: count, mean: count ? won / count + stake : null, stake, account: isHider ? won : -won, expected: (isHider ? 1 : -1) * (value - stake),
        cost: this.ended.reduce((sum, e) => sum + e.cost, 0),
      },
    };
  }
}

// The least sums of weight times guesses for the keys i to j - 1, counted from 0: optimal search trees, all first guesses tried.
function leastCosts(weights) {
  const n = weights.length, sums = [0];
  for (const w of weights) sums.push(sums.at(-1) + w);
  const weight = (i, j) => sums[j] - sums[i];
  const at = (i, j) => i * (n + 1) + j, costs = new Float64Array((n + 1) ** 2);
  for (let i = n - 1; i >= 0; i--) {
    for (let j = i + 1; j <= n; j++) {
      let least = Infinity;
      for (let r = i; r < j; r++) least = Math.min(least, costs[at(i, r)] + costs[at(r + 1, j)]);
      costs[at(i, j)] = least + weight(i, j);
    }
  }
  return { weight, cost: (i, j) => (i < j ? costs[at(i, j)] : 0) };
}
