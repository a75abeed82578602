// Boards: a picture that a game gives as plain data (language/pictures.py), drawn, with places that can be clicked.

import { lineChart } from "./chart.js";
import { el, number } from "./dom.js";

const SIDE = 64, LEAST = 44; // of a cell; of one in a single row
const BESIDE = 3; // columns of a board that stands beside its label; a wider one stands below it
const MOST_COINS = 10; // that are drawn one by one
const WORTH = { best: 6.5, win: 6.5, near: 5, worse: 3.8, loss: 3.8, worst: 2.8 }; // how large a dot is: what colours say is said twice
const HELD = ["cards", "dice", "coins"];
const TURNED = { "half turn": { right: "left", left: "right", up: "down", down: "up" }, diagonal: { right: "up", up: "right", left: "down", down: "left" } };
const WALLS = { right: `M${SIDE} 0 V${SIDE}`, left: `M0 0 V${SIDE}`, up: `M0 0 H${SIDE}`, down: `M0 ${SIDE} H${SIDE}` };
const ANGLE = { right: 0, down: 90, left: 180, up: 270 };
const PIPS = { 1: [4], 2: [0, 8], 3: [0, 4, 8], 4: [0, 2, 6, 8], 5: [0, 2, 4, 6, 8], 6: [0, 2, 3, 5, 6, 8] };

// `seat(owner)`: whose it is, 0 or 1. `isTurned`: the second player's view is being turned back to the first one's. `place(name)`: null, or
// {label, kind, act} where it can be clicked. `reveal`: what is covered is shown, too. `name(seat)`: who that is.
export class Board {
  constructor({ seat, isTurned, place, reveal, name }) {
    Object.assign(this, { seat, isTurned, place, reveal, name });
  }

  draw(elements, text) {
    this.seen = new Set(); // places of cells that are drawn already: several cells can be one place
    return el("div", { class: "picture", role: "group", "aria-label": text }, this.inRows(this.ordered(elements)).map((row) => (row.length > 1 ? this.side(row) : this.element(row[0]))));
  }

  // Cards, dice and coins of one player that follow one another stand side by side.
  inRows(elements) {
    const rows = [], isHeld = (e) => e.owner !== undefined && HELD.includes(e.kind);
    for (const e of elements) {
      const last = rows.at(-1)?.at(-1);
      if (last && isHeld(e) && isHeld(last) && e.owner === last.owner) rows.at(-1).push(e);
      else rows.push([e]);
    }
    return rows;
  }

  side(row) {
    return el("div", { class: "side", role: "group", "aria-label": this.name(this.seat(row[0].owner)) },
      el("span", { class: "label" }, this.name(this.seat(row[0].owner))), row.map((e) => this.element({ ...e, owner: undefined })));
  }

  // What belongs to the players stands where it stood before the sides changed.
  ordered(elements) {
    const at = elements.map((e, k) => k).filter((k) => elements[k].owner !== undefined);
    const sorted = [...at].sort((a, b) => this.seat(elements[a].owner) - this.seat(elements[b].owner));
    const found = [...elements];
    at.forEach((k, j) => (found[k] = elements[sorted[j]]));
    return found;
  }

  element(e) {
    const label = e.owner === undefined ? e.label : `${this.name(this.seat(e.owner))}${e.label ? `: ${e.label}` : ""}`;
    const made = this[e.kind](e);
    const whole = e.place === undefined || e.kind === "grid" ? made : this.clickable(e.place, made);
    const isWide = e.kind === "grid" && e.cells[0].length > BESIDE;
    return el("div", { class: `part ${e.kind} ${isWide ? "wide" : ""}` }, label && e.kind !== "chart" ? el("span", { class: "label" }, label) : null, whole);
  }

  // A part of the picture that is a button where something can be done by it.
  clickable(name, made) {
    const can = this.place(name);
    if (!can) return el("span", { class: "still" }, made);
    const written = [made].flat().filter((e) => e.classList.contains("amount")).map((e) => e.textContent); // what is read on it is in its name
    return el("button", { type: "button", class: `place ${can.kind} ${can.isChosen ? "chosen" : ""}`, "data-place": name, "aria-label": [can.label, ...written].join(", "), title: can.label, onclick: can.act }, made);
  }

  // --- boards with cells ----------------------------------------------------------------------------------------------------

