// Making elements, and writing numbers.

const SVG = "http://www.w3.org/2000/svg";
const SVG_TAGS = new Set(["svg", "g", "path", "line", "rect", "circle", "text", "title", "polyline"]);

// el("button", {class: "quiet", onclick: f}, "text", other) makes an element. Attributes that are false, null or undefined are left out.
export function el(tag, attributes = {}, ...children) {
  const made = SVG_TAGS.has(tag) ? document.createElementNS(SVG, tag) : document.createElement(tag);
  for (const [name, value] of Object.entries(attributes ?? {})) {
    if (value === false || value === null || value === undefined) continue;
    if (name.startsWith("on")) made.addEventListener(name.slice(2), value);
    else if (name === "style") for (const [key, text] of Object.entries(value)) made.style.setProperty(key, text);
    else if (["value", "checked", "disabled", "selected", "hidden", "open"].includes(name) && !SVG_TAGS.has(tag)) made[name] = value;
    else made.setAttribute(name, value === true ? "" : value);
  }
  made.append(...children.flat(Infinity).filter((c) => c !== null && c !== undefined && c !== false && c !== ""));
  return made;
}

export function fill(parent, ...children) {
  parent.replaceChildren(...children.flat(Infinity).filter((c) => c !== null && c !== undefined && c !== false));
  return parent;
}

// Whether a key is none of the page's own: it goes with another one, or into a field.
export function isElsewhere(event) {
  return event.ctrlKey || event.metaKey || event.altKey || /^(INPUT|SELECT|TEXTAREA)$/.test(event.target.tagName);
}

// A number for people: six figures, but always those before the point and two after it; a true minus sign, long numbers in groups.
export function number(value, figures = 6) {
  if (value === null || value === undefined) return "";
  if (typeof value === "string") return minus(value); // a whole number that floats do not hold
  if (!Number.isFinite(value)) return value > 0 ? "∞" : "−∞";
  const size = magnitude(value);
  if (Number.isInteger(value) && size < MOST_PLAIN) return decimal(value, 0);
  if (size >= MOST_PLAIN) return power(value, figures);
  return size < 0 ? minus(String(Number(value.toPrecision(figures)))) : decimal(value, Math.max(figures - 1 - size, 2));
}

const MOST_PLAIN = 15, MOST_PLAIN_ERROR = 1e5, MOST_FIGURES = 17, WIDE = 1e-5; // powers of ten from which numbers have an exponent; WIDE as in Python
const magnitude = (value) => (value ? Math.floor(Math.log10(Math.abs(value))) : 0);

// With so many decimals, but without zeros at the end; 0 has no sign.
function decimal(value, places) {
  const rounded = Number(value.toFixed(places));
  return minus(Math.abs(rounded) < 10000 ? String(rounded) : rounded.toLocaleString("en", { maximumFractionDigits: places }));
}

// With so many figures and an exponent: 4.61169e+18.
const power = (value, figures) => minus(value.toExponential(Math.min(Math.max(figures, 1), MOST_FIGURES) - 1).replace(/\.?0+e/, "e"));

// A value with the figures that its error makes certain, 17 at most: 5,000,000,002.5 within 2e-6, and 0 for 1e-16 within 2e-15.
export function within(value, error) {
  if (typeof value !== "number" || !(2 * error <= WIDE * Math.max(1, Math.abs(value)))) return number(value);
  const size = magnitude(value), most = MOST_FIGURES - 1 - size, places = error > 0 ? Math.min(Math.floor(-Math.log10(2 * error)), most) : most;
  if (size >= MOST_PLAIN) return power(value, size + places + 1);
  return error > 0 ? decimal(value, Math.min(Math.max(places, 0), 100)) : size < 0 ? minus(String(value)) : decimal(value, Math.max(most, 0));
}

// A whole number that was written: as text where floats do not hold it.
export function whole(text) {
  const found = Number(text);
  return Number.isSafeInteger(found) || !/^-?[0-9]+$/.test(text) ? found : text;
}

// A name that may be broken behind each underscore.
export function breakable(name) {
  return name.split("_").flatMap((part, k) => (k ? ["_", el("wbr"), part] : [part]));
}

