// A maze from above, in two dimensions: what is shown where a browser has no WebGL. It is told the same things as a Scene (scene.js).

import { extent } from "./shapes.js";

const EDGE = 0.7; // cells around the maze; the way out lies above it
const WALL = 0.09; // width of a wall, in cells
const css = (c) => `rgb(${c.slice(0, 3).map(Math.round).join(" ")})`;

export class Plan {
  constructor(canvas) {
    this.canvas = canvas;
    this.pen = canvas.getContext("2d");
    this.colours = {};
    this.robots = [];
    this.lines = {};
    this.frames = 0;
    this.before = null; // as of a Scene: called with the time in seconds, gives whether something moves
    new ResizeObserver(() => this.changed()).observe(canvas);
    const loop = (now) => {
      if (this.before?.(now / 1000)) this.isChanged = true;
      if (this.isChanged) this.draw();
      requestAnimationFrame(loop);
    };
    requestAnimationFrame(loop);
  }

  changed() {
    this.isChanged = true;
  }

  setMaze(size, walls) {
    this.maze = { size, walls };
    this.changed();
  }

  setFloor(cells) {
    this.cells = cells;
    this.changed();
  }

  setColours(colours) {
    this.colours = colours;
    this.changed();
  }

  setRobots(robots) {
    this.robots = robots;
    this.changed();
  }

  setLines(name, lines, colour) {
    this.lines[name] = { lines, colour };
    this.changed();
  }

  draw() {
    const { canvas, pen, colours } = this, density = window.devicePixelRatio || 1;
    [canvas.width, canvas.height] = [canvas.clientWidth, canvas.clientHeight].map((v) => Math.max(1, Math.round(v * density)));
    this.isChanged = false;
    pen.fillStyle = css(colours.paper);
    pen.fillRect(0, 0, canvas.width, canvas.height);
    if (!this.maze) return;
    const [x0, y0, w, h] = extent(this.maze.size, this.maze.walls), top = h + (this.maze.size ? 1 : 0);
    const scale = Math.min(canvas.width / (w - x0 + 2 * EDGE), canvas.height / (top - y0 + 2 * EDGE));
    pen.save();
    pen.translate(canvas.width / 2, canvas.height / 2);
    pen.scale(scale, -scale); // up is up, as in the maze
    pen.translate(-(x0 + w) / 2, -(y0 + top) / 2);
    this.drawFloor(x0, y0, w, h);
    pen.lineCap = pen.lineJoin = "round";
    for (const { lines, colour } of Object.values(this.lines)) for (const line of lines) this.stroke(line, 0.06, css(colour));
    for (const wall of this.maze.walls) this.stroke(wall, WALL, css(colours.wall));
    for (const r of this.robots) this.drawRobot(r);
    pen.restore();
    this.frames += 1;
  }

  drawFloor(x0, y0, w, h) {
    const { pen, colours } = this;
    const cell = (x, y, colour) => {
      pen.fillStyle = css(colour);
      pen.fillRect(x + 0.012, y + 0.012, 0.976, 0.976);
    };
    pen.fillStyle = css(colours.line);
    pen.fillRect(x0, y0, w - x0, h - y0);
    for (let y = Math.floor(y0); y < h; y++) for (let x = Math.floor(x0); x < w; x++) cell(x, y, this.cells?.[y]?.[x] ?? colours.floor);
    if (this.maze.size) cell(w - 1, h, colours.way);
  }

  stroke(points, wide, colour) {
    const { pen } = this;
    pen.strokeStyle = colour;
    pen.lineWidth = wide;
    pen.beginPath();
    points.forEach(([x, y], k) => (k ? pen.lineTo(x, y) : pen.moveTo(x, y)));
    pen.stroke();
  }

  // A disc with a nose where it looks.
  drawRobot({ x, y, angle, colour, size = 1 }) {
    const { pen, colours } = this, r = 0.25 * size;
    pen.save();
    pen.translate(x, y);
    pen.rotate(angle);
    pen.fillStyle = css(colour);
    pen.strokeStyle = css(colours.paper);
    pen.lineWidth = 0.025;
    pen.beginPath();
    pen.arc(0, 0, r, 0, 2 * Math.PI);
    pen.fill();
    pen.stroke();
    pen.fillStyle = css(colours.paper);
    pen.beginPath();
    pen.moveTo(0.82 * r, 0);
    pen.lineTo(-0.35 * r, 0.5 * r);
    pen.lineTo(-0.35 * r, -0.5 * r);
    pen.fill();
    pen.restore();
  }
}
