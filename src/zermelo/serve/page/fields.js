// Inputs for the numbers of a state, field by field, with what the game says of each field. The numbers of a tuple stand together.

import { el } from "./dom.js";

// `inputs`: one for each number, in the order of `slots`, named like them. Where the game has no states, only the names are known.
export function byFields(solution, names, inputs) {
  const labelled = (name, input, about) => el("label", {}, el("span", { class: "name" }, name), input, about ? el("span", { class: "hint" }, about) : null);
  if (names !== solution.slots) return names.map((n, k) => labelled(n, inputs[k], ""));
  let at = 0;
  return solution.fields.map(({ name, about, count }) => {
    const own = inputs.slice(at, (at += count ?? 1));
    if (!own.length) return null; // an empty tuple, or more numbers than are shown
    if (count === null) return labelled(name, own[0], about);
    return el("fieldset", {}, el("legend", {}, el("span", { class: "name" }, name), about ? [" ", el("span", { class: "hint" }, about)] : null), el("div", { class: "items" }, own));
  });
}
