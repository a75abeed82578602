// Small charts as SVG: lines, and bars.

import { el, number } from "./dom.js";

const MOST_TICKS = 20;
const ROUNDING = 1e-9; // numbers that differ by less, as a part of themselves, differ by rounding

// In pixels, so that text has its size on phones, too.
const room = () => Math.min(Math.max(window.innerWidth - 64, 280), 640);

export const differ = (low, high) => high - low > ROUNDING * Math.max(Math.abs(low), Math.abs(high));

// Round numbers from `low` to `high`; a single one where these are the same but for rounding, or no numbers.
export function ticks(low, high, most = 5) {
  if (!differ(low, high)) return [low].filter(Number.isFinite);
  const rough = (high - low) / Math.max(most, 1);
  const power = 10 ** Math.floor(Math.log10(rough));
  const step = [1, 2, 5, 10].map((d) => d * power).find((s) => s >= rough * 0.999);
  const first = Math.ceil(low / step - 1e-9), count = Math.floor(high / step + 1e-9) - first + 1; // counted before: no loop can go on
  return Array.from({ length: count > 0 ? Math.min(count, MOST_TICKS) : 0 }, (_, k) => Number(((first + k) * step).toPrecision(12)));
}

// How wide a text is in a chart, in pixels.
let pen = null;
export function widthOf(text) {
  if (!pen) (pen = document.createElement("canvas").getContext("2d")).font = `12px ${getComputedStyle(document.body).fontFamily}`;
  return pen.measureText(text).width;
}

// As much of a text as fits into a room.
export function fitting(text, room) {
  if (widthOf(text) <= room) return text;
  const kept = Array.from(text).slice(0, -1);
  while (kept.length && widthOf(`${kept.join("")}…`) > room) kept.pop();
  return `${kept.join("")}…`;
}

// Numbers at an axis, in as many figures as tell them apart; `format` may take the figures.
function labelled(at, format) {
  const step = at.length > 1 ? at[1] - at[0] : 0, most = Math.max(...at.map(Math.abs));
  const figures = step ? Math.min(Math.max(Math.ceil(Math.log10(most / step)) + 1, 6), 15) : undefined;
  return at.map((v) => [v, format(v, figures)]);
}

const widest = (labels) => Math.max(0, ...labels.map(([, text]) => widthOf(text)));
const besides = (labels) => Math.max(52, Math.ceil(widest(labels)) + 10); // the room for the numbers of an axis, to its left

// Whole numbers below a chart, as many as stand side by side; those at its ends stay inside.
function below([low, high], [left, right], x, y, format) {
  const all = (most) => labelled(ticks(low, high, most).filter(Number.isInteger), format);
  const labels = all(Math.min(8, (right - left) / (widest(all(8)) + 16)));
  return labels.map(([v, text]) => el("text", { class: "tick", x: Math.min(x(v), right + 12 - widthOf(text) / 2), y, "text-anchor": "middle" }, text));
}