// With true minus signs where numbers begin, and in exponents, where a line would break after a hyphen.
export function minus(text) {
  return text.replace(/^-/, "−").replace(/([\s([]|\de)-(?=\D?\d)/g, "$1−");
}

// How far a number can be from the truth: two digits, rounded up, and of a given value not less than its digits show (`least_error` in Python).
export function radius(error, value) {
  if (!error) return "0";
  const least = value === undefined ? 0 : 10 ** ((value ? Math.floor(Math.log10(Math.abs(value))) : 0) - 16);
  const [digits, power] = Math.max(error, least).toExponential(15).split("e"), up = Math.ceil(10 * Number(digits) - 1e-9) / 10;
  const rounded = Number(`${up}e${power}`);
  return rounded >= 1 && rounded < MOST_PLAIN_ERROR ? String(rounded) : minus(rounded.toExponential(1));
}

export function percent(probability, figures = 4) {
  const value = 100 * probability;
  if (value !== 0 && Math.abs(value) < 0.01) return minus(`${Number(value.toPrecision(2))} %`);
  return minus(`${Number(value.toPrecision(Math.abs(value) >= 99.95 ? figures + 1 : figures))} %`);
}

// A payoff in the unit that the game names for it: { name: "$", payoffs: 100 } where rules count cents; plain without one.
export function inUnit(unit, value, format = number) {
  if (!unit) return format(value);
  const text = format(typeof value === "number" ? value / unit.payoffs : value);
  if (unit.name.length > 1) return `${text} ${/^[−+-]?1$/.test(text) ? ofOne(unit.name) : unit.name}`;
  const sign = /^[−+-]/.test(text) ? text[0] : "";
  return `${sign}${unit.name}${text.slice(sign.length)}`;
}

// What one of several things is called: point for points (`of_one` in Python).
function ofOne(name) {
  return /[^suai]s$/.test(name) ? name.slice(0, -1) : name;
}

// What an outcome pays: +$1, −2 chips.
export function paidInUnit(unit, value) {
  return el("span", { class: value < 0 ? "paid lost" : "paid" }, inUnit(unit, value, (v) => `${v > 0 ? "+" : ""}${number(v)}`));
}

export function seconds(value) {
  if (value < 1) return `${Math.max(1, Math.round(1000 * value))} ms`;
  return value < 60 ? `${value.toFixed(value < 10 ? 1 : 0)} s` : `${Math.floor(value / 60)} min ${Math.round(value % 60)} s`;
}

export function plural(count, word) {
  return `${number(count)} ${word}${count === 1 ? "" : "s"}`;
}

// 2nd, 11th, 23rd.
export function ordinal(n) {
  const ending = n % 100 > 10 && n % 100 < 14 ? "th" : { 1: "st", 2: "nd", 3: "rd" }[n % 10] ?? "th";
  return `${n}${ending}`;
}

// A message with its names of declarations and commands, which stand in backquotes, as code.
export function coded(text) {
  const parts = String(text).split("`");
  return parts.length % 2 ? parts.map((part, k) => (k % 2 ? el("code", {}, part) : part)) : [text];
}

export function notice(text, kind = "") {
  return el("p", { class: `notice ${kind}`, role: kind === "error" ? "alert" : "note" }, coded(text));
}

// What a screen reader says; the same again, too.
export function say(text) {
  const live = document.getElementById("live");
  live.textContent = live.textContent === text ? `${text}\u00a0` : text;
}

// Draws what stands in `root` anew and leaves the focus where it was: at the same place of a board, or the next one if that is gone, else at
// what `next` gives. Without this, a keyboard would begin at the top of the page again.
export function redrawn(root, draw, next) {
  const at = document.activeElement, places = () => [...root.querySelectorAll("[data-place]")];
  const isInside = root.contains(at), number = places().indexOf(at), place = at?.dataset?.place;
  draw();
  const now = document.activeElement;
  if (!isInside || (root.contains(now) && !now.disabled)) return;
  const left = number < 0 ? [] : places();
  (left.find((e) => e.dataset.place === place) ?? left[Math.min(number, left.length - 1)] ?? next())?.focus();
}

export function capital(text) {
  return text.slice(0, 1).toUpperCase() + text.slice(1);
}
