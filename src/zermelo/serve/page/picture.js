// A picture of the catalogue that can be pointed at: what stands under the pointer is marked and read out, and the picture can be made larger.

import { el, number } from "./dom.js";

const NEAR = 40; // pixels from the pointer to a point that is meant by it
const SIZES = [1, 1.5, 2, 3, 4]; // times the width of the page
const TALL = 80; // per cent of the window's height that a picture takes at most: a little less than .window in style.css
const READABLE = 62; // pixels an inch of a picture, from which on its text can be read: letters of 10 points are 8.6 pixels high

export class Picture {
  // found: `size`, and `axes` as serve/marks.py gives them
  constructor(found, source, about) {
    this.found = found;
    this.size = 0;
    this.image = el("img", { src: source, alt: about, draggable: "false" });
    this.mark = el("i", { class: "pointed", hidden: true });
    this.sheet = el("div", { class: "sheet", style: { "aspect-ratio": `${found.size[0]} / ${found.size[1]}` } }, this.image, this.mark);
    this.window = el("div", { class: "window" }, this.sheet);
    this.readout = el("p", { class: "readout", "aria-live": "polite" }, this.hint);
    const step = (by, text, name) => el("button", { type: "button", "aria-label": name, title: name, onclick: () => this.resize(this.size + by) }, text);
    this.buttons = [step(-1, "−", "Smaller"), step(1, "+", "Larger")];
    this.root = el("figure", { class: "picture-view" }, this.window, el("figcaption", {}, this.readout, el("span", { class: "buttons" }, this.buttons)));
    this.sheet.addEventListener("pointermove", (event) => this.point(event));
    this.sheet.addEventListener("pointerdown", (event) => this.point(event));
    if (this.hasMarks) {
      Object.entries({ tabindex: 0, role: "group", "aria-label": `${about}; arrow keys go from mark to mark` }).forEach(([n, v]) => this.sheet.setAttribute(n, v));
      this.sheet.addEventListener("keydown", (event) => this.key(event));
    }
    this.resize(0);
    const seen = new ResizeObserver(() => this.window.clientWidth && (seen.disconnect(), this.fit())); // once it is in the page
    seen.observe(this.window);
  }

  // The smallest size at which the text of the picture can be read.
  fit() {
    const wanted = (READABLE * this.found.size[0]) / this.window.clientWidth;
    const fitting = SIZES.findIndex((size) => size >= wanted);
    this.resize(fitting < 0 ? SIZES.length - 1 : fitting);
    this.window.scrollLeft = this.window.scrollTop = 0;
    this.tell(this.pointed);
  }

  // The width at which the whole picture is seen, if its text can be read then.
  get whole() {
    const [wide, high] = this.found.size;
    return `min(100%, max(${TALL * wide / high}vh, ${READABLE * wide}px))`;
  }

  get hasMarks() {
    return this.found.axes.length > 0;
  }

  get hint() {
    const moved = this.size ? "The picture goes on to the right: scroll it. " : "";
    return moved + (this.hasMarks ? "Point at the picture to read its numbers; arrow keys go through them." : "");
  }

  resize(size) {
    const before = [this.window.scrollLeft + this.window.clientWidth / 2, this.window.scrollTop + this.window.clientHeight / 2].map((v) => v / SIZES[this.size]);
    this.size = Math.min(Math.max(size, 0), SIZES.length - 1);
    this.sheet.style.width = this.size ? `${100 * SIZES[this.size]}%` : this.whole;
    this.buttons[0].disabled = this.size === 0;
    this.buttons[1].disabled = this.size === SIZES.length - 1;
    [this.window.scrollLeft, this.window.scrollTop] = [before[0] * SIZES[this.size] - this.window.clientWidth / 2, before[1] * SIZES[this.size] - this.window.clientHeight / 2];
  }

  // --- pointing ---------------------------------------------------------------------------------------------------------------

  point(event) {
    const box = this.sheet.getBoundingClientRect();
    const at = [(event.clientX - box.x) / box.width, (event.clientY - box.y) / box.height];
    this.tell(this.nearest(at, [box.width, box.height]));
  }

