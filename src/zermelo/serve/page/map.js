// Value and best action over one or two fields of the states, with a slider for every other field.

import { differ, fitting, lineChart, ticks, widthOf } from "./chart.js";
import { capital, el, fill, inUnit, minus, notice, number, ordinal, plural, whole } from "./dom.js";
import { about, byFields, spoken } from "./fields.js";
import { ACTIONS, channels, diverging, viridis } from "./palette.js";
import { Working } from "./working.js";

const MOST_SLIDERS = 24;
const UNKNOWN = "not known"; // as the server says it
const LEAST_TALL = 200; // pixels of a map with few rows and many columns

// Values that floats do not hold are text; they are counted from the least of them on, which is their base. null: there is no need.
const baseOf = (values) => (values.some((v) => typeof v === "string") ? values.map(BigInt).reduce((a, b) => (a < b ? a : b)) : null);
const from = (base, value) => (base === null ? Number(value) : Number(BigInt(value) - base));
const plus = (base, offset) => (base === null ? Number(offset) : String(base + BigInt(offset)));

// The least and the greatest of many: too many to be the arguments of a function.
const span = (values) => values.reduce(([a, b], v) => [Math.min(a, v), Math.max(b, v)], [Infinity, -Infinity]);

// The middle of a text that reaches so far both ways and stays within a length, as near to `middle` as it can.
const inside = (middle, half, length) => Math.max(Math.min(middle, length - half), half);

// Colours as in `zermelo plot`: chances from 0 to 100 % and values of either sign in two hues around what is even, others from the least to
// the greatest.
function scaleOf([low, high], unit) {
  if (unit) return { low: 0, high: 1, colour: diverging };
  if (!differ(low, high)) return { low, high: low, colour: viridis }; // the same but for rounding, which has no colours
  const most = Math.max(-low, high);
  return low < 0 && high > 0 ? { low: -most, high: most, colour: diverging } : { low, high, colour: viridis };
}

export class MapView {
  constructor(page) {
    this.page = page;
    this.solution = page.solution;
    this.fix = {};
    this.moved = {}; // fields that were set by a slider
    this.working = new Working(el("div", {}));
    this.what = "value";
    this.bestIs = this.solution.statistics?.simultaneous ? "likeliest action of the first player" : "best action";
    this.toggle = el("div", { class: "toggle", role: "group", "aria-label": "What is shown" },
      [["value", "value"], ["best", this.bestIs]].map(([name, text]) => el("button", { type: "button", "aria-pressed": String(name === this.what), onclick: () => this.choose(name) }, text)));
    this.rows = el("select", { onchange: () => this.ask() });
    this.columns = el("select", { onchange: () => this.ask() });
    [this.aboutRows, this.aboutColumns] = [0, 1].map(() => el("span", { class: "hint" }));
    this.sliders = el("div", { class: "sliders" });
    this.canvas = el("canvas", { tabindex: 0, role: "img", "aria-label": "Map of the states; arrow keys move, Enter opens a state" });
    this.line = el("div", {});
    this.key = el("div", { class: "key" });
    this.readout = el("p", { class: "readout", "aria-live": "polite" });
    this.note = el("div", {});
    this.picture = el("div", { class: "map", hidden: true }, this.canvas, this.line, this.key, this.readout);
    this.controls = el("div", { class: "controls", hidden: true }, this.toggle, // until there are fields to choose among
      el("label", {}, "up ", this.rows, " ", this.aboutRows), el("label", {}, "across ", this.columns, " ", this.aboutColumns));
    this.root = el("section", { class: "mapping" },
      this.controls, this.sliders, this.working.place, this.picture, this.note);
    this.canvas.addEventListener("pointermove", (event) => this.point(event));
    this.canvas.addEventListener("click", (event) => { this.point(event); this.open(); });
    this.canvas.addEventListener("keydown", (event) => this.arrow(event));
    this.again = () => this.found && this.draw();
  }

