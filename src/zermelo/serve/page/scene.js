// A maze in three dimensions, with WebGL: walls, a floor that can be coloured, robots, lines. It can be turned and zoomed by mouse, fingers and keys.
// Pictures are drawn only when something has changed.

import { STRIDE, Shape, extent, ribbon, robotShape } from "./shapes.js";

const VERTEX = `
attribute vec3 position; attribute vec3 normal; attribute vec4 colour;
uniform mat4 camera; uniform vec4 place; uniform float size;
varying vec4 shade;
void main() {
  float c = cos(place.w), s = sin(place.w);
  vec3 p = position * size, n = normal;
  p = vec3(c * p.x - s * p.y, s * p.x + c * p.y, p.z) + place.xyz;
  n = vec3(c * n.x - s * n.y, s * n.x + c * n.y, n.z);
  float light = 0.66 + 0.34 * max(dot(n, vec3(-0.36, -0.48, 0.8)), 0.0) + 0.08 * n.z;
  shade = vec4(colour.rgb * min(light, 1.06), colour.a);
  gl_Position = camera * vec4(p, 1.0);
}`;
const FRAGMENT = "precision mediump float; varying vec4 shade; void main() { gl_FragColor = shade; }";
const THICK = 0.045, HIGH = 0.34; // of walls: half their width, and their height
const LENS = 0.62; // half of the angle that is seen, in radians
const LEAST = 0.5; // of the pixels of a side, where a machine is slow
const HOME = { yaw: -0.42, pitch: 0.86, zoom: 1 };

// Smooth edges are for graphics cards: a processor draws them at the cost of pictures a second.
function isDrawnBySoftware() {
  const gl = document.createElement("canvas").getContext("webgl"), names = gl?.getExtension("WEBGL_debug_renderer_info");
  const name = names ? gl.getParameter(names.UNMASKED_RENDERER_WEBGL) : "";
  gl?.getExtension("WEBGL_lose_context")?.loseContext();
  return /swiftshader|llvmpipe|software/i.test(name);
}

export class Scene {
  // Throws an error where the browser has no WebGL.
  constructor(canvas) {
    this.canvas = canvas;
    this.gl = canvas.getContext("webgl", { antialias: !isDrawnBySoftware(), alpha: false, powerPreference: "high-performance" });
    if (!this.gl) throw new Error("This browser has no WebGL: the maze is drawn from above, in two dimensions.");
    this.colours = { paper: [250, 249, 246], floor: [241, 239, 233], line: [215, 211, 200], wall: [120, 130, 140], top: [170, 178, 186], way: [0, 158, 115] };
    this.parts = {}; // buffers by name
    this.robots = [];
    this.view = { ...HOME };
    this.middle = [0, 0];
    this.span = 8;
    this.frames = 0;
    Object.assign(this, { sharpness: 1, isFull: false, pace: 16, steady: 0, lastMove: 0 });
    this.before = null; // called before every picture with the time in seconds; gives whether something moves
    this.prepare();
    canvas.addEventListener("webglcontextlost", (event) => event.preventDefault());
    canvas.addEventListener("webglcontextrestored", () => { this.parts = {}; this.prepare(); this.rebuild(); });
    this.listen();
    new ResizeObserver(() => this.changed()).observe(canvas);
    const loop = (now) => {
      if (this.before?.(now / 1000)) this.isChanged = true;
      this.keepPace(now);
      if (this.isChanged) this.draw();
      requestAnimationFrame(loop);
    };
    requestAnimationFrame(loop);
  }

  changed() {
    this.isChanged = true;
  }

  // Where the machine is too slow for 60 pictures a second, those of things that move are coarser; what stands still is drawn in full.
  keepPace(now) {
    const passed = now - (this.lastLoop ?? now);
    this.lastLoop = now;
    if (!this.isChanged) {
      if (this.sharpness < 1 && !this.isFull && now - this.lastMove > 250) {
        this.isFull = true;
        this.draw();
      }
      return;
    }
    this.isFull = false;
    this.lastMove = now;
    if (passed <= 0 || passed > 250) return;
    this.pace = 0.9 * this.pace + 0.1 * passed;
    if (++this.steady < 15) return;
    if (this.pace > 19 && this.sharpness > LEAST) this.sharpness = Math.max(LEAST, this.sharpness * 0.82);
    else if (this.pace < 17 && this.sharpness < 1 && this.steady > 600) this.sharpness = Math.min(1, this.sharpness / 0.82);
    else return;
    this.steady = 0;
    this.sharpened?.(this.sharpness);
  }

  prepare() {
    const { gl } = this, program = gl.createProgram();
    for (const [kind, text] of [[gl.VERTEX_SHADER, VERTEX], [gl.FRAGMENT_SHADER, FRAGMENT]]) {
      const shader = gl.createShader(kind);
      gl.shaderSource(shader, text);
      gl.compileShader(shader);
      gl.attachShader(program, shader);
    }
    gl.linkProgram(program);
    gl.useProgram(program);
    this.at = Object.fromEntries(["position", "normal", "colour"].map((n) => [n, gl.getAttribLocation(program, n)]));
    this.set = Object.fromEntries(["camera", "place", "size"].map((n) => [n, gl.getUniformLocation(program, n)]));
    for (const place of Object.values(this.at)) gl.enableVertexAttribArray(place);
    gl.enable(gl.DEPTH_TEST);
    gl.enable(gl.BLEND);
    gl.blendFunc(gl.SRC_ALPHA, gl.ONE_MINUS_SRC_ALPHA);
  }

