// The game robot-maze: the floor coloured by what every cell is worth, and a race between the optimal policy and a hand on the wall.

import { follow, get, post } from "./api.js";
import { capital, el, fill, notice, number, radius, say } from "./dom.js";
import { BLUE, channels, ORANGE, viridis } from "./palette.js";
import { Progress } from "./working.js";

const COLOURS = [BLUE, ORANGE];
const TURNING = 0.38; // share of a move in which the robot turns
const BUMP = 0.2; // cells that it comes forward where it stays in its cell
const ASIDE = 0.13; // by which two robots stand beside the middle of a cell
const PAUSE = 1.2; // seconds between races

export class Racing {
  constructor(scene, ramp) {
    this.scene = scene;
    this.ramp = ramp;
    this.pace = 4; // moves a second
    this.turn = 0; // counts what was asked for; what is older is not shown
    this.answer = el("div", {}, "…");
    this.table = el("table", { class: "race" });
    this.rival = el("select", { onchange: () => this.restart(true) });
    this.heats = el("select", { onchange: () => this.colour(true) },
      ["as the robot faces", "facing right", "facing up", "facing left", "facing down", "plain"].map((n, k) => el("option", { value: String(k - 1) }, n)));
    const pace = el("input", { type: "range", min: 0, max: 6, step: 1, value: "2", "aria-label": "moves a second", oninput: () => { this.pace = 2 ** Number(pace.value); text.textContent = `${this.pace} moves/s`; } });
    const text = el("output", {}, "4 moves/s");
    this.again = el("button", { type: "button", onclick: () => this.restart(false) }, "New race");
    this.hold = el("button", { type: "button", "aria-pressed": "false", onclick: () => this.pause() }, "Pause");
    this.form = el("details", { class: "form" });
    this.root = el("section", {}, this.answer, this.table, el("div", { class: "buttons" }, this.hold, this.again), el("label", { class: "slider" }, "pace", pace, text),
      el("label", {}, "rival ", this.rival), el("label", {}, "floor ", this.heats), this.form,
      el("p", { class: "quietly" }, "The optimal policy sees where the robot stands and which way it faces. The hand on the wall sees only what three sensors say before each move. Wheels slip, turns miss."));
    this.begin();
  }

  async begin() {
    try {
      this.sheet = (await get("/api/games")).games[0];
      this.makeForm();
      await this.solve();
    } catch (error) {
      this.fail(error);
    }
  }

  fail(error) {
    fill(this.answer, notice(error.message, "error"));
    say(error.message);
  }

  makeForm() {
    const fields = this.sheet.parameters.filter((f) => f.type === "int");
    this.inputs = fields.map((f) => el("input", { type: "number", min: f.from, max: f.to, step: 1, required: true, value: String(f.given ?? f.default), name: f.name }));
    const send = (event) => {
      event.preventDefault();
      this.solve();
    };
    fill(this.form, el("summary", {}, el("span", { class: "change" }, "another maze, other errors")),
      el("form", { class: "parameters", onsubmit: send }, fields.map((f, k) => el("label", {}, el("span", { class: "name" }, f.name.replaceAll("_", " ")), this.inputs[k], el("span", { class: "hint" }, f.about))),
        el("div", { class: "buttons" }, el("button", { class: "primary" }, "Solve"))));
  }

  async solve() {
    const turn = ++this.turn, isWanted = () => turn === this.turn;
    const progress = new Progress("Solving"), tell = (p) => { if (isWanted()) { if (!progress.root.isConnected) fill(this.answer, progress.root); progress.tell(p); } };
    this.drives = null;
    try {
      const first = await post("/api/open", { game: this.sheet.game, parameters: Object.fromEntries(this.inputs.map((i) => [i.name, i.value])) });
      const solution = await follow(first, (f) => get(`/api/solutions/${f.solution}`), tell, isWanted);
      if (!solution) return;
      const asked = await post("/api/robot/floor", { solution: solution.solution });
      const found = await follow(asked, (f) => get(`/api/jobs/${f.progress.job}`), tell, isWanted);
      if (!found) return;
      this.solution = solution;
      this.floor = found.result;
      this.names = Object.keys(this.floor.expected);
      const chosen = this.rival.value;
      fill(this.rival, this.names.slice(1).map((n) => el("option", { value: n, selected: n === chosen }, n)));
      const { low, high } = solution.certificate ?? solution, { value } = solution;
      const error = Math.max(high - value, value - low) + Math.abs(value) * 2 ** -53; // and of the value's decimals
      fill(this.answer, el("div", { class: "figure" }, el("span", { class: "label" }, "Expected moves to the way out"), el("span", { class: "big" }, number(value, 8))),
        el("p", { class: "quietly" }, `certified: ${number(value, 17)} ± ${radius(error, value)}`));
      this.form.open = false;
      if (this.isShown) this.show();
      await this.restart(true);
    } catch (error) {
      if (isWanted()) this.fail(error);
    }
  }

  show() {
    this.isShown = true;
    this.scene.setLines("pen", [], [0, 0, 0]);
    if (!this.floor) return;
    this.scene.setMaze(this.floor.size, this.floor.walls);
    this.colour(true);
    this.scene.before = (now) => this.frame(now);
  }