  leave() {
    document.removeEventListener("recolour", this.again);
    removeEventListener("resize", this.again);
  }

  show() {
    document.addEventListener("recolour", this.again);
    addEventListener("resize", this.again);
    if (!this.asked) {
      if (!this.solution["has states"].yes) {
        fill(this.root, notice(this.solution["has states"].why));
        return;
      }
      this.ask(true);
    } else if (this.found) this.draw();
    this.asked = true;
  }

  choose(name) {
    this.what = name;
    [...this.toggle.children].forEach((b, k) => b.setAttribute("aria-pressed", String(["value", "best"][k] === name)));
    this.draw();
  }

  async ask(isFirst = false) {
    const rows = this.rows.value || null, columns = this.columns.value || null;
    if (rows && rows === columns) {
      this.columns.value = "";
      return this.ask();
    }
    const fix = Object.fromEntries(Object.entries(this.moved).filter(([n]) => n !== rows && n !== columns));
    const asked = isFirst ? {} : { rows, ...(columns ? { columns } : {}), fix: this.within(fix) };
    const found = await this.working.ask(this.solution, "map", asked);
    if (!found) return undefined;
    if (!Object.keys(found.fields).length) {
      fill(this.root, notice("All states have the same numbers: there is nothing to draw them over."));
      return undefined;
    }
    this.found = found;
    this.base = Object.fromEntries(Object.entries(found.at).map(([n, at]) => [n, baseOf(at)]));
    this.fix = { ...this.fix, ...found.fixed };
    this.fields();
    this.index();
    this.picture.hidden = this.controls.hidden = false;
    this.draw();
    return undefined;
  }

  within(fix) {
    return Object.fromEntries(Object.entries(fix).filter(([n]) => this.found?.fields[n]));
  }

  // The choice of fields, and sliders for those that are fixed.
  fields() {
    const { found } = this;
    const names = Object.keys(found.fields);
    const options = (select, chosen, none) => fill(select, none ? el("option", { value: "" }, "–") : null, names.map((n) => el("option", { value: n, selected: n === chosen }, n)));
    options(this.rows, found.rows);
    options(this.columns, found.columns, names.length < 2);
    this.columns.parentElement.hidden = !found.columns;
    [[this.aboutRows, found.rows], [this.aboutColumns, found.columns]].forEach(([place, n]) => (place.textContent = n ? about(this.solution, n) : ""));
    const others = names.filter((n) => n in found.fixed);
    if (document.activeElement?.type === "range" && this.sliders.contains(document.activeElement) && others.join() === this.others) {
      return;
    }
    this.others = others.join();
    const shown = others.slice(0, MOST_SLIDERS);
    fill(this.sliders, byFields(this.solution, shown, shown.map((n) => this.slider(n)), (n, slider) => el("label", {}, el("span", { class: "name" }, n), slider)),
      others.length > MOST_SLIDERS ? el("p", { class: "quietly" }, `and ${others.length - MOST_SLIDERS} more fields, as at the start`) : null);
  }

  // A slider for a field, and its number.
  slider(n) {
    const range = this.found.fields[n], base = baseOf(range), [low, high] = range.map((v) => from(base, v));
    const value = el("output", { "aria-hidden": "true" }, number(this.fix[n]));
    const slider = el("input", { type: "range", min: low, max: high, step: 1, "aria-label": spoken(this.solution, n), oninput: () => {
      this.fix[n] = this.moved[n] = whole(plus(base, slider.value));
      value.textContent = number(this.fix[n]);
      clearTimeout(this.soon);
      this.soon = setTimeout(() => this.ask(), 60);
    } });
    slider.value = from(base, this.fix[n]);
    return [slider, value];
  }

  index() {
    const { found } = this;
    const xs = found.columns ? this.along(found.columns) : null, ys = this.along(found.rows);
    const step = (name) => found.thinned[name] ?? 1;
    const [y0, y1] = span(ys), [x0, x1] = span(xs ?? []);
    this.box = { y0, y1, dy: step(found.rows), ...(xs ? { x0, x1, dx: step(found.columns) } : {}) };
    this.cells = new Map(ys.map((y, k) => [`${xs ? xs[k] : ""},${y}`, k]));
    this.scale = scaleOf(span(found.shown.filter((v) => v !== null)), found.unit);
    this.cursor = null;
  }