  // --- what is there ------------------------------------------------------------------------------------------------------------

  // size : cells across and up, or null; walls : pairs of points
  setMaze(size, walls) {
    this.maze = { size, walls };
    const [x0, y0, w, h] = (this.box = extent(size, walls));
    this.middle = [(x0 + w) / 2, (y0 + h) / 2];
    this.span = Math.max(w - x0, h - y0);
    this.rebuild();
  }

  // cells : colours by [row][column], or null; the others are plain
  setFloor(cells) {
    this.cells = cells;
    this.buildFloor();
  }

  setColours(colours) {
    this.colours = { ...this.colours, ...colours };
    this.rebuild();
  }

  // robots : {x, y, angle, colour, size}
  setRobots(robots) {
    this.robots = robots;
    this.changed();
  }

  setLines(name, lines, colour, wide = 0.03, z = 0.014) {
    this.lines = { ...this.lines, [name]: [lines, wide, z, colour] };
    this.store(`lines ${name}`, ribbon(lines, wide, z, colour));
  }

  rebuild() {
    if (!this.maze) return;
    const { wall, top } = this.colours, walls = new Shape();
    for (const [[x0, y0], [x1, y1]] of this.maze.walls) {
      if (x0 === x1 || y0 === y1) walls.box(Math.min(x0, x1) - THICK, Math.min(y0, y1) - THICK, Math.max(x0, x1) + THICK, Math.max(y0, y1) + THICK, 0, HIGH, wall, top);
      else this.aslant(walls, x0, y0, x1, y1);
    }
    this.store("walls", walls.array);
    this.buildFloor();
    for (const [name, kept] of Object.entries(this.lines ?? {})) this.store(`lines ${name}`, ribbon(...kept));
  }

  aslant(shape, x0, y0, x1, y1) {
    const far = Math.hypot(x1 - x0, y1 - y0) || 1, nx = -(y1 - y0) / far, ny = (x1 - x0) / far, dx = nx * THICK, dy = ny * THICK;
    const { wall, top } = this.colours;
    for (const s of [-1, 1]) shape.quad([x0 + s * dx, y0 + s * dy, 0], [x1 + s * dx, y1 + s * dy, 0], [x1 + s * dx, y1 + s * dy, HIGH], [x0 + s * dx, y0 + s * dy, HIGH], [s * nx, s * ny, 0], wall);
    shape.quad([x0 - dx, y0 - dy, HIGH], [x1 - dx, y1 - dy, HIGH], [x1 + dx, y1 + dy, HIGH], [x0 + dx, y0 + dy, HIGH], [0, 0, 1], top);
  }

  buildFloor() {
    if (!this.maze) return;
    const { floor, line, way } = this.colours, [x0, y0, w, h] = this.box, shape = new Shape();
    shape.floor(x0 - 0.6, y0 - 0.6, w + 0.6, h + 1.2, -0.01, line);
    for (let y = Math.floor(y0); y < h; y++) for (let x = Math.floor(x0); x < w; x++) {
      shape.floor(x + 0.012, y + 0.012, x + 0.988, y + 0.988, 0, this.cells?.[y]?.[x] ?? floor);
    }
    if (this.maze.size) shape.floor(w - 0.96, h + 0.04, w - 0.04, h + 0.96, 0, way);
    this.store("floor", shape.array);
  }

  store(name, array) {
    const { gl } = this;
    this.parts[name] ??= { buffer: gl.createBuffer() };
    gl.bindBuffer(gl.ARRAY_BUFFER, this.parts[name].buffer);
    gl.bufferData(gl.ARRAY_BUFFER, array, gl.DYNAMIC_DRAW);
    this.parts[name].count = array.length / STRIDE;
    this.changed();
  }

  // --- the picture ----------------------------------------------------------------------------------------------------------------

  draw() {
    const { gl, canvas } = this, density = Math.min(window.devicePixelRatio || 1, 2) * (this.isFull ? 1 : this.sharpness);
    const width = Math.max(1, Math.round(canvas.clientWidth * density)), height = Math.max(1, Math.round(canvas.clientHeight * density));
    if (canvas.width !== width || canvas.height !== height) [canvas.width, canvas.height] = [width, height];
    this.isChanged = false;
    gl.viewport(0, 0, width, height);
    gl.clearColor(...this.colours.paper.map((v) => v / 255), 1);
    gl.clear(gl.COLOR_BUFFER_BIT | gl.DEPTH_BUFFER_BIT);
    gl.uniformMatrix4fv(this.set.camera, false, this.camera(width / height));
    this.part("floor");
    for (const name of Object.keys(this.parts)) if (name.startsWith("lines ")) this.part(name);
    this.part("walls");
    for (const r of this.robots) {
      const name = `robot ${r.colour}`;
      if (!this.parts[name]) this.store(name, robotShape(r.colour, 0.25));
      this.part(name, r.x, r.y, r.angle, r.size ?? 1);
    }
    this.isChanged = false;
    this.frames += 1;
  }

