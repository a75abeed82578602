// Maps in a file of `zermelo page`: value and best action over two fields, from the positions that the file holds.

// The fields: those that vary, each with its least and greatest value. Positions with numbers that floats do not hold have no map here.
function varying(positions, slots) {
  const found = {};
  slots.forEach((name, k) => {
    let [low, high] = [Infinity, -Infinity];
    for (const { state } of positions) [low, high] = [Math.min(low, state[k]), Math.max(high, state[k])];
    if (low !== high) found[name] = [low, high];
  });
  return found;
}

const isUnknown = (p) => p.says === "not known"; // as the server says it
const agrees = (state, fixed) => fixed.every(([k, value]) => state[k] === value);

// Two fields to show, those of `shown` among them, that leave the most states if all others are as at the start.
function fullest(positions, slots, start, shown, free, fix) {
  const missing = Math.max(0, Math.min(2 - shown.length, free.length));
  const choices = missing === 2 ? free.flatMap((a, k) => free.slice(k + 1).map((b) => [a, b])) : missing ? free.map((a) => [...shown, a]) : [shown];
  if (choices.length === 1) return choices[0];
  let [best, most] = [null, -1];
  for (const fields of choices) {
    const fixed = fixing(slots, start, free.filter((n) => !fields.includes(n)), fix), count = positions.reduce((sum, p) => sum + agrees(p.state, fixed), 0);
    if (count > most) [best, most] = [fields, count];
  }
  return best;
}

const fixing = (slots, start, names, fix) => [...names.map((n) => [slots.indexOf(n), start[slots.indexOf(n)]]), ...Object.entries(fix).map(([n, v]) => [slots.indexOf(n), v])];

export function mapOf({ positions, start, about }, { rows, columns, fix = {} }) {
  const { slots, unit } = about.play;
  if (positions.some((p) => p.state.some((v) => typeof v === "string"))) return { error: "The numbers of these states are too large for a map here: `zermelo serve` draws it." };
  const fields = varying(positions, slots), asked = [rows, columns].filter(Boolean);
  const free = Object.keys(fields).filter((n) => !(n in fix) && !asked.includes(n));
  const isPlane = !asked.length && free.includes("row") && free.includes("column"); // places on a plane are a map by themselves
  const shown = isPlane ? ["row", "column"] : fullest(positions, slots, start, asked, free, fix);
  if (!shown.length) shown.push(slots[0]);
  // The states if all fields but this one are fixed; where each cell of the map has one of them only, the field may be left free.
  const without = (name) => {
    const others = fixing(slots, start, free.filter((n) => !shown.includes(n) && n !== name), fix);
    return positions.filter((p) => agrees(p.state, others));
  };
  const isImplied = (there) => new Set(there.map((p) => shown.map((n) => p.state[slots.indexOf(n)]).join())).size === there.length;
  const every = free.filter((n) => !shown.includes(n)), may = every.map((n) => [n, without(n)]).filter(([, there]) => isImplied(there));
  const implied = may.sort(([, a], [, b]) => b.length - a.length).slice(0, 1).map(([n]) => n); // the one that shows the most states
  const fixed = fixing(slots, start, every.filter((n) => !implied.includes(n)), fix), chosen = positions.filter((p) => agrees(p.state, fixed));
  if (!chosen.length) return { error: `There is no state with ${fixed.map(([k, v]) => `${slots[k]}=${v}`).join(", ")}.` };
  const values = chosen.map((p) => (isUnknown(p) ? null : p.value)), { actions, best } = bestOf(chosen, about);
  return {
    rows: shown[0], columns: shown[1] ?? null, fixed: Object.fromEntries(fixed.map(([k, v]) => [slots[k], v])), fields,
    at: Object.fromEntries([...shown, ...implied].map((n) => [n, chosen.map((p) => p.state[slots.indexOf(n)])])),
    values, shown: unit ? values.map((v) => (v === null ? v : unit["at 0"] + unit.slope * v)) : values,
    said: Object.fromEntries(chosen.flatMap((p, k) => (isUnknown(p) || p.says.startsWith("between ") ? [[k, p.says]] : []))), unit: unit?.name ?? null, "payoff unit": about.play["payoff unit"], best, actions,
    texts: about.play.told ? chosen.map((p) => p.text.split("\n").map((line) => line.trim()).join(" / ")) : null, thinned: {},
  };
}

// The names of best actions, in the order of the actions (of two, the one that goes on first), and for each state the place of its own; -1 where there is none.
// Where both choose at once, the likeliest actions of the first player, which stand first.
function bestOf(chosen, about) {
  const { simultaneous, "chance only": isChance } = about.play;
  if (isChance) return { actions: [], best: null };
  const own = chosen.map((p) => (isUnknown(p) ? null : (simultaneous ? p.actions[0] : p.actions.find((a) => a.best && a.action !== null)) ?? null));
  const numbers = (a) => [a.action].flat(), before = (a, b) => numbers(a).map((x, k) => x - numbers(b)[k]).find((d) => d) ?? 0;
  const order = [...new Map(own.filter(Boolean).map((a) => [numbers(a).join(), a])).values()].sort(before), named = (a) => numbers(a).join();
  if (!simultaneous && order.length === 2 && stops(chosen, ...order.map(named))) order.reverse();
  const place = new Map(order.map((a, k) => [named(a), k]));
  return { actions: order.map((a) => a.name), best: own.map((a) => (a ? place.get(named(a)) : -1)) };
}

// Whether of two actions the first leaves nothing to chance while the other one does somewhere, as views/action_order.py asks.
function stops(chosen, first, other) {
  const counts = chosen.flatMap((p) => {
    const of = (name) => p.actions.find((a) => [a.action].flat().join() === name), pair = [of(first), of(other)];
    return pair.every(Boolean) ? [pair.map((a) => p.leads[a.index].outcomes.filter(([, probability]) => probability > 0).length)] : [];
  });
  return counts.every(([own]) => own === 1) && counts.some(([, others]) => others > 1);
}
