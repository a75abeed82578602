// Inputs for the numbers of a state, field by field, with what the game says of each field. The numbers of a tuple stand together.

import { el } from "./dom.js";

const CELL = /\[\d+\]$/; // of a tuple: chips[0]

// What the game says of the field that a number belongs to. Names that are no numbers of a state are known by name only.
export const about = (solution, name) => solution.fields?.find((f) => f.name === name.replace(CELL, ""))?.about ?? "";

// A number as it is read out: its name, and what the game says of its field.
export const spoken = (solution, name) => [name, about(solution, name)].filter(Boolean).join(", ");

// The fields of these numbers: { name, about, at }, where `at` are their places among `names`; of a tuple, `isTuple`.
function fieldsOf(solution, names) {
  const found = new Map();
  names.forEach((n, k) => {
    const name = n.replace(CELL, "");
    if (!found.has(name)) found.set(name, { name, about: about(solution, n), isTuple: name !== n, at: [] });
    found.get(name).at.push(k);
  });
  return [...found.values()];
}

const hint = (text) => (text ? el("span", { class: "hint" }, text) : null);

// `inputs`: one for each of `names`, or fewer. `each` makes the row of one number of a tuple; by default it is the input alone.
export function byFields(solution, names, inputs, each = null) {
  return fieldsOf(solution, names.slice(0, inputs.length)).map((field) => {
    if (!field.isTuple) return el("label", {}, el("span", { class: "name" }, field.name), inputs[field.at[0]], hint(field.about));
    const own = field.at.map((k) => (each ? each(names[k], inputs[k]) : inputs[k]));
    return el("fieldset", {}, el("legend", {}, el("span", { class: "name" }, field.name), field.about ? [" ", hint(field.about)] : null), el("div", { class: "items" }, own));
  });
}
