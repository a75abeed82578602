// Moves that are made by clicks on the places of a board, one place after the other.

import { plural, say } from "./dom.js";

// `moves()`: those that can be made now; `places(move)`: where it is clicked, in order, or undefined; `told(moves)`: what a place says of the
// moves that it leads to, {label, kind}; `choose(move)`; `draw()`: the board anew, after a click that is not a whole move yet.
export class Clicks {
  constructor({ moves, places, told, choose, draw }) {
    Object.assign(this, { moves, places, told, choose, draw, clicked: [] });
  }

  // Forgets a half-made move; true if there was one.
  forget() {
    const had = this.clicked.length > 0;
    this.clicked = [];
    return had;
  }

  // The moves whose places begin with these.
  by(clicked) {
    return this.moves().filter((m) => this.places(m)?.length && clicked.every((n, k) => this.places(m)[k] === n));
  }

  // What a click on a place would do, as a board needs it: null if nothing.
  placeOf(name) {
    if (name === undefined) return null;
    const goesOn = (clicked) => this.by(clicked).filter((m) => this.places(m)[clicked.length] === name);
    const isOn = goesOn(this.clicked).length > 0, clicked = isOn ? this.clicked : [], moves = goesOn(clicked);
    if (!moves.length) return null;
    const isChosen = this.clicked.at(-1) === name || (this.clicked.includes(name) && !isOn);
    return { ...this.told(moves, isOn, name), isChosen, act: () => this.click(name, clicked) };
  }

  click(name, clicked) {
    this.clicked = [...clicked, name];
    const left = this.by(this.clicked), ready = left.filter((m) => this.places(m).length === this.clicked.length);
    if (left.length === 1 && ready.length === 1) {
      this.choose(ready[0]);
      return;
    }
    this.draw();
    if (ready.length > 1) say(`${plural(ready.length, "move")} are meant by this: choose one from the list.`);
  }
}
