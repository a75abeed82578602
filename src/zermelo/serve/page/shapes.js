// Shapes as triangles: position (x, y, z), normal, colour (red, green, blue, opacity), ten numbers a corner.

export const STRIDE = 10;
const ROUND = 28; // sides of a circle

// The corners of what is seen of a maze: left, below, right, above. size : cells across and up, or null; walls : pairs of points
export function extent(size, walls) {
  const ends = walls.flat(), xs = ends.map((p) => p[0]), ys = ends.map((p) => p[1]);
  return size ? [0, 0, ...size] : [Math.min(0, ...xs), Math.min(0, ...ys), Math.max(4, ...xs), Math.max(4, ...ys)];
}

export class Shape {
  constructor() {
    this.data = [];
  }

  corner(p, n, c) {
    this.data.push(...p, ...n, c[0] / 255, c[1] / 255, c[2] / 255, c[3] ?? 1);
  }

  quad(a, b, c, d, n, colour) {
    for (const p of [a, b, c, a, c, d]) this.corner(p, n, colour);
    return this;
  }

  floor(x0, y0, x1, y1, z, colour) {
    return this.quad([x0, y0, z], [x1, y0, z], [x1, y1, z], [x0, y1, z], [0, 0, 1], colour);
  }

  // Sides are darker below, as less light comes there.
  box(x0, y0, x1, y1, z0, z1, colour, top = colour) {
    const low = colour.map((v) => v * 0.82);
    for (const [a, b, n] of [[[x0, y0], [x1, y0], [0, -1, 0]], [[x1, y0], [x1, y1], [1, 0, 0]], [[x1, y1], [x0, y1], [0, 1, 0]], [[x0, y1], [x0, y0], [-1, 0, 0]]]) {
      const p = [[...a, z0], [...b, z0], [...b, z1], [...a, z1]];
      for (const k of [0, 1, 2, 0, 2, 3]) this.corner(p[k], n, k < 2 ? low : colour);
    }
    return this.floor(x0, y0, x1, y1, z1, top);
  }

  disc(x, y, z, r, colour, edge = colour) {
    for (let k = 0; k < ROUND; k++) {
      const [a, b] = [k, k + 1].map((j) => (2 * Math.PI * j) / ROUND);
      this.corner([x, y, z], [0, 0, 1], colour);
      for (const t of [a, b]) this.corner([x + r * Math.cos(t), y + r * Math.sin(t), z], [0, 0, 1], edge);
    }
    return this;
  }

  // A round body from z0 to z1, r0 wide below and r1 above, with a lid.
  tower(x, y, z0, z1, r0, r1, colour, lid = colour) {
    const slope = (r0 - r1) / Math.hypot(r0 - r1, z1 - z0);
    for (let k = 0; k < ROUND; k++) {
      const [a, b] = [k, k + 1].map((j) => (2 * Math.PI * j) / ROUND);
      const at = (t, z, r) => [x + r * Math.cos(t), y + r * Math.sin(t), z];
      const normal = (t) => [Math.cos(t) * Math.sqrt(1 - slope * slope), Math.sin(t) * Math.sqrt(1 - slope * slope), slope];
      for (const [t, z, r] of [[a, z0, r0], [b, z0, r0], [b, z1, r1], [a, z0, r0], [b, z1, r1], [a, z1, r1]]) this.corner(at(t, z, r), normal(t), colour);
    }
    return this.disc(x, y, z1, r1, lid);
  }

  // A wheel that stands upright and rolls along x.
  wheel(x, y, z, r, wide, colour, hub) {
    for (let k = 0; k < ROUND; k++) {
      const [a, b] = [k, k + 1].map((j) => (2 * Math.PI * j) / ROUND);
      const at = (t, side) => [x + r * Math.cos(t), y + side * wide, z + r * Math.sin(t)];
      const n = (t) => [Math.cos(t), 0, Math.sin(t)];
      for (const [t, s] of [[a, -1], [b, -1], [b, 1], [a, -1], [b, 1], [a, 1]]) this.corner(at(t, s), n(t), colour);
      for (const s of [-1, 1]) {
        this.corner([x, y + s * wide, z], [0, s, 0], hub);
        for (const t of [a, b]) this.corner(at(t, s), [0, s, 0], colour);
      }
    }
    return this;
  }

  get array() {
    return new Float32Array(this.data);
  }
}

// A robot that looks along x: a body on two wheels and a caster, a mast, and three eyes ahead.
export function robotShape(colour, radius) {
  const light = colour.map((v) => v + (255 - v) * 0.38), dark = [40, 44, 48], glass = [235, 245, 250];
  const shape = new Shape();
  shape.disc(0, 0, 0.006, 1.18 * radius, [0, 0, 0, 0.32], [0, 0, 0, 0]);
  for (const side of [-1, 1]) shape.wheel(0, side * 0.86 * radius, 0.36 * radius, 0.36 * radius, 0.1 * radius, dark, [150, 155, 160]);
  shape.tower(-0.62 * radius, 0, 0.02, 0.2 * radius, 0.12 * radius, 0.12 * radius, dark);
  shape.tower(0, 0, 0.22 * radius, 0.72 * radius, 0.94 * radius, 0.88 * radius, colour, light);
  shape.tower(-0.1 * radius, 0, 0.72 * radius, 1.05 * radius, 0.5 * radius, 0.34 * radius, light, colour);
  shape.tower(0.62 * radius, 0, 0.72 * radius, 0.86 * radius, 0.14 * radius, 0.1 * radius, dark);
  for (const turn of [-0.785, 0, 0.785]) shape.tower(0.9 * radius * Math.cos(turn), 0.9 * radius * Math.sin(turn), 0.4 * radius, 0.58 * radius, 0.1 * radius, 0.1 * radius, glass);
  return shape.array;
}

// The pen's line, and others that lie on the floor.
export function ribbon(lines, wide, z, colour) {
  const shape = new Shape();
  for (const line of lines) {
    for (let k = 1; k < line.length; k++) {
      const [[x0, y0], [x1, y1]] = [line[k - 1], line[k]], far = Math.hypot(x1 - x0, y1 - y0);
      if (far < 1e-6) continue;
      const dx = (-(y1 - y0) / far) * wide, dy = ((x1 - x0) / far) * wide;
      shape.quad([x0 - dx, y0 - dy, z], [x0 + dx, y0 + dy, z], [x1 + dx, y1 + dy, z], [x1 - dx, y1 - dy, z], [0, 0, 1], colour);
      shape.disc(x1, y1, z, wide, colour);
    }
  }
  return shape.array;
}
