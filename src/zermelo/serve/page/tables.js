// Tables: all states, page by page, sorted and filtered by the server; and the tables and pictures that a game has of its own.

import { breakable, el, fill, minus, notice, number, radius, whole, within } from "./dom.js";
import { byFields, spoken } from "./fields.js";
import { Picture } from "./picture.js";
import { Working } from "./working.js";

const A_PAGE = 50;
const SHARES = ["probability", "reach", "other probability", "win probability"]; // columns that are drawn as bars, too

export class StatesView {
  constructor(page) {
    this.page = page;
    this.solution = page.solution;
    this.query = { sort: null, descending: false, where: {}, first: 0 };
    this.working = new Working(el("div", {}));
    this.table = el("div", { class: "scroll" });
    this.foot = el("div", { class: "foot" });
    this.root = el("section", { class: "states" }, this.working.place, this.table, this.foot);
  }

  show() {
    const has = this.solution["has states"];
    if (this.solution.kind === "states" && has && !has.yes) fill(this.root, notice(has.why));
    else if (!this.found) this.ask();
  }

  async ask() {
    const found = await this.working.ask(this.solution, "states", { ...this.query, count: A_PAGE });
    if (!found) return;
    const isFirst = !this.found || this.found.columns.join() !== found.columns.join();
    this.found = found;
    if (isFirst) this.frame();
    this.rows();
  }

  frame() {
    const { columns, numeric, heads } = this.found;
    this.heads = columns.map((n, k) => el("th", { scope: "col", class: numeric[k] ? "number" : "" },
      el("button", { type: "button", class: "quiet", onclick: () => this.sort(n) }, breakable(heads[n] ?? n))));
    this.filters = columns.map((n, k) => el("input", { type: "search", "aria-label": `Only rows whose ${n} is`, placeholder: numeric[k] ? "3..9" : "text", oninput: (event) => {
      this.query.where[n] = event.target.value;
      this.query.first = 0;
      clearTimeout(this.soon);
      this.soon = setTimeout(() => this.ask(), 250);
    } }));
    this.body = el("tbody", {});
    const go = (by) => { this.query.first = Math.max(0, this.query.first + by); this.ask(); };
    this.back = el("button", { type: "button", onclick: () => go(-A_PAGE) }, "Previous");
    this.next = el("button", { type: "button", onclick: () => go(A_PAGE) }, "Next");
    this.place = el("span", { class: "quietly", role: "status" });
    this.files = ["csv", "json"].map((kind) => el("a", { class: "button", download: "" }, `Download ${kind.toUpperCase()}`));
    fill(this.foot, this.back, this.place, this.next, this.files);
    fill(this.table, el("table", { class: "sortable", "aria-label": this.root.getAttribute("aria-label") }, el("thead", {}, el("tr", {}, this.heads), el("tr", { class: "filters" }, this.filters.map((f) => el("td", {}, f)))), this.body));
  }

  sort(name) {
    this.query = { ...this.query, descending: this.query.sort === name ? !this.query.descending : false, sort: name, first: 0 };
    this.ask();
  }

  // The columns of values and of their errors; columns with the names of fields have longer ones. -1 where there are none.
  get certified() {
    const { columns, numeric } = this.found, { payoffs = [] } = this.solution;
    const at = (name) => [`${name} (solution)`, name].map((n) => columns.indexOf(n)).find((k) => k >= 0 && numeric[k]) ?? -1, error = at("error");
    return [error < 0 ? -1 : at(payoffs.length > 1 ? payoffs[0] : "value"), error];
  }

  rows() {
    const { columns, numeric, rows, of } = this.found;
    columns.forEach((n, k) => this.heads[k].setAttribute("aria-sort", this.query.sort !== n ? "none" : this.query.descending ? "descending" : "ascending"));
    const slots = this.solution.slots ?? [];
    const [value, error] = this.certified;
    const canOpen = this.solution.kind === "states" && slots.every((n) => columns.includes(n));
    fill(this.body, rows.map((row) => el("tr", {}, row.map((cell, k) => {
      const text = cell === null ? "" : k === error ? radius(cell) : k === value ? within(cell, row[error]) : numeric[k] ? number(cell, 8) : String(cell);
      if (SHARES.includes(columns[k]) && typeof cell === "number") return el("td", { class: "number share" }, el("i", { style: { width: `${100 * Math.min(cell, 1)}%` } }), el("span", {}, text));
      if (k === 0 && canOpen) return el("td", { class: numeric[k] ? "number" : "" }, el("a", { href: this.page.address("play", slots.map((n) => row[columns.indexOf(n)])), title: "play from here", "aria-label": `${text}: play from here` }, text));
      return el("td", { class: numeric[k] ? "number" : "" }, minus(text));
    }))));
    const { first } = this.query;
    const last = Math.min(first + A_PAGE, of);
    const asked = new URLSearchParams({ sort: this.query.sort ?? "", descending: String(this.query.descending), where: JSON.stringify(this.query.where) });
    const [from, to, all] = [first + 1, last, of].map((n) => n.toLocaleString("en")), focused = document.activeElement;
    this.place.textContent = of ? `${from} to ${to} of ${all}` : "no rows";
    this.back.disabled = first === 0;
    this.next.disabled = last >= of;
    if (focused === this.next && last >= of) this.back.focus(); // a button that can't be pressed any more loses the focus
    if (focused === this.back && first === 0) this.next.focus();
    ["csv", "json"].forEach((kind, k) => this.files[k].setAttribute("href", `/api/solutions/${this.solution.solution}/states.${kind}?${asked}`));
  }
}

