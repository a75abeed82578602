// The page of one game: its parameters, how far solving is, the answer, and the views below.

import { remember, visit, written } from "./address.js";
import { follow, get, isOver, post } from "./api.js";
import { capital, coded, el, fill, minus, number, notice, plural, radius, say, seconds } from "./dom.js";
import { Play } from "./play.js";
import { DealView } from "./dealing.js";
import { DistributionView } from "./distribution.js";
import { MapView } from "./map.js";
import { PicturesView, StatesView, TablesView } from "./tables.js";
import { PlayView } from "./playing.js";
import { SearchView } from "./searching.js";
import { TreeView } from "./tree.js";
import { Progress } from "./working.js";

const LONG = 22; // characters of a value: what is longer is written smaller

const VIEWS = {
  play: { title: "Play", make: PlayView, fits: (s) => s.kind === "states" },
  search: { title: "Play", make: SearchView, fits: (s) => s.searched },
  deal: { title: "Play", make: DealView, fits: (s) => s.dealt },
  map: { title: "Map", make: MapView, fits: (s) => s.kind === "states" && s["fields tell"] },
  lengths: { title: "Distributions", make: DistributionView, fits: (s) => s.kind === "states" },
  tree: { title: "Tree", make: TreeView, fits: (s) => s.kind === "states" },
  states: { title: (s) => ({ states: "States", hidden: "Information sets", strategies: "Strategies" })[s.kind], make: StatesView, fits: (s) => s.kind !== "data" },
  tables: { title: "Tables", make: TablesView, fits: (s) => s.views.tables?.length },
  pictures: { title: "Pictures", make: PicturesView, fits: (s) => s.views.figures?.length },
};

export class GamePage {
  constructor(sheet, main) {
    this.sheet = sheet;
    this.main = main;
    this.key = null; // of the parameters and options that are shown
    this.turn = 0; // counts solutions that were asked for; what is older is not shown any more
    this.views = {};
    document.title = `${sheet.title} – Zermelo`;
    this.width = window.innerWidth;
    addEventListener("resize", this.onResize = () => this.resized());
    this.answer = el("section", { class: "answer", "aria-label": "The answer" });
    this.below = el("div", { class: "below" });
    this.form = this.makeForm();
    fill(main, el("article", { class: "game" },
      el("div", { class: "head" }, el("h1", {}, sheet.title), el("p", { class: "about" }, capital(sheet.about)), this.solved = el("p", { class: "solved", hidden: true })),
      this.form, this.whole = el("div", {}), this.answer, this.lost = el("div", { class: "missing" }), this.below));
    document.addEventListener("gone", this.onGone = () => this.gone());
  }

  leave() {
    this.turn += 1;
    removeEventListener("resize", this.onResize);
    document.removeEventListener("gone", this.onGone);
    this.current?.leave?.();
  }

  // Charts are drawn in the pixels that there are, and anew once a phone was turned.
  resized() {
    clearTimeout(this.soon);
    this.soon = setTimeout(() => {
      if (window.innerWidth === this.width) return;
      this.width = window.innerWidth;
      this.current?.resized?.();
    }, 150);
  }

  // Shows what an address asks for.
  async go(asked) {
    this.asked = asked;
    const key = JSON.stringify([asked.parameters, asked.options]);
    if (key === this.key) {
      if (this.solution) this.showView(asked);
      return;
    }
    this.key = key;
    this.current?.leave?.();
    this.current = this.solution = null;
    this.views = {};
    const turn = ++this.turn;
    const isWanted = () => turn === this.turn;
    this.fillForm(asked);
    const { whole } = this.sheet, isFirst = whole && !Object.keys(asked.parameters).length;
    fill(this.whole, isFirst ? el("p", { class: "notice", role: "note" }, "This is a small game to begin with. ", el("a", { href: written({ word: this.sheet.game, parameters: whole.parameters }) }, "The whole game"), `: ${whole.about}.`) : null);
    fill(this.below);
    this.found();
    fill(this.answer, el("p", { class: "quietly" }, "…"));
    try {
      const found = await this.solve(asked, (p) => this.showProgress(p), isWanted);
      if (!found) return;
      this.solution = { ...found, ...found.play };
      this.showAnswer();
      this.play = found.kind === "states" ? new Play(this.solution) : null;
      this.showView(this.asked);
    } catch (error) {
      if (isWanted()) this.showFailure(error);
    }
  }