  grid(e) {
    const turned = this.isTurned ? e["other side"] : undefined;
    const cells = this.turn(e.cells, turned);
    const [up, across] = [cells.length, cells[0].length];
    const sides = turned === "diagonal" ? {} : { rows: e.rows, columns: e.columns };
    if (turned) for (const n of ["rows", "columns"]) sides[n] = sides[n] && [...sides[n]].reverse();
    const left = sides.rows ? 26 : 2, below = sides.columns ? 26 : 2;
    const width = left + SIDE * across + 2, height = 2 + SIDE * up + below;
    const label = (text, x, y) => el("text", { class: "side", x, y, "text-anchor": "middle" }, text);
    return el("svg", { class: up === 1 ? "cells strip" : "cells", viewBox: `0 0 ${width} ${height}`, style: { "max-width": `${up === 1 ? Math.min(width, LEAST * across) : Math.min(1.45 * width, 460)}px` } },
      cells.map((row, r) => row.map((cell, c) => this.cell(cell, left + SIDE * c, 2 + SIDE * r, turned))),
      sides.rows?.map((text, r) => label(text, 10, 2 + SIDE * (r + 0.5) + 5)),
      sides.columns?.map((text, c) => label(text, left + SIDE * (c + 0.5), 2 + SIDE * up + 19)));
  }

  turn(cells, turned) {
    const n = cells.length;
    if (turned === "half turn") return [...cells].reverse().map((row) => [...row].reverse());
    if (turned === "diagonal") return cells.map((row, r) => row.map((_, c) => cells[n - 1 - c][n - 1 - r]));
    return cells;
  }

  cell(cell, x, y, turned) {
    const can = this.place(cell.place), isFirst = !this.seen.has(cell.place);
    this.seen.add(cell.place);
    const key = (event) => (event.key === "Enter" || event.key === " ") && (event.preventDefault(), can.act());
    const named = can && `${can.label}${cell.count === undefined ? "" : `, ×${cell.count}`}`; // what is read on the cell is in its name
    const attributes = !can ? {} : isFirst ? { role: "button", tabindex: 0, "data-place": cell.place, "aria-label": named, onclick: can.act, onkeydown: key } : { onclick: can.act };
    const pieces = this.visible(cell.pieces);
    return el("g", { class: `cell ${cell.look ?? ""} ${can ? `can ${can.kind}` : ""} ${can?.isChosen ? "chosen" : ""}`, transform: `translate(${x} ${y})`, ...attributes },
      can ? el("title", {}, can.label) : null,
      el("rect", { class: "floor", x: 1, y: 1, width: SIDE - 2, height: SIDE - 2, rx: 7 }),
      cell.text && !cell.pieces.length ? el("text", { class: "corner", x: 8, y: 17 }, cell.text) : null,
      cell.walls ? el("path", { class: "wall", d: cell.walls.map((side) => WALLS[turned ? TURNED[turned][side] : side]).join(" ") }) : null,
      el("g", cell.count === undefined ? {} : { transform: "translate(2 0) scale(0.8)" }, pieces.map((p) => this.piece(p, turned))),
      cell.count !== undefined ? el("text", { class: "count", x: SIDE - 6, y: SIDE - 7, "text-anchor": "end" }, `×${cell.count}`) : null,
      can && isFirst && can.kind !== "none" ? el("circle", { class: "worth", cx: SIDE - 10, cy: 10, r: WORTH[can.kind] ?? 4 }) : null);
  }

  // Of pieces with sizes the topmost one hides the others, unless what is covered is shown; others are stacked.
  visible(pieces) {
    const hides = pieces.some((p) => p.size !== undefined);
    if (hides) return this.reveal ? pieces.map((p, k) => ({ ...p, isClear: k > 0 })).reverse().map((p, k) => ({ ...p, isBelow: k > 0 })) : pieces.slice(-1);
    return pieces.map((p, k) => ({ ...p, lift: pieces.length > 1 ? 6 * ((pieces.length - 1) / 2 - k) : 0 }));
  }