  part(name, x = 0, y = 0, angle = 0, size = 1) {
    const { gl } = this, part = this.parts[name];
    if (!part?.count) return;
    gl.bindBuffer(gl.ARRAY_BUFFER, part.buffer);
    gl.vertexAttribPointer(this.at.position, 3, gl.FLOAT, false, 4 * STRIDE, 0);
    gl.vertexAttribPointer(this.at.normal, 3, gl.FLOAT, false, 4 * STRIDE, 12);
    gl.vertexAttribPointer(this.at.colour, 4, gl.FLOAT, false, 4 * STRIDE, 24);
    gl.uniform4f(this.set.place, x, y, 0, angle);
    gl.uniform1f(this.set.size, size);
    gl.drawArrays(gl.TRIANGLES, 0, part.count);
  }

  // From the middle of the maze backwards by yaw (0: from below) and pitch (a quarter turn: from above).
  camera(aspect) {
    const { yaw, pitch, zoom } = this.view, tall = Math.tan(LENS / 1.25), wide = tall * aspect;
    const far = ((0.5 * this.span + 0.9) / Math.min(tall, wide * 0.98) + 0.33 * this.span) / zoom;
    const back = [Math.sin(yaw) * Math.cos(pitch), -Math.cos(yaw) * Math.cos(pitch), Math.sin(pitch)];
    const right = [Math.cos(yaw), Math.sin(yaw), 0];
    const up = [-Math.sin(yaw) * Math.sin(pitch), Math.cos(yaw) * Math.sin(pitch), Math.cos(pitch)];
    const low = 0.1 * this.span * Math.cos(pitch); // what is near is large: the middle of the picture lies nearer than that of the maze
    const from = [this.middle[0] + back[0] * far + Math.sin(yaw) * low, this.middle[1] + back[1] * far - Math.cos(yaw) * low, back[2] * far];
    const dot = (a, b) => a[0] * b[0] + a[1] * b[1] + a[2] * b[2];
    const near = Math.max(0.05, far * 0.05), end = far + 3 * this.span + 10;
    const a = 1 / wide, b = 1 / tall, c = (end + near) / (near - end), d = (2 * end * near) / (near - end);
    const rows = [[...right, -dot(right, from)].map((v) => v * a), [...up, -dot(up, from)].map((v) => v * b)];
    const depth = [...back, -dot(back, from)];
    const columns = [];
    for (let k = 0; k < 4; k++) columns.push(rows[0][k], rows[1][k], c * depth[k] + (k === 3 ? d : 0), -depth[k]);
    return new Float32Array(columns);
  }

  // --- turning and zooming ------------------------------------------------------------------------------------------------------

  turn(yaw, pitch) {
    this.view.yaw += yaw;
    this.view.pitch = Math.min(Math.max(this.view.pitch + pitch, 0.12), Math.PI / 2);
    this.changed();
  }

  zoom(factor) {
    this.view.zoom = Math.min(Math.max(this.view.zoom * factor, 0.4), 8);
    this.changed();
  }

  look(view) {
    this.view = { ...HOME, ...view };
    this.changed();
  }

  listen() {
    const { canvas } = this, held = new Map();
    const apart = () => {
      const [a, b] = [...held.values()];
      return Math.hypot(a.x - b.x, a.y - b.y) || 1;
    };
    canvas.addEventListener("pointerdown", (event) => {
      held.set(event.pointerId, { x: event.clientX, y: event.clientY });
      canvas.setPointerCapture(event.pointerId);
    });
    canvas.addEventListener("pointermove", (event) => {
      const last = held.get(event.pointerId);
      if (!last) return;
      const was = held.size === 2 ? apart() : 0;
      if (held.size === 1) this.turn((last.x - event.clientX) * 0.006, (event.clientY - last.y) * 0.006);
      held.set(event.pointerId, { x: event.clientX, y: event.clientY });
      if (held.size === 2) this.zoom(apart() / was);
    });
    for (const name of ["pointerup", "pointercancel"]) canvas.addEventListener(name, (event) => held.delete(event.pointerId));
    canvas.addEventListener("wheel", (event) => {
      event.preventDefault();
      this.zoom(Math.exp(-event.deltaY * 0.0012));
    }, { passive: false });
    const keys = { ArrowLeft: [-0.08, 0], ArrowRight: [0.08, 0], ArrowUp: [0, 0.06], ArrowDown: [0, -0.06] };
    canvas.addEventListener("keydown", (event) => {
      if (keys[event.key]) this.turn(...keys[event.key]);
      else if (event.key === "+" || event.key === "=") this.zoom(1.12);
      else if (event.key === "-") this.zoom(1 / 1.12);
      else if (event.key === "0") this.look({});
      else return;
      event.preventDefault();
    });
  }
}