  // The values of a field, from its base on.
  along(name) {
    return this.found.at[name].map((v) => from(this.base[name], v));
  }

  // What is to be said of states of which nothing is known, and of those of which an interval is.
  get unsure() {
    const said = Object.values(this.found.said), unknown = said.filter((text) => text === UNKNOWN).length;
    return [
      unknown ? `Of ${plural(unknown, "state")} the value is not known.` : "",
      said.length > unknown ? `Of ${plural(said.length - unknown, "state")} an interval is known, and its middle is shown: point at a cell to read it.` : "",
    ].join(" ").trim();
  }

  // What a field is called at its axis: the numbers there count from its base on.
  axis(name) {
    return this.base[name] === null ? name : `${name} − ${this.base[name]}`;
  }

  get hasActions() {
    return this.found.best && this.found.actions.length > 1;
  }

  draw() {
    const { found } = this;
    if (!found) return;
    this.toggle.hidden = !this.hasActions;
    const best = this.what === "best" && this.hasActions;
    const thinned = Object.entries(found.thinned).map(([n, k]) => `every ${ordinal(k)} value of ${n}`).join(" and ");
    fill(this.note, thinned ? el("p", { class: "quietly" }, `Shown is ${thinned}.`) : null, this.unsure ? el("p", { class: "quietly" }, this.unsure) : null);
    this.canvas.hidden = !found.columns;
    if (!found.columns) {
      this.drawLine();
      return;
    }
    fill(this.line);
    this.drawMap(best);
    this.drawKey(best);
    this.tell();
  }

  // How values are written: as chances, or in the unit of the game's payoffs.
  format(least) {
    const { unit, "payoff unit": own } = this.found;
    return (v, figures = least) => (unit ? `${number(100 * v, figures)} %` : inUnit(own, v, (w) => number(w, figures)));
  }

  // What is shown: a chance, or the payoff that the game names.
  get label() {
    const [payoff] = this.solution.payoffs;
    return this.found.unit ?? (payoff === "payoff" ? "value" : payoff);
  }

  drawLine() {
    const { found } = this;
    const format = this.format(4);
    const points = this.along(found.rows).map((x, k) => [x, found.shown[k], k]).filter(([, value]) => value !== null).sort((a, b) => a[0] - b[0]);
    fill(this.line, lineChart(points, { height: 300, format, label: `${this.label} by ${found.rows}`, xLabel: this.axis(found.rows),
      pick: (k) => this.openCell(points[k][2]) }));
    fill(this.key, el("p", { class: "quietly" }, `${capital(this.label)} by ${found.rows}. A point opens its state.`));
  }

  // How many cells there are each way, the size of one, and where the first lies.
  measure() {
    const { x0, x1, dx, y0, y1, dy } = this.box;
    const across = Math.floor((x1 - x0) / dx) + 1, up = Math.floor((y1 - y0) / dy) + 1;
    const room = Math.max(240, Math.min(this.root.clientWidth || 640, 860));
    const left = Math.ceil(Math.max(46, 26 + Math.max(...[y0, y1].map((v) => widthOf(number(v)))))), bottom = 40, top = 8, right = 8;
    const high = Math.min(Math.max(260, window.innerHeight * 0.62), 620);
    let side = (room - left - right) / across;
    side = Math.min(side, Math.max((high - top - bottom) / up, side / 2.2), 46);
    const tall = Math.min(Math.max(side, Math.min(LEAST_TALL / up, 24)), (high - top - bottom) / up);
    return { across, up, left, top, bottom, side, tall, width: Math.max(left + right + side * across, Math.min(room, widthOf(this.axis(this.found.columns)) + 2)), height: top + bottom + tall * up };
  }