  // What is meant by a place: a bar or cell that it lies in, else the nearest point.
  nearest(at, [width, height]) {
    const axes = this.found.axes.find(({ box }) => inside(box, at));
    if (!axes) return null;
    let best = null, least = NEAR;
    for (const series of axes.series) {
      series.at.forEach((p, k) => {
        const isIn = series.boxes && inside(series.boxes[k], at);
        const far = isIn ? -1 : Math.hypot((p[0] - at[0]) * width, (p[1] - at[1]) * height);
        if (far < least) [best, least] = [{ axes, series, k }, far];
      });
    }
    if (best) return best;
    for (const map of axes.maps) {
      const c = share(map.columns, at[0]) * map.x.length, r = share(map.rows, at[1]) * map.y.length;
      if (c >= 0 && r >= 0 && c < map.x.length && r < map.y.length) return { axes, map, row: Math.floor(r), column: Math.floor(c) };
    }
    return null;
  }

  tell(found) {
    this.pointed = found;
    this.mark.hidden = !found;
    if (!found) {
      this.readout.textContent = this.hint;
      return;
    }
    const box = this.boxOf(found);
    this.mark.className = `pointed ${found.map || found.series.boxes ? "area" : "dot"}`;
    const names = ["left", "top", "width", "height"];
    [box[0], box[1], box[2] - box[0], box[3] - box[1]].forEach((v, k) => this.mark.style.setProperty(names[k], `${100 * v}%`));
    this.readout.textContent = this.words(found);
  }

  boxOf({ map, series, k, row, column }) {
    if (!map) return series.boxes ? series.boxes[k] : [...series.at[k], ...series.at[k]];
    const along = ([from, to], place, count) => [from + ((to - from) * place) / count, from + ((to - from) * (place + 1)) / count].sort((a, b) => a - b);
    const [x0, x1] = along(map.columns, column, map.x.length), [y0, y1] = along(map.rows, row, map.y.length);
    return [x0, y0, x1, y1];
  }

  words({ axes, map, series, k, row, column }) {
    const named = (name, value) => `${name ? `${name} ` : ""}${typeof value === "string" ? value : number(value)}`;
    if (!map) return [axes.title && this.found.axes.length > 1 ? axes.title : "", series.label].filter(Boolean).concat(`${named(axes.x, series.x[k])}, ${named(axes.y, series.y[k])}`).join(": ");
    const value = map.values[row][column];
    const what = value === null ? "nothing" : named(map.label, value);
    return map.measured ? `${named(axes.x, map.x[column])}, ${named(axes.y, map.y[row])}: ${what}` : what;
  }

  // --- the keyboard -------------------------------------------------------------------------------------------------------------

  // Left and right go along a line or a row, up and down to other lines or rows.
  key(event) {
    const by = { ArrowLeft: [-1, 0], ArrowRight: [1, 0], ArrowUp: [0, -1], ArrowDown: [0, 1] }[event.key];
    if (event.key === "+" || event.key === "-") this.resize(this.size + (event.key === "+" ? 1 : -1));
    else if (!by) return;
    else this.tell(this.next(by));
    event.preventDefault();
    this.mark.scrollIntoView({ block: "nearest", inline: "nearest" });
  }

  next([along, across]) {
    const all = this.found.axes.flatMap((axes) => [...axes.series.map((series) => ({ axes, series })), ...axes.maps.map((map) => ({ axes, map }))]);
    if (!this.pointed) return all[0].map ? { ...all[0], row: 0, column: 0 } : { ...all[0], k: 0 };
    const { map, series, k, row, column } = this.pointed, within = (v, n) => Math.min(Math.max(v, 0), n - 1);
    if (map) return { ...this.pointed, column: within(column + along * Math.sign(map.columns[1] - map.columns[0]), map.x.length), row: within(row + across * Math.sign(map.rows[1] - map.rows[0]), map.y.length) };
    if (along) return { ...this.pointed, k: within(k + along, series.at.length) };
    const place = within(all.findIndex((a) => a.series === series) + across, all.length), other = all[place];
    return other.map ? { ...other, row: 0, column: 0 } : { ...other, k: within(k, other.series.at.length) };
  }
}

const inside = ([x0, y0, x1, y1], [x, y]) => x >= Math.min(x0, x1) && x <= Math.max(x0, x1) && y >= Math.min(y0, y1) && y <= Math.max(y0, y1);

const share = ([from, to], v) => (to === from ? -1 : (v - from) / (to - from));