// A choice among the views of one kind, and numbers for the fields that they take.
class Views {
  constructor(page, kind, name) {
    this.page = page;
    this.solution = page.solution;
    this.views = page.solution.views[kind];
    this.name = name;
    this.working = new Working(el("div", {}));
    this.select = el("select", { "aria-label": kind === "tables" ? "Table" : "Picture", onchange: () => this.change() }, this.views.map((v) => el("option", { value: v.name }, v.about)));
    this.fix = el("div", { class: "sliders" });
    this.place = el("div", {});
    this.root = el("section", { class: kind }, el("div", { class: "controls" }, el("label", { class: "wide" }, this.select)), this.fix, this.working.place, this.place);
  }

  show() {
    if (!this.isShown) this.change();
    this.isShown = true;
  }

  get view() {
    return this.views.find((v) => v.name === this.select.value) ?? this.views[0];
  }

  change() {
    const { takes } = this.view;
    const names = takes === true ? this.solution.slots ?? [] : takes || [];
    this.inputs = names.slice(0, 24).map((n) => el("input", { type: "number", step: 1, "aria-label": spoken(this.solution, n), placeholder: "–", onchange: () => this.ask() }));
    fill(this.fix, byFields(this.solution, names, this.inputs));
    this.ask();
  }

  async ask() {
    fill(this.place);
    const fix = {};
    const names = this.view.takes === true ? this.solution.slots ?? [] : this.view.takes || [];
    this.inputs.forEach((input, k) => input.value !== "" && (fix[names[k]] = whole(input.value)));
    const found = await this.working.ask(this.solution, this.name, { view: this.view.name, fix });
    if (found) this.draw(found);
  }
}

export class TablesView extends Views {
  constructor(page) {
    super(page, "tables", "table");
  }

  draw(found) {
    this.found = found;
    this.order = null;
    this.drawTable();
  }

  drawTable() {
    const { found } = this;
    const marked = new Set(found.marked.map((at) => at.join()));
    const rows = found.rows.map((row, k) => ({ row, k }));
    if (this.order) {
      const { column, descending } = this.order;
      const value = (r) => found["sorted by"][r.k][column];
      rows.sort((a, b) => compared(value(a), value(b)) * (descending ? -1 : 1));
    }
    const isNumber = found.columns.map((_, j) => found["sorted by"].every((row) => row[j] === null || typeof row[j] === "number"));
    const head = found.columns.map((n, j) => el("th", { scope: "col", class: isNumber[j] ? "number" : "", "aria-sort": this.order?.column !== j ? "none" : this.order.descending ? "descending" : "ascending" },
      el("button", { type: "button", class: "quiet", onclick: () => {
        this.order = { column: j, descending: this.order?.column === j ? !this.order.descending : false };
        this.drawTable();
        this.place.querySelectorAll("thead button")[j].focus(); // the table is another one now
      } }, n ? breakable(n) : " ")));
    fill(this.place, el("h2", {}, found.title), !found.columns.length ? null : el("div", { class: "scroll" }, el("table", { class: "sortable", "aria-label": found.title }, el("thead", {}, el("tr", {}, head)),
      el("tbody", {}, rows.map(({ row, k }) => el("tr", {}, row.map((cell, j) => el(j ? "td" : "th", { scope: j ? null : "row", class: `${isNumber[j] ? "number" : cell.includes("\n") ? "lines" : ""} ${marked.has(`${k},${j}`) ? "marked" : ""}` }, minus(cell)))))))),
      found.mark ? el("p", { class: "quietly" }, el("span", { class: "marked sample" }, "marked"), ` ${found.mark}`) : null,
      found.notes.map((text) => el("p", { class: "quietly" }, minus(text))),
      el("div", { class: "foot" }, this.file("csv", "text/csv", this.csv()), this.file("json", "application/json", JSON.stringify(found.data, null, 1))));
  }

  csv() {
    const quoted = (cell) => (/[",\n]/.test(cell) ? `"${cell.replaceAll('"', '""')}"` : cell);
    return [this.found.columns, ...this.found.rows].map((row) => row.map((cell) => quoted(String(cell))).join(",")).join("\n") + "\n";
  }

  file(kind, type, text) {
    return el("button", { type: "button", onclick: () => {
      const url = URL.createObjectURL(new Blob([text], { type }));
      el("a", { href: url, download: `${this.page.sheet.title.toLowerCase().replaceAll(" ", "-")}-${this.view.name}.${kind}` }).click();
      setTimeout(() => URL.revokeObjectURL(url), 1000);
    } }, `Download ${kind.toUpperCase()}`);
  }
}

const compared = (a, b) => (a === b ? 0 : a === null ? 1 : b === null ? -1 : typeof a === typeof b ? (a < b ? -1 : 1) : typeof a === "number" ? -1 : 1);

export class PicturesView extends Views {
  constructor(page) {
    super(page, "figures", "figure");
  }

  draw(found) {
    const source = `data:image/svg+xml;charset=utf-8,${encodeURIComponent(found.svg)}`;
    this.picture = new Picture(found, source, this.view.about);
    fill(this.place, this.picture.root,
      el("div", { class: "foot" }, el("a", { class: "button", href: source, download: `${this.view.name}.svg` }, "Download SVG")));
  }

  resized() {
    this.picture?.fit();
  }
}