// A line through points [x, y]; `marks`: {index: class}; `pick(index)` is called for a point that is clicked.
export function lineChart(points, { height = 150, format = number, low, high, label = "", marks = {}, pick = null, xLabel = "", title = "", across = room(), mark = null, dots = points.length <= 120 } = {}) {
  const ys = points.map((p) => p[1]), xs = points.map((p) => p[0]);
  const least = low ?? Math.min(...ys), most = high ?? Math.max(...ys);
  const pad = differ(least, most) ? 0 : Math.abs(most) * 0.1 || 1;
  const [y0, y1] = low === undefined ? [least - pad, most + pad] : [least, most];
  const x0 = Math.min(...xs), last = Math.max(...xs), x1 = differ(x0, last) ? Math.max(last, x0 + 1) : x0 + Math.max(1, Math.abs(x0) * 0.1);
  const rows = labelled(ticks(y0, y1, 4), format);
  const left = besides(rows), right = across - 12, top = title ? 26 : 10, bottom = height - (xLabel ? 34 : 20);
  const x = (v) => left + ((v - x0) / (x1 - x0)) * (right - left);
  const y = (v) => bottom - ((v - y0) / (y1 - y0)) * (bottom - top);
  return el("svg", { class: "chart", viewBox: `0 0 ${across} ${height}`, role: "img", "aria-label": label },
    rows.map(([v, text]) => [
      el("line", { class: "grid", x1: left, x2: right, y1: y(v), y2: y(v) }),
      el("text", { class: "tick", x: left - 7, y: y(v) + 4, "text-anchor": "end" }, text),
    ]),
    below([x0, last], [left, right], x, bottom + 15, number),
    xLabel ? el("text", { class: "axis", x: (left + right) / 2, y: height - 4, "text-anchor": "middle" }, fitting(xLabel, right - left)) : null,
    title ? el("text", { class: "axis", x: left, y: 13 }, fitting(title, across - left)) : null,
    mark === null ? null : el("line", { class: "mean", x1: x(mark), x2: x(mark), y1: top, y2: bottom }),
    el("polyline", { class: "line", points: points.map((p) => `${x(p[0])},${y(p[1])}`).join(" ") }),
    dots || pick ? points.map((p, k) => el("circle", {
      class: `dot ${marks[k] ?? ""} ${pick ? "can" : ""}`, cx: x(p[0]), cy: y(p[1]), r: marks[k] ? 4.5 : points.length > 60 ? 1.8 : 3,
      onclick: pick ? () => pick(k) : null,
    }, el("title", {}, `${number(p[0])}: ${format(p[1])}`))) : null);
}

const FEW_BARS = 9; // places of a chart that has a single value

// Bars [from, to, probability], those in the middle darker; `mark` is a line at a number.
export function barChart(bars, { height = 240, middle = [0, 0], mark = null, label = "", xLabel = "", tell = () => {}, tick = number } = {}) {
  const across = room();
  const least = Math.min(...bars.map((b) => b[0])), greatest = Math.max(...bars.map((b) => b[1]));
  const beside = least === greatest ? FEW_BARS / 2 : 0.5; // a single value is one bar among empty places
  const x0 = least - beside, x1 = greatest + beside;
  const most = Math.max(...bars.map((b) => b[2]), 1e-12);
  const left = 52, right = across - 12, top = 10, bottom = height - 34;
  const x = (v) => left + ((v - x0) / (x1 - x0)) * (right - left);
  const y = (v) => bottom - (v / most) * (bottom - top);
  return el("svg", { class: "chart", viewBox: `0 0 ${across} ${height}`, role: "img", "aria-label": label },
    ticks(0, most, 4).map((v) => [
      el("line", { class: "grid", x1: left, x2: right, y1: y(v), y2: y(v) }),
      el("text", { class: "tick", x: left - 7, y: y(v) + 4, "text-anchor": "end" }, `${number(100 * v, 3)} %`),
    ]),
    below([least, greatest], [left, right], x, bottom + 15, tick),
    el("text", { class: "axis", x: (left + right) / 2, y: height - 2, "text-anchor": "middle" }, fitting(xLabel, right - left)),
    bars.map((b) => {
      const width = Math.max(x(b[1] + 0.5) - x(b[0] - 0.5), 0.5);
      const isMiddle = (b[0] + b[1]) / 2 >= middle[0] && (b[0] + b[1]) / 2 <= middle[1];
      return el("g", { class: "bar", onpointerenter: () => tell(b) },
        el("rect", { class: "reach", x: x(b[0] - 0.5), y: top, width, height: bottom - top }),
        el("rect", { class: isMiddle ? "fill" : "fill pale", x: x(b[0] - 0.5) + Math.min(width * 0.08, 1), y: y(b[2]), width: Math.max(width * 0.9, 0.5), height: bottom - y(b[2]) }));
    }),
    mark === null || !Number.isFinite(mark) ? null : el("line", { class: "mean", x1: x(mark), x2: x(mark), y1: top, y2: bottom }));
}