  drawMap(best) {
    const { found, canvas } = this;
    const m = (this.m = this.measure());
    const density = window.devicePixelRatio || 1;
    canvas.width = Math.round(m.width * density);
    canvas.height = Math.round(m.height * density);
    canvas.style.width = `${m.width}px`;
    canvas.style.height = `${m.height}px`;
    const cells = document.createElement("canvas");
    cells.width = m.across;
    cells.height = m.up;
    const pixels = cells.getContext("2d").createImageData(m.across, m.up);
    const many = found.actions.length > ACTIONS.length;
    const xs = this.along(found.columns), ys = this.along(found.rows);
    for (let k = 0; k < xs.length; k++) {
      const column = (xs[k] - this.box.x0) / this.box.dx, row = m.up - 1 - (ys[k] - this.box.y0) / this.box.dy;
      let colour;
      if (!best && found.shown[k] === null) continue;
      if (!best) colour = this.scale.colour(this.scale.high > this.scale.low ? (found.shown[k] - this.scale.low) / (this.scale.high - this.scale.low) : 0);
      else if (found.best[k] < 0) continue;
      else colour = many ? viridis(found.best[k] / (found.actions.length - 1)) : channels(ACTIONS[found.best[k]]);
      pixels.data.set([...colour, 255], 4 * (row * m.across + column));
    }
    cells.getContext("2d").putImageData(pixels, 0, 0);
    const g = canvas.getContext("2d");
    g.scale(density, density);
    g.clearRect(0, 0, m.width, m.height);
    g.imageSmoothingEnabled = false;
    g.drawImage(cells, m.left, m.top, m.side * m.across, m.tall * m.up);
    this.axes(g, m);
    this.drawCursor(g, m);
  }

  axes(g, m) {
    const style = getComputedStyle(document.documentElement);
    g.fillStyle = style.getPropertyValue("--muted");
    g.font = `12px ${getComputedStyle(document.body).fontFamily}`;
    const base = m.top + m.tall * m.up;
    g.textAlign = "center";
    g.textBaseline = "top";
    for (const v of ticks(this.box.x0, this.box.x1, Math.min(8, (m.side * m.across + 54) / 70)).filter(Number.isInteger)) {
      const text = number(v), half = g.measureText(text).width / 2;
      g.fillText(text, Math.min(m.left + (((v - this.box.x0) / this.box.dx) + 0.5) * m.side, m.width - half), base + 5);
    }
    const across = fitting(this.axis(this.found.columns), m.width);
    g.fillText(across, inside(m.left + (m.side * m.across) / 2, widthOf(across) / 2, m.width), base + 22);
    g.textAlign = "right";
    g.textBaseline = "middle";
    for (const v of ticks(this.box.y0, this.box.y1, Math.min(8, m.height / 40)).filter(Number.isInteger)) g.fillText(number(v), m.left - 6, base - (((v - this.box.y0) / this.box.dy) + 0.5) * m.tall);
    g.save();
    const up = fitting(this.axis(this.found.rows), m.height);
    g.translate(9, inside(m.top + (m.tall * m.up) / 2, widthOf(up) / 2, m.height));
    g.rotate(-Math.PI / 2);
    g.textAlign = "center";
    g.fillText(up, 0, 0);
    g.restore();
  }

  drawCursor(g, m) {
    if (!this.cursor) return;
    const x = m.left + this.cursor[0] * m.side, y = m.top + (m.up - 1 - this.cursor[1]) * m.tall;
    for (const [colour, width] of [["#fff", 3], ["#000", 1.2]]) {
      g.strokeStyle = colour;
      g.lineWidth = width;
      g.strokeRect(x - 1, y - 1, m.side + 2, m.tall + 2);
    }
  }