  // The solution, or null if something else was asked for meanwhile.
  async solve(asked, tell, isWanted) {
    const first = await post("/api/open", { game: this.sheet.game, parameters: asked.parameters, options: asked.options });
    if (!isWanted()) return null;
    const found = await follow(first, (f) => get(`/api/solutions/${f.solution}`), (p) => isWanted() && tell(p), isWanted);
    return isWanted() ? found : null;
  }

  // --- a solution that the server has no longer: it keeps few, and none once it was started again ---------------------------

  gone() {
    if (!this.solution || this.below.classList.contains("lost")) return;
    this.below.classList.add("lost"); // its views say the same
    this.offer(`The server has this solution no longer in memory. It can be solved again${this.play ? "; the moves so far are kept" : ""}.`);
  }

  offer(text, kind = "") {
    fill(this.lost, notice(text, kind), el("button", { type: "button", class: "primary", onclick: () => this.solveAgain() }, "Solve again"));
    this.lost.scrollIntoView({ block: "nearest" });
    say(text);
  }

  found() {
    this.below.classList.remove("lost");
    fill(this.lost);
  }

  // The same game has the same name there: a play goes on where it was, and the other views begin anew.
  async solveAgain() {
    const { turn, asked } = this, progress = new Progress("Solving");
    fill(this.lost, progress.root);
    try {
      if (!(await this.solve(asked, (p) => progress.tell(p), () => turn === this.turn))) return;
      const { play } = this.views;
      this.current?.leave?.();
      this.current = null;
      this.views = play ? { play } : {};
      if (play) fill(play.trouble);
      this.found();
      this.showView(this.play?.position ? { ...this.asked, at: null } : this.asked);
    } catch (error) {
      if (turn === this.turn) this.offer(error.message, error.message === "Cancelled." ? "" : "error");
    }
  }

  showFailure(error) {
    this.key = null; // the same again tries again
    const wasHere = this.answer.contains(document.activeElement);
    fill(this.answer, notice(error.message, error.message === "Cancelled." ? "" : "error"),
      error.faults?.length ? el("ul", { class: "faults" }, error.faults.map((f) => el("li", {}, f))) : null,
      el("button", { type: "button", onclick: () => this.go(this.asked) }, "Try again"));
    fill(this.below);
    if (wasHere) this.answer.querySelector("button").focus();
    this.formBox.open = true;
    say(error.message);
  }

  showProgress(progress) {
    if (isOver(progress)) return;
    if (!this.progress?.root.isConnected) fill(this.answer, (this.progress = new Progress("Solving")).root);
    this.progress.tell(progress);
  }

  // --- the answer -----------------------------------------------------------------------------------------------------

  showAnswer() {
    const s = this.solution;
    const [first, ...others] = s.lines.map(([label, text]) => ({ label, text }));
    const kinds = { proof: ["Proven", "proof"], bound: ["Certified", "bound"], sample: ["Sampled, not proven", "sample"] };
    const [word, kind] = kinds[s.certificate?.kind] ?? ["", ""];
    const [low, high] = s.interval ?? [s.low, s.high]; // in the unit of what is shown
    const within = s.certificate && s.certificate.kind === "bound" ? ` ± ${radius((high - low) / 2, (high + low) / 2)}` : "";
    const wasHere = this.answer.contains(document.activeElement);
    this.showSolved(s["in words"] ?? "");
    fill(this.answer,
      first ? el("div", { class: "figure" }, el("span", { class: "label" }, capital(first.label)), el("span", { class: `big ${first.text.split(" = ").at(-1).length > LONG + 4 ? "long" : ""}` }, grouped(first.text))) : null,
      others.length ? el("dl", { class: "facts" }, others.map((l) => el("div", {}, el("dt", {}, capital(l.label)), el("dd", {}, minus(l.text))))) : null,
      s.certificate ? el("p", { class: "certificate" }, el("span", { class: `pill ${kind}` }, word + within), " ", coded(`${s.certificate.argument.replace(/^proof: /, "")}.`)) : null,
      s.note ? notice(s.note) : null,
      el("details", { class: "how" }, el("summary", {}, `How it was solved: ${s.summary ?? s.text}`), this.how(s)));
    if (wasHere) this.answer.querySelector("summary").focus();
    say(first ? `${this.sheet.title}: ${first.label} ${first.text}` : this.sheet.title);
  }

