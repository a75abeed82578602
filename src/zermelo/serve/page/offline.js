// Answers to the questions of the page from the file itself, which `zermelo page` wrote (serve/offline.py): nobody is asked.

import { plural } from "./dom.js";
import { Deals } from "./offline_deals.js";
import { mapOf } from "./offline_maps.js";
import { Searches } from "./offline_searches.js";

const DONE = { job: "0", status: "done", doing: "", done: 0, of: null, seconds: 0, error: null, faults: [], cancelling: false };
const LONGEST = 90; // characters of a state told in numbers
let solved = null; // a promise of what the file holds

async function unpacked() {
  const packed = Uint8Array.from(atob(document.getElementById("solved").textContent.trim()), (c) => c.charCodeAt(0));
  const data = await new Response(new Blob([packed]).stream().pipeThrough(new DecompressionStream("gzip"))).json();
  data.deal &&= new Deals(data.deal);
  data.search &&= new Searches(data.search);
  data.at = new Map(data.positions.map((p) => [p.state.join(), p]));
  return data;
}

export async function ask(path, body = {}) {
  let data;
  try {
    data = await (solved ??= unpacked());
  } catch {
    return { error: "This file can't be read: it is damaged, or the browser is older than 2023." };
  }
  const verb = path.split("/").at(-1);
  if (verb === "games") return { games: [data.sheet] };
  if (verb === "open") return { ...data.about, progress: DONE };
  if (verb === "position" || verb === "outcomes") return answered(data, verb, body);
  if (verb === "deal" || verb === "search") return data[verb].answer(body);
  if (verb === "map") {
    const found = mapOf(data, body);
    return found.error ? found : { progress: DONE, result: found };
  }
  const result = data.views[verb]?.[body.view ?? body.payoff ?? ""];
  if (result === undefined) return { error: "This file does not hold that: `zermelo serve` shows it." };
  return result.error ? result : { progress: DONE, result };
}

// A state by the names and numbers of its fields, as they are entered.
function told(fields, state) {
  let at = 0;
  const text = fields.map(({ name, count }) => `${name} ${state.slice(at, (at += count ?? 1)).join(" ")}`).join(", ");
  return text.length <= LONGEST ? text : "this state";
}

function answered(data, verb, body) {
  const state = body.state ?? data.start, { fields, slots } = data.about.play;
  if (state.length !== slots.length || state.some((n) => typeof n === "number" && !Number.isInteger(n))) {
    return { error: `a state of ${data.about.title} is ${plural(slots.length, "whole number")}: ${slots.join(", ")}` };
  }
  const position = data.at.get(state.join());
  if (!position) return { error: `no play from the start comes to ${told(fields, state)}: enter other numbers` };
  const { leads, ...rest } = position;
  if (verb === "position") return rest;
  const found = leads[body.other === null || body.other === undefined ? body.action : `${body.action},${body.other}`];
  if (!found) return { error: "This file does not hold that action." };
  const outcomes = found.outcomes.map(([number, ...facts]) => {
    const [probability, odds, payoff, sign] = facts, next = data.positions[number];
    return { probability, odds, payoff, sign, state: next.state, text: next.text.split("\n").map((line) => line.trim()).join(" / "), value: sign * next.value };
  });
  let left = Math.random() * outcomes.reduce((sum, o) => sum + o.probability, 0), drawn = 0;
  while (drawn < outcomes.length - 1 && (left -= outcomes[drawn].probability) >= 0) drawn++;
  return { action: found.action, outcomes, drawn, more: 0 };
}
