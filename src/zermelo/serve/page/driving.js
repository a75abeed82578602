// The robot that Python drives: what it has done is asked for as it is done, and shown at the pace at which it happened.

import { get, post } from "./api.js";
import { el, fill, notice, number, say } from "./dom.js";
import { BLUE, channels, ORANGE } from "./palette.js";

const LATE = 0.4; // seconds of the robot's time that are shown in a tenth of a second at least, when a page is opened late

export class Driving {
  constructor(scene, ramp) {
    this.scene = scene;
    this.ramp = ramp;
    this.samples = []; // [time, x, y, angle, pen, stalled, placed], of which the first is shown already
    this.next = 0;
    this.time = null; // of the robot, as it is shown
    this.lines = [];
    this.pace = 2;
    this.status = el("p", { role: "status" }, "…");
    this.sensors = el("div", { class: "sensors" });
    this.wrong = el("div", {});
    this.programs = el("div", { class: "buttons" });
    const pace = el("input", { type: "range", min: 0, max: 5, step: 1, value: "1", "aria-label": "pace", oninput: () => this.setPace(2 ** Number(pace.value)) });
    this.paceText = el("output", {}, "2 ×");
    this.root = el("section", {}, this.status, this.sensors, el("p", { class: "quietly" }, "Programs, from the start of the maze:"), this.programs,
      el("label", { class: "slider" }, "pace", pace, this.paceText), this.wrong,
      el("p", { class: "quietly" }, "Commands that are typed at the Python prompt are shown here:"),
      el("pre", {}, "robot.forward(2)\nrobot.right(90)\nrobot.pen_down()\nrobot.drive(1, 2, seconds=1.5)\nrobot.distance, robot.is_stalled\nrobot.place()"));
    this.begin();
  }

  setPace(pace) {
    this.pace = pace;
    this.paceText.textContent = `${pace} ×`;
  }

  async begin() {
    try {
      this.about = await get("/api/robot");
    } catch (error) {
      fill(this.wrong, notice(error.message, "error"));
      return;
    }
    fill(this.programs, this.about.programs.map((name) => el("button", { type: "button", onclick: () => this.run(name) }, name)));
    if (this.isShown) this.show();
    for (;;) await this.ask();
  }

  async run(program) {
    try {
      await post("/api/robot/program", { program });
      fill(this.wrong);
      say(`${program}: the robot drives`);
    } catch (error) {
      fill(this.wrong, notice(error.message, "error"));
    }
  }

  async ask() {
    try {
      const found = await get(`/api/robot/track?since=${this.next}`);
      if (found.robot !== this.about.robot) { // another one has been started at this address
        window.location.reload();
        await new Promise(() => {});
      }
      const isFirst = this.next === 0;
      this.next = found.next;
      this.now = found.now;
      this.samples.push(...found.samples);
      if (isFirst && this.samples.length) this.jump(); // what was done before is shown as done
      fill(this.wrong);
      this.tell();
    } catch (error) {
      fill(this.wrong, notice(error.message, "error"));
      await new Promise((done) => setTimeout(done, 2000));
    }
  }

  show() {
    this.isShown = true;
    this.ramp.hidden = true;
    if (!this.about) return;
    this.scene.setFloor(null);
    this.scene.setMaze(this.about.size, this.about.walls);
    this.scene.before = (now) => this.frame(now);
    this.drawLines();
    if (this.samples.length) this.place();
  }

  leave() {
    this.isShown = false;
    this.scene.before = null;
    this.scene.setRobots([]);
    this.scene.setLines("pen", [], channels(ORANGE));
  }

  // --- the time of the robot ----------------------------------------------------------------------------------------------------

  frame(now) {
    const passed = Math.min(now - (this.last ?? now), 0.1);
    this.last = now;
    if (this.samples.length < 2) return false;
    const behind = this.samples.at(-1)[0] - this.time;
    this.time += passed * Math.max(this.pace, LATE * behind * (behind > 60 ? 1 : 0));
    while (this.samples.length > 1 && (this.samples[1][0] <= this.time || this.samples[1][6])) this.step();
    if (this.samples.length === 1) this.time = this.samples[0][0];
    this.place();
    return true;
  }

  // The first sample is over: the next one is where the robot stands.
  step() {
    const [last, next] = this.samples;
    if (next[6]) this.time = next[0];
    if (next[4]) {
      if (!last[4] || next[6] || !this.lines.length) this.lines.push([[last[1], last[2]]]);
      if (next[6]) this.lines.push([[next[1], next[2]]]);
      else if (last[1] !== next[1] || last[2] !== next[2]) this.lines.at(-1).push([next[1], next[2]]);
      this.isDrawn = true;
    }
    this.samples.shift();
    if (this.isDrawn && (this.samples.length === 1 || this.lines.at(-1).length % 4 === 0)) this.drawLines();
    if (this.samples.length === 1 || next[6]) this.tell();
  }

  jump() {
    while (this.samples.length > 1) this.step();
    this.time = this.samples[0][0];
    this.place();
  }

  drawLines() {
    this.isDrawn = false;
    if (this.isShown) this.scene.setLines("pen", this.lines, channels(ORANGE));
  }

  place() {
    if (!this.isShown || !this.about) return;
    const [a, b] = this.samples, share = b && b[0] > a[0] && !b[6] ? Math.min(Math.max((this.time - a[0]) / (b[0] - a[0]), 0), 1) : 0;
    const at = (k) => a[k] + share * ((b ?? a)[k] - a[k]);
    this.scene.setRobots([{ x: at(1), y: at(2), angle: (at(3) * Math.PI) / 180, colour: channels(BLUE), size: this.about.radius / 0.25 }]);
  }

  tell() {
    const { now } = this;
    if (!now) return;
    const isDriving = this.samples.length > 1;
    fill(this.status, `At (${number(now.x, 4)}, ${number(now.y, 4)}), heading ${number(Math.round(10 * now.heading) / 10)}°`,
      now.stalled ? el("span", { class: "stalled" }, " · stalled") : isDriving ? " · driving" : "");
    fill(this.sensors, ["left", "ahead", "right"].map((name, k) => el("span", { class: now.near[k] ? "near" : "" }, `${name}: ${now.near[k] ? "near" : "free"}`)),
      el("span", { style: { "grid-column": "1 / -1" } }, `ahead: ${now.distance === null ? "no wall" : `${number(now.distance, 3)} cells`}`));
  }
}