  piece(p, turned) {
    const whose = p.owner === undefined ? "neutral" : this.seat(p.owner) ? "two" : "one";
    const heads = turned && p.heads ? TURNED[turned][p.heads] : p.heads;
    return el("g", { class: `piece ${whose} ${p.isClear ? "clear" : ""} ${p.isBelow ? "covered" : ""}`, transform: `translate(${SIDE / 2} ${SIDE / 2 + (p.lift ?? 0)})` },
      this.shape(p, whose, heads),
      p.text ? el("text", { class: p.shape ? "on" : "alone", y: 6, "text-anchor": "middle" }, p.text) : null);
  }

  shape(p, whose, heads) {
    const r = p.size === undefined ? 22 : Math.min(5 + 7.6 * p.size, 29);
    if (p.shape === "mark" && whose === "two") return el("circle", { class: "stroke", r: 17 });
    if (p.shape === "mark") return el("path", { class: "stroke", d: "M-15 -15 L15 15 M-15 15 L15 -15" });
    if (p.shape === "arrow") return [el("path", { class: "body", d: "M-22 -13 L4 -13 L22 0 L4 13 L-22 13 Z", transform: `rotate(${ANGLE[heads ?? "right"]})` }), whose === "two" ? el("circle", { class: "hole", r: 5 }) : null];
    if (p.shape === "square") return el("rect", { class: "body", x: -r * 0.85, y: -r * 0.85, width: r * 1.7, height: r * 1.7, rx: 5 });
    if (p.shape === "star") return el("path", { class: "body", d: star(r) });
    if (p.shape === "disc" || !p.text) return [el("circle", { class: "body", r }), whose === "two" ? el("circle", { class: "hole", r: r * 0.42 }) : null];
    return null;
  }

  // --- everything else --------------------------------------------------------------------------------------------------------

  dice(e) {
    return e.dice.map((d) => (d.place === undefined ? die(d) : this.clickable(d.place, die(d))));
  }

  cards(e) {
    const made = e.cards.map((c) => (c.place === undefined ? card(c) : this.clickable(c.place, card(c))));
    return made.length ? made : el("span", { class: "quietly" }, "none");
  }

  coins(e) {
    return [heap(e.coins), el("span", { class: "amount" }, number(e.coins))];
  }

  bars(e) {
    const seat = (b) => (b.owner === undefined ? null : this.seat(b.owner));
    const bars = e.bars.every((b) => b.owner !== undefined) ? [...e.bars].sort((a, b) => seat(a) - seat(b)) : e.bars;
    return el("div", { class: "tracks" }, bars.map((b) => {
      const share = (v) => `${100 * Math.min(Math.max(v / (b.of || 1), 0), 1)}%`;
      const value = `${number(b.value)}${b.more ? ` + ${number(b.more)}` : ""} of ${number(b.of)}`;
      return el("div", { class: `runner ${seat(b) === null ? "neutral" : seat(b) ? "two" : "one"}` },
        el("span", { class: "whose" }, b.label ?? (seat(b) === null ? "" : this.name(seat(b)))),
        el("span", { class: "lane", "aria-hidden": "true" }, el("i", { class: "more", style: { width: share(b.value + (b.more ?? 0)) } }), el("i", { class: "far", style: { width: share(b.value) } })),
        el("span", { class: "amount" }, value));
    }));
  }

  seats(e) {
    const n = e.seats.length, round = Math.max(130, 21 * n), half = round + 76, high = round + 40;
    const at = (k) => [half + (round + 18) * Math.sin((2 * Math.PI * k) / n), high - round * Math.cos((2 * Math.PI * k) / n)];
    const free = (k) => Math.hypot(Math.max(Math.abs(at(k)[0] - half) - 54, 0), Math.max(Math.abs(at(k)[1] - high) - 36, 0)); // from the middle to a seat
    const felt = Math.min(...e.seats.map((_, k) => free(k) - 6), 90), below = Math.max(felt, ...e.seats.map((_, k) => at(k)[1] - high + 36));
    return el("svg", { class: "table", viewBox: `0 0 ${2 * half} ${high + below + 4}` },
      el("circle", { class: "felt", cx: half, cy: high, r: felt }),
      e.middle ? [purse(e.middle.coins, half, high - 4), el("text", { class: "who", x: half, y: high + 34, "text-anchor": "middle" }, `${e.middle.label ?? "middle"}: ${number(e.middle.coins)}`)] : null,
      e.seats.map((s, k) => {
        const [x, y] = at(k);
        return el("g", { class: `seat ${s.turn ? "turn" : ""} ${s.out ? "out" : ""}` },
          el("rect", { x: x - 54, y: y - 36, width: 108, height: 72, rx: 14 }), s.out ? null : purse(s.coins, x, y - 6),
          el("text", { class: "who", x, y: y + 27, "text-anchor": "middle" }, `${s.label ?? `seat ${k + 1}`}: ${s.out ? "out" : number(s.coins)}`));
      }));
  }

