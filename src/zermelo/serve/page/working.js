// What stands in place of a view while its job runs: how far it is, and a button that ends it.

import { cancel, isOver, view } from "./api.js";
import { capital, el, fill, notice, number, seconds } from "./dom.js";

const SHOWN_AFTER = 300; // milliseconds; what is quicker does not flicker

// How far a job is, and a button that ends it.
export class Progress {
  constructor(label) {
    this.bar = el("progress", { max: 1, "aria-label": label });
    this.doing = el("span", {});
    this.stop = el("button", { type: "button", class: "quiet", onclick: () => cancel(this.job) }, "Cancel");
    this.root = el("div", { class: "solving" }, el("div", {}, this.doing, this.stop), this.bar);
  }

  tell(progress) {
    this.job = progress.job;
    this.stop.disabled = progress.cancelling;
    if (progress.of) this.bar.value = Math.min(progress.done / progress.of, 1);
    else this.bar.removeAttribute("value");
    const what = progress.cancelling ? "ending at the next step" : progress.doing;
    const count = progress.of ? `${number(progress.done)} of ${number(progress.of)}` : progress.done ? number(progress.done) : "";
    this.doing.textContent = [capital(what), count, seconds(progress.seconds)].filter(Boolean).join(" · ");
  }
}

export class Working {
  constructor(place) {
    this.place = place;
    this.turn = 0;
  }

  // The result of a view, or null if something else was asked for meanwhile. What goes wrong is shown in the place.
  async ask(solution, name, asked) {
    const turn = ++this.turn;
    const began = performance.now();
    const tell = (p) => turn === this.turn && !isOver(p) && performance.now() - began > SHOWN_AFTER && this.tell(p);
    try {
      const found = await view(solution.solution, name, asked, tell, () => turn === this.turn);
      if (turn !== this.turn || !found) return null;
      this.clear();
      return found;
    } catch (error) {
      if (turn === this.turn) this.clear(notice(error.message, error.message === "Cancelled." ? "" : "error"));
      return null;
    }
  }

  // Nothing is asked for any more.
  end() {
    this.turn++;
    this.clear();
  }

  tell(progress) {
    if (!this.progress) fill(this.place, (this.progress = new Progress("Working")).root);
    this.progress.tell(progress);
  }

  clear(...instead) {
    fill(this.place, ...instead);
    this.progress = null;
  }
}