  // What was solved, with its parameters and discount, where there is no form that shows them.
  showSolved(words) {
    const named = `${this.sheet.title}: `, said = words.startsWith(named) ? capital(words.slice(named.length)) : words;
    this.solved.hidden = !this.sheet.saved || !said || said === this.sheet.title;
    this.solved.textContent = said;
  }

  how(s) {
    const times = Object.entries(s.statistics ?? {}).filter(([n]) => n.startsWith("seconds "));
    const rows = [["Game", s.text], ["Engine", s.engine], ["Method", s.statistics?.solver],
      ["Rules", s.statistics?.interpreted === undefined ? null : s.statistics.interpreted ? "run by Python" : "compiled"],
      ["Time", times.map(([n, t]) => `${n.replace("seconds ", "")} ${seconds(t)}`).join(", ")],
      ["Interval", s.certificate ? `[${(s.interval ?? [s.certificate.low, s.certificate.high]).map((end) => minus(String(end))).join(", ")}]` : null]];
    return [el("dl", { class: "facts small" }, rows.filter(([, v]) => v).map(([n, v]) => el("div", {}, el("dt", {}, n), el("dd", {}, v)))),
      (s.notes ?? []).map((text) => notice(text)),
      s["not asked"]?.length ? el("p", { class: "quietly" }, "Other engines: ", coded(s["not asked"].map((r) => `${r.engine}: ${r.why}`).join("; ")), ".") : null];
  }

  // --- views ----------------------------------------------------------------------------------------------------------

  showView(asked) {
    const { tabs } = this.solution; // in a file of `zermelo page`: what it holds
    const names = Object.keys(VIEWS).filter((n) => VIEWS[n].fits(this.solution) && (!tabs || tabs.includes(n)));
    const name = names.includes(asked.view) ? asked.view : names[0];
    if (!name) return;
    const title = (n) => (typeof VIEWS[n].title === "function" ? VIEWS[n].title(this.solution) : VIEWS[n].title);
    if (!this.views[name]) this.views[name] = new VIEWS[name].make(this);
    if (this.current !== this.views[name]) {
      this.current?.leave?.();
      this.current = this.views[name];
      const at = document.activeElement, wasOn = this.below.contains(at) ? (at.closest(".tabs") ? "tab" : "view") : null;
      const tabs = el("nav", { class: "tabs", "aria-label": "Views" },
        names.map((n) => el("a", { href: this.address(n), "aria-current": n === name ? "page" : null }, title(n))));
      Object.entries({ "aria-label": title(name), tabindex: -1 }).forEach(([n, v]) => this.current.root.setAttribute(n, v)); // a landmark
      fill(this.below, tabs, this.current.root);
      if (wasOn) (wasOn === "tab" ? tabs.querySelector("[aria-current]") : this.current.root).focus(); // what had the focus is gone
      tabs.querySelector("[aria-current]")?.scrollIntoView({ block: "nearest", inline: "center" });
    }
    this.current.show(asked);
  }

  address(view, at = null) {
    return written({ word: this.sheet.game, view, parameters: this.asked.parameters, options: this.asked.options, at });
  }

  // Another view of the same game, at a state.
  open(view, at = null) {
    visit(this.address(view, at));
  }

  remember(view, at) {
    remember(this.address(view, at));
  }

  // --- parameters -----------------------------------------------------------------------------------------------------