  drawKey(best) {
    const { found } = this;
    if (best && found.actions.length <= ACTIONS.length) {
      fill(this.key, found.actions.map((name, k) => el("span", { class: "swatch" }, el("i", { style: { background: ACTIONS[k] } }), name)));
      return;
    }
    const colour = best ? viridis : this.scale.colour;
    const [low, high] = best ? [found.actions[0], found.actions.at(-1)] : [this.scale.low, this.scale.high].map((v) => this.format(4)(v));
    if (!best && this.scale.low === this.scale.high) {
      fill(this.key, el("span", {}, low), el("span", { class: "quietly" }, `${this.label}, the same everywhere here`));
      return;
    }
    const stops = Array.from({ length: 17 }, (_, k) => `rgb(${colour(k / 16)})`).join(",");
    fill(this.key, el("span", {}, low), el("i", { class: "ramp", style: { background: `linear-gradient(90deg, ${stops})` } }), el("span", {}, high),
      el("span", { class: "quietly" }, best ? this.bestIs : this.label));
  }

  // --- pointing at a cell -----------------------------------------------------------------------------------------------------

  point(event) {
    const { m } = this;
    if (!m) return;
    const at = this.canvas.getBoundingClientRect();
    const x = Math.floor((event.clientX - at.left - m.left) / m.side), y = m.up - 1 - Math.floor((event.clientY - at.top - m.top) / m.tall);
    if (x < 0 || y < 0 || x >= m.across || y >= m.up) return;
    this.moveTo([x, y]);
  }

  arrow(event) {
    const by = { ArrowLeft: [-1, 0], ArrowRight: [1, 0], ArrowUp: [0, 1], ArrowDown: [0, -1] }[event.key];
    if (event.key === "Enter") this.open();
    else if (!by || !this.m) return;
    else {
      const [x, y] = this.cursor ?? [0, 0];
      this.moveTo([Math.min(Math.max(x + by[0], 0), this.m.across - 1), Math.min(Math.max(y + by[1], 0), this.m.up - 1)]);
    }
    event.preventDefault();
  }

  moveTo(cursor) {
    if (this.cursor && this.cursor.join() === cursor.join()) return;
    this.cursor = cursor;
    this.drawMap(this.what === "best" && this.hasActions);
    this.tell();
  }

  get cell() {
    if (!this.cursor) return null;
    const x = this.box.x0 + this.cursor[0] * this.box.dx, y = this.box.y0 + this.cursor[1] * this.box.dy;
    return { x, y, k: this.cells.get(`${x},${y}`) };
  }

  tell() {
    const { found, cell } = this;
    if (!cell) {
      this.readout.textContent = `Point at a cell to read it; click it to play from there.${this.example()}`;
      return;
    }
    const named = (n, v) => `${n} ${number(plus(this.base[n], v))}`;
    const where = `${named(found.rows, cell.y)}, ${named(found.columns, cell.x)}`;
    if (cell.k === undefined) {
      this.readout.textContent = `${where}: no such state`;
      return;
    }
    const worth = minus(found.said[cell.k] ?? this.format(6)(found.shown[cell.k]));
    const action = found.best && found.best[cell.k] >= 0 ? `, ${found.actions[found.best[cell.k]]}` : "";
    const text = found.texts ? `. ${capital(found.texts[cell.k])}` : "";
    this.readout.textContent = `${where}: ${worth}${action}${text}`;
  }

  // What a cell is in the words of the game, as the numbers of other fields alone do not say what they mean.
  example() {
    const { found } = this;
    if (!found.texts || !Object.keys(found.fixed).length) return "";
    const numbers = this.solution.slots.filter((n) => n in found.fixed).map((n) => `${n} ${number(found.fixed[n])}`).join(", ");
    return ` With ${numbers}, a state is, for example: ${found.texts[0]}.`;
  }

  open() {
    const { cell } = this;
    if (cell && cell.k !== undefined) this.openCell(cell.k);
  }

  openCell(k) {
    const { found } = this;
    const state = this.solution.slots.map((n, j) => (found.at[n] ? found.at[n][k] : found.fixed[n] ?? this.solution.start[j]));
    this.page.open("play", state);
  }
}
