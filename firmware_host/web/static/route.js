// Mister X's route on the board, as far as he has walked it: arrows with the numbers of his moves.

import { svg } from "./svg.js";

const BADGE = 11; // radius of the label with the numbers
const READABLE = 0.62; // pixels a unit at which labels are large enough; where there are fewer they grow,
const LARGEST = 2; // up to so many times
const CROWDED = 0.35; // pixels a unit below which the newest way alone has its label

export class Route {
  /**
   * @param {import("./board.js").Board} board with stations laid
   * @param {number[]} route his stations, the start first
   */
  constructor(board, route) {
    this.stations = new Map(board.board.stations.map((station) => [station.n, station]));
    this.radius = board.board.radius;
    this.board = board;
    this.route = route;
    this.place = svg("g", { id: "route", "aria-hidden": "true" });
    board.lights.layer.after(this.place);
  }

  /**
   * He has been to so many of his stations.
   * @param {number} walked at least the start, unless he is nowhere yet
   * @param {boolean} [growing] whether the newest way is drawn as he walks it
   */
  walk(walked, growing = false) {
    const ways = new Map();
    for (let n = 1; n < walked; n++) {
      const [from, to] = [this.route[n - 1], this.route[n]];
      const key = `${from}-${to}`;
      const way = ways.get(key) ?? { from, to, numbers: [] };
      way.numbers.push(n);
      ways.delete(key); // the newest lies on top
      ways.set(key, way);
    }
    const scale = this.board.zoom.scale;
    this.size = Math.max(1, Math.min(LARGEST, READABLE / scale));
    this.place.toggleAttribute("data-crowded", scale < CROWDED);
    const newest = [...ways.values()].at(-1);
    const drawn = [...ways.values()].map((way) => this.#way(way, way === newest, growing));
    const start = walked ? [this.#start(this.route[0])] : [];
    this.place.replaceChildren(...start, ...drawn.map(({ arrow }) => arrow), ...drawn.map(({ badge }) => badge));
  }

  #start(number) {
    const { x, y } = this.stations.get(number);
    return svg("circle", { cx: x, cy: y, r: this.radius + 5, class: "from", "data-route-start": number });
  }

  #way({ from, to, numbers }, newest, growing) {
    const [a, b] = [this.stations.get(from), this.stations.get(to)];
    const { line, middle } = from === to ? loop(a, this.radius) : bow(a, b, this.radius);
    const age = newest ? "newest" : "older";
    const casing = svg("path", { d: line, class: "casing" });
    const shaft = svg("path", { d: line, class: "shaft", pathLength: 1 });
    const head = svg("path", { d: headOf(line), class: "head" });
    const arrow = svg("g", { class: age, "data-way": `${from}-${to}` }, casing, shaft, head);
    arrow.toggleAttribute("data-growing", newest && growing);
    return { arrow, badge: badge(middle, numbers.join(","), age, this.size) };
  }
}

function badge([x, y], text, age, size) {
  const half = Math.max(0, text.length * 4.4 - 6);
  const plate = svg("rect", {
    x: -half - BADGE,
    y: -BADGE,
    width: 2 * (half + BADGE),
    height: 2 * BADGE,
    rx: BADGE,
  });
  const label = svg("text", { y: 5, "text-anchor": "middle" }, text);
  const transform = `translate(${tenth(x)} ${tenth(y)}) scale(${size.toFixed(2)})`;
  return svg("g", { class: `badge ${age}`, transform }, plate, label);
}

/** A bowed way from one plate to another, to the right as he walks: so the way back has room of its own. */
function bow(a, b, radius) {
  const [dx, dy] = [b.x - a.x, b.y - a.y];
  const length = Math.hypot(dx, dy) || 1;
  const [ux, uy] = [dx / length, dy / length];
  const out = Math.max(13, Math.min(26, length * 0.1));
  const gap = Math.min(radius + 3, length / 3);
  const [x1, y1, x2, y2] = [a.x + ux * gap, a.y + uy * gap, b.x - ux * gap, b.y - uy * gap];
  const [cx, cy] = [(a.x + b.x) / 2 - uy * out * 2, (a.y + b.y) / 2 + ux * out * 2];
  return { line: path(x1, y1, cx, cy, x2, y2), middle: [(a.x + b.x) / 2 - uy * out, (a.y + b.y) / 2 + ux * out] };
}

/** He stays: a loop below the plate. */
function loop({ x, y }, radius) {
  const low = y + radius * 2.6;
  const line = path(x + radius * 0.7, y + radius * 0.9, x + 3, low + radius, x - radius * 0.7, y + radius);
  return { line, middle: [x, low - 6] };
}

function path(x1, y1, cx, cy, x2, y2) {
  return `M${[x1, y1].map(tenth)}Q${[cx, cy].map(tenth)} ${[x2, y2].map(tenth)}`;
}

function tenth(value) {
  return Math.round(value * 10) / 10;
}

/** The head of an arrow along a path as `path` writes it. */
function headOf(line) {
  const [cx, cy, x, y] = line.match(/-?[\d.]+/g).map(Number).slice(2);
  const angle = Math.atan2(y - cy, x - cx);
  const barb = (turn) => [x + 13 * Math.cos(angle + turn), y + 13 * Math.sin(angle + turn)].map(tenth);
  return `M${[x, y]}L${barb(2.65)}L${barb(-2.65)}Z`;
}