  makeForm() {
    const fields = this.sheet.parameters;
    this.inputs = new Map(fields.map((f) => [f.name, field(f)]));
    this.exact = el("input", { type: "checkbox", id: "exact" });
    this.discount = el("input", { type: "number", id: "discount", min: 0, max: 1, step: "any", required: true });
    this.shown = el("span", { class: "shown" });
    const submit = (event) => {
      event.preventDefault();
      const parameters = {}, options = {};
      for (const f of fields) {
        const value = valueOf(f, this.inputs.get(f.name));
        if (value !== "" && value !== initial(f)) parameters[f.name] = value; // one that is empty stands for its default
      }
      if (this.exact.checked !== this.sheet.options.exact) options.exact = this.exact.checked;
      if (Number(this.discount.value) !== this.sheet.options.discount) options.discount = this.discount.value;
      this.fillForm({ parameters, options });
      const address = written({ word: this.sheet.game, view: this.asked.view, parameters, options });
      if (location.hash === address) this.go({ ...this.asked, parameters, options });
      else visit(address);
    };
    const form = el("form", { class: "parameters", onsubmit: submit },
      fields.map((f) => el("label", {}, el("span", { class: "name" }, f.name.replaceAll("_", " ")), this.inputs.get(f.name), el("span", { class: "hint" }, hint(f)))),
      this.sheet.matrix ? null : el("label", {}, el("span", { class: "name" }, "discount"), this.discount, el("span", { class: "hint" }, "what comes a move later counts so much")),
      el("label", { class: "check" }, this.exact, el("span", { class: "name" }, "exact"), el("span", { class: "hint" }, "rational numbers, proven")),
      el("div", { class: "buttons" }, el("button", { class: "primary" }, "Solve")));
    this.formBox = el("details", { class: "form" }, el("summary", {}, this.shown, el("span", { class: "change" }, "change")), form);
    this.formBox.hidden = this.sheet.saved;
    return this.formBox;
  }

  fillForm(asked) {
    for (const f of this.sheet.parameters) {
      const input = this.inputs.get(f.name);
      const value = asked.parameters[f.name] ?? initial(f);
      if (input.type === "checkbox") input.checked = value === true || value === "true";
      else input.value = value;
    }
    this.exact.checked = asked.options.exact ?? this.sheet.options.exact;
    this.discount.value = asked.options.discount ?? this.sheet.options.discount;
    const said = this.sheet.parameters.map((f) => `${f.name.replaceAll("_", " ")} ${yes(asked.parameters[f.name] ?? initial(f))}`);
    if (this.exact.checked) said.push("exact");
    if (Number(this.discount.value) !== 1) said.push(`discount ${this.discount.value}`);
    this.shown.textContent = said.length ? said.slice(0, 6).join(" · ") + (said.length > 6 ? ` · and ${said.length - 6} more` : "") : "No parameters";
    if (this.formBox.open && this.formBox.contains(document.activeElement)) this.formBox.querySelector("summary").focus();
    this.formBox.open = false;
  }
}

const yes = (value) => (value === true || value === "true" ? "yes" : value === false || value === "false" ? "no" : value === "" ? "–" : value);

// What a field holds at first: what the command line gave, or the default; tuples as 1,2,3.
function initial(f) {
  const value = f.given ?? f.default;
  return value === null || value === undefined ? "" : Array.isArray(value) ? value.join(",") : f.type === "bool" ? value : String(value);
}

function valueOf(f, input) {
  return f.type === "bool" && input.type === "checkbox" ? input.checked : input.value;
}

function field(f) {
  if (f.type === "bool") return el("input", { type: "checkbox" });
  if (f.allowed) return el("select", {}, f.allowed.map((v) => el("option", { value: String(v) }, String(v))));
  const isNumber = (f.type === "int" || f.type === "float") && !f.none; // the word is typed, too
  return el("input", { type: isNumber ? "number" : "text", min: isNumber ? f.from : null, max: isNumber ? f.to : null, step: f.type === "float" ? "any" : null, required: f.required, spellcheck: "false" });
}

function hint(f) {
  const range = f.from !== null && f.from !== undefined ? `${number(f.from)} to ${number(f.to)}` : "";
  return [f.about, range, f.none ? "or none" : ""].filter(Boolean).join(", ");
}

// Decimals in groups, to be read; copied they are as they were. A fraction and its decimals are kept whole where lines break.
function grouped(text) {
  if (text.includes(" = ")) {
    const [exact, decimals] = text.split(" = ");
    return exact.length > LONG ? [grouped(decimals), el("span", { class: "fraction" }, `= ${minus(exact)}`)] : [el("span", { class: "whole" }, minus(exact)), " ", el("span", { class: "whole" }, "= ", grouped(decimals))];
  }
  const written = minus(text), found = written.match(/^(−)?(\D?)(\d+\.)(\d{7,})(e[+−]\d+)?(.*)$/); // with a sign of its unit, such as $
  if (!found) return written;
  const [, sign = "", unit, whole, rest, power, after] = found;
  return [sign, unit, whole, (rest.match(/.{1,3}/g) ?? []).map((part) => el("span", { class: "group" }, part)), power ? el("span", { class: "whole" }, power) : "", after];
}