  leave() {
    this.isShown = false;
    this.scene.before = null;
    this.scene.setRobots([]);
    this.scene.setFloor(null);
    this.ramp.hidden = true;
  }

  // The floor by the value of a robot that looks as the optimal one does, or as is chosen.
  colour(isNew = false) {
    if (!this.floor || !this.isShown) return;
    const chosen = Number(this.heats.value), heading = chosen < 0 ? this.drives?.[0]?.heading ?? 1 : chosen;
    if (!isNew && this.coloured === heading) return;
    this.coloured = heading;
    this.ramp.hidden = chosen === 4;
    if (chosen === 4) {
      this.scene.setFloor(null);
      return;
    }
    const most = Math.max(...this.floor.worth.flat(2).filter((v) => v !== null));
    this.scene.setFloor(this.floor.worth[heading].map((row) => row.map((v) => (v === null ? null : viridis(v / most)))));
    const stops = Array.from({ length: 17 }, (_, k) => `rgb(${viridis(k / 16)})`).join(",");
    fill(this.ramp, "0", el("i", { style: { background: `linear-gradient(90deg, ${stops})` } }), `${number(most, 3)} moves`);
  }

  // --- the race -------------------------------------------------------------------------------------------------------------------

  async restart(isNew) {
    if (!this.solution) return;
    const race = (this.race = (this.race ?? 0) + 1), pair = [this.names[0], this.rival.value];
    if (isNew) this.tally = pair.map(() => ({ races: 0, moves: 0 }));
    this.ended = null;
    const found = await Promise.all(pair.map((policy) => post("/api/robot/drive", { solution: this.solution.solution, policy }))).catch((error) => this.fail(error));
    if (!found || race !== this.race) return;
    this.drives = found.map((d) => ({ ...d, done: 0, share: 0, at: [0, 0], heading: 1, angle: Math.PI / 2 }));
    this.tell();
  }

  pause() {
    this.isHeld = !this.isHeld;
    this.hold.setAttribute("aria-pressed", String(this.isHeld));
    this.hold.textContent = this.isHeld ? "Go on" : "Pause";
  }

  frame(now) {
    const passed = Math.min(now - (this.last ?? now), 0.1);
    this.last = now;
    if (!this.drives || this.isHeld) return false;
    let isMoving = false, isNews = false;
    for (const d of this.drives) {
      if (d.done >= d.moves.length) continue;
      isMoving = true;
      d.share += passed * this.pace;
      while (d.share >= 1 && d.done < d.moves.length) {
        const [heading, x, y] = d.moves[d.done];
        Object.assign(d, { at: [x, y], angle: d.angle + quarter(heading - d.heading), heading, share: d.share - 1, done: d.done + 1 });
        isNews = true;
      }
      if (d.done >= d.moves.length) this.arrived(d);
    }
    if (isNews) {
      this.tell();
      this.colour();
    }
    if (isMoving) this.scene.setRobots(this.drives.map((d, k) => this.pose(d, k)));
    else if (this.ended === null) this.ended = now;
    else if (now - this.ended > PAUSE) this.restart(false);
    return isMoving;
  }

  arrived(d) {
    d.share = 0;
    const tally = this.tally[this.drives.indexOf(d)];
    tally.races += 1;
    tally.moves += d.moves.length;
    say(`${d.policy}: out after ${d.moves.length} moves`);
  }

  pose(d, k) {
    const colour = channels(COLOURS[k]), aside = k ? ASIDE : -ASIDE, place = (x, y, angle) => ({ x: x + 0.5 + aside, y: y + 0.5 - aside, angle, colour, size: 0.86 });
    if (d.done >= d.moves.length) return place(...d.at, d.angle);
    const [heading, x, y] = d.moves[d.done], turn = quarter(heading - d.heading);
    const turning = turn ? TURNING : 0, share = d.share < turning ? 0 : (d.share - turning) / (1 - turning), angle = d.angle + turn * (turning ? Math.min(d.share / turning, 1) : 1);
    if (x === d.at[0] && y === d.at[1]) {
      const far = BUMP * Math.sin(Math.PI * share);
      return place(x + far * Math.cos(angle), y + far * Math.sin(angle), angle);
    }
    const smooth = share * share * (3 - 2 * share);
    return place(d.at[0] + smooth * (x - d.at[0]), d.at[1] + smooth * (y - d.at[1]), angle);
  }

  tell() {
    const head = ["policy", "expected, exactly", "now", "mean so far"].map((t) => el("th", {}, t));
    const rows = this.drives.map((d, k) => {
      const { races, moves } = this.tally[k];
      return el("tr", {}, el("td", {}, el("i", { style: { background: COLOURS[k] } }), capital(d.policy)), el("td", { class: "exact" }, number(this.floor.expected[d.policy], 7)),
        el("td", {}, `${d.done}${d.done >= d.moves.length ? (d.out ? " ✓" : " …") : ""}`), el("td", {}, races ? `${number(moves / races, 4)} (${races})` : "–"));
    });
    fill(this.table, el("thead", {}, el("tr", {}, head)), el("tbody", {}, rows));
  }
}

// A difference of headings as the shortest turn, in radians.
function quarter(difference) {
  return ([0, 1, 2, -1][((difference % 4) + 4) % 4] * Math.PI) / 2;
}