  facts(e) {
    return el("dl", { class: "facts" }, e.facts.map(([name, text]) => el("div", {}, el("dt", {}, name), el("dd", {}, text))));
  }

  chart(e) {
    return lineChart(e.points, { label: `${e.label ?? ""}: ${e.y ?? ""} by ${e.x ?? ""}`, title: [e.label, e.y].filter(Boolean).join(": "), xLabel: e.x ?? "", height: 170, across: 420, dots: e.points.length <= 20, mark: e.mark ?? null });
  }
}

function star(r) {
  return Array.from({ length: 10 }, (_, k) => {
    const a = -Math.PI / 2 + (Math.PI * k) / 5, d = k % 2 ? r * 0.45 : r;
    return `${k ? "L" : "M"}${(d * Math.cos(a)).toFixed(2)} ${(d * Math.sin(a)).toFixed(2)}`;
  }).join(" ") + " Z";
}

function die(d) {
  const pips = PIPS[d.face];
  return el("svg", { class: `die ${d.look ?? ""} ${d.face === null ? "unknown" : ""}`, viewBox: "0 0 44 44", width: 44, height: 44, role: "img", "aria-label": d.face === null ? "a die" : `a die: ${d.face}` },
    el("rect", { x: 2, y: 2, width: 40, height: 40, rx: 9 }),
    pips ? pips.map((k) => el("circle", { cx: 11 + 11 * (k % 3), cy: 11 + 11 * Math.floor(k / 3), r: 4 })) : el("text", { x: 22, y: 29, "text-anchor": "middle" }, d.face ?? "?"));
}

function card(c) {
  const isRed = /[♥♦]/.test(c.card ?? "");
  return el("svg", { class: `card-face ${c.look ?? ""} ${c.card === null ? "down" : isRed ? "red" : ""}`, viewBox: "0 0 50 70", width: 50, height: 70, role: "img", "aria-label": `${c.card === null ? "a card face down" : `a card: ${c.card}`}${c.count === undefined ? "" : `, ${c.count}`}` },
    el("rect", { x: 2, y: 2, width: 46, height: 66, rx: 6 }),
    c.card === null ? el("rect", { class: "back", x: 7, y: 7, width: 36, height: 56, rx: 3 }) : el("text", { x: 25, y: c.count === undefined ? 43 : 34, "text-anchor": "middle", textLength: c.card.length > 2 ? 38 : null, lengthAdjust: "spacingAndGlyphs" }, c.card),
    c.count === undefined ? null : el("text", { class: "count", x: 25, y: 58, "text-anchor": "middle", textLength: c.count > 999 ? 38 : null, lengthAdjust: "spacingAndGlyphs" }, `×${number(c.count)}`));
}

// Coins one upon the other.
function heap(count) {
  const shown = Math.min(count, MOST_COINS);
  return el("svg", { class: "heap", viewBox: `0 ${38 - 3.7 * Math.max(shown, 1)} 44 ${6 + 3.7 * Math.max(shown, 1)}`, width: 44, height: 6 + 3.7 * Math.max(shown, 1), "aria-hidden": "true" },
    Array.from({ length: shown }, (_, k) => el("rect", { class: "coin", x: 5, y: 37 - 3.7 * k, width: 34, height: 5, rx: 2.5 })),
    shown ? null : el("rect", { class: "coin none", x: 5, y: 37, width: 34, height: 5, rx: 2.5 }));
}

// Coins side by side, as many as find room.
function purse(count, x, y) {
  const shown = Math.min(count, MOST_COINS), across = Math.min(shown, 5);
  return Array.from({ length: shown }, (_, k) => {
    const row = Math.floor(k / 5), inRow = Math.min(shown - 5 * row, 5);
    return el("circle", { class: "coin", cx: x + 15 * ((k % 5) - (Math.min(inRow, across) - 1) / 2), cy: y - 15 * (Math.ceil(shown / 5) - 1) / 2 + 15 * row, r: 6.5 });
  });
}
