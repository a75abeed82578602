// The page of the robot: a picture that can be turned, and beside it the robot that is driven from Python, or the race of policies.

import { el, fill, notice } from "./dom.js";
import { Driving } from "./driving.js";
import { channels, GREEN } from "./palette.js";
import { Plan } from "./plan.js";
import { Racing } from "./racing.js";
import { Scene } from "./scene.js";
import { theme } from "./theme.js";

const TABS = [["drive", "Drive", Driving], ["race", "Race", Racing]];
const main = document.getElementById("main");

function begin() {
  let canvas = el("canvas", { tabindex: 0, role: "img", "aria-label": "The maze in three dimensions. Arrow keys turn it, plus and minus zoom, 0 turns it back." });
  const ramp = el("div", { class: "ramp-box", hidden: true });
  const views = [["3D", {}], ["from above", { yaw: 0, pitch: Math.PI / 2 }]].map(([name, view]) => el("button", { type: "button", onclick: () => scene.look(view) }, name));
  const turning = el("div", { class: "views" }, views), lacking = el("div", {});
  const box = el("div", { class: "scene" }, canvas, turning, ramp);
  const tabs = el("div", { class: "tabs", role: "group", "aria-label": "What is shown" });
  const place = el("div", {}), coarse = el("p", { class: "quietly" });
  fill(main, box, el("div", { class: "panel" }, el("h1", {}, "The robot in its maze"), lacking, tabs, place, coarse));
  theme();
  let scene;
  try {
    scene = new Scene(canvas);
  } catch (error) {
    fill(lacking, notice(error.message));
    turning.hidden = true; // nothing can be turned
    const flat = el("canvas", { class: "flat", role: "img", "aria-label": "The maze from above." });
    canvas.replaceWith(flat);
    canvas = flat;
    scene = new Plan(canvas);
  }
  scene.sharpened = (share) => fill(coarse, share < 1 ? `To keep up, what moves is drawn with ${Math.round(100 * share)} % of the pixels of each side; what stands still has all of them.` : "");
  canvas.scene = scene; // for who looks at it from outside
  const recolour = () => scene.setColours(coloursNow());
  document.addEventListener("recolour", recolour);
  recolour();
  const made = {};
  let shown = null;
  const open = (name) => {
    shown?.leave();
    made[name] ??= new (TABS.find((t) => t[0] === name)[2])(scene, ramp);
    shown = made[name];
    [...tabs.children].forEach((b) => b.setAttribute("aria-pressed", String(b.dataset.tab === name)));
    fill(place, shown.root);
    history.replaceState(null, "", `#${name}`);
    shown.show();
  };
  fill(tabs, TABS.map(([name, title]) => el("button", { type: "button", "data-tab": name, onclick: () => open(name) }, title)));
  open(location.hash === "#race" ? "race" : "drive");
}

// Those of the sheet that is shown now, light or dark.
function coloursNow() {
  const style = getComputedStyle(document.documentElement), of = (name) => channels(style.getPropertyValue(name).trim());
  const mixed = (a, b, share) => of(a).map((v, k) => v + (of(b)[k] - v) * share);
  return { paper: of("--sheet"), floor: of("--soft"), line: of("--line"), wall: mixed("--muted", "--sheet", 0.25), top: mixed("--muted", "--sheet", 0.5), way: channels(GREEN) };
}

begin();
