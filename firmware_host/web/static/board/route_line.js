// Mister X's routes on a board: a bold line along the board's lines, with each ticket's colour inside. Its stations are
// discs, and each leg has its round and its ticket. The end of a game and the replay draw it the same way, and so does
// `ui/drawing/route_lines.py` for pictures.

import { move, settled } from "../page/motion.js";
import { EDGE, svg } from "../page/svg.js";
import { ticketLetter } from "../wording/signs.js";

/** @import { LogEntry, Outline } from "../../messages.d.ts" */
/** @import { Board } from "./board.js" */
/** @import { Point } from "./pawns.js" */

/** @typedef {{pawn: string, stations: number[], log: LogEntry[]}} Route its log has an entry for each move, or none */
/**
 * @typedef {object} Leg a move
 * @property {string} pawn the pawn that moved
 * @property {number} from where it began
 * @property {number} to where it ended
 * @property {number} number which move of its pawn it is, from 1
 * @property {number} round the round in which it was made
 * @property {string} ticket what paid for it, or ""
 * @property {Point[]} points its line
 */
/** @typedef {Point & {wide: number, high: number}} Box around its middle */
/** @typedef {Point & {n: number, radius: number, numbered: boolean}} Place the disc of a station */
/** @typedef {{element: SVGGElement, number: number}} Drawn a part of the drawing, and the move that brings it */

const BADGE = { high: 22, text: 13, digit: 8, ticket: 25, gap: 5, pad: 7 }; // pixels
const DISC = 19; // units that a disc's radius is, at least
const NUMBER = 0.87; // of that radius: the size of a number, and
const READABLE = 7; // pixels from which on numbers are written; on a smaller map the first and the last alone, in
const LARGE = 12; // pixels
const ROOMY = 6.2; // pixels of a disc's radius from which on legs have badges: they hide the route on a smaller map
const ALONG = [0.5, 0.4, 0.6, 0.3, 0.7, 0.22, 0.78]; // shares of a leg at which its badge may lie
const ASIDE = [12, 26, 42]; // units between a leg and its badge beside it
const BESIDE = 14; // units between the lines of two pawns that went the same way
const BULGE = 0.1; // share of its length by which a flight leaves the straight line, drawn in so many
const STEPS = 14;
const NOTCH = 3;
const TEXT = 16; // pixels of the page's text, for which those of the badge are
const APPEAR = [{ opacity: 0 }, { opacity: 1 }];
const GROW = [
  { strokeDasharray: "0 1", opacity: 0 },
  { strokeDasharray: "0.02 1", opacity: 1, offset: 0.02 },
  { strokeDasharray: "1 0", opacity: 1 },
];

/**
 * Return the round of each window of a log: both halves of a double move are in one.
 * @param {LogEntry[]} log the windows, from the first
 * @returns {number[]} a round for each
 */
export function roundsOf(log) {
  let round = 0;
  return log.map(({ double }) => (double === 2 ? round : (round += 1)));
}

/** The routes of Mister X's pawns. */
export class RouteLine {
  layer = svg("g", { class: "route-line", "aria-hidden": "true" });
  caught = { at: 0, by: "" }; // the station that has a ring, and in whose colour
  /** @type {Drawn[]} */
  #drawn = [];
  #board;
  #outline;
  #routes;
  #legs;
  #walked = 0;
  #drawnFor = ""; // the scale and the pawns of the newest drawing
  #grows = false; // whether it appears as it is walked

  /**
   * @param {Board} board one with a map
   * @param {Outline} outline its map
   * @param {Route[]} routes a route for each pawn
   */
  constructor(board, outline, routes) {
    this.#board = board;
    this.#outline = outline;
    this.#routes = routes;
    this.#legs = beside(routes.flatMap((route) => this.#legsOf(route)));
    const renew = () => requestAnimationFrame(() => this.#renew());
    Object.assign(board, { scaled: renew, placed: renew });
  }

  /**
   * Return the points of the whole drawing.
   * @returns {Point[]} in units
   */
  get points() {
    return [...this.#places(Infinity).values(), ...this.#legs.flatMap(({ points }) => points)];
  }

  /**
   * Draw the routes as far as the pawns have walked.
   * @param {number} walked how many of its stations each pawn has been to; 0 if it is nowhere yet
   */
  draw(walked) {
    this.#walked = walked;
    this.#drawnFor = this.#surroundings;
    this.#grows = false;
    const gone = this.#legs.filter(({ number }) => number < walked).sort((one, other) => one.number - other.number);
    const lines = last(gone);
    const under = lines.map((leg) => part(leg, "casing", leg.points));
    const over = lines.map((leg) => part(leg, "shaft", leg.points));
    const places = this.#discs(walked);
    const discs = places.map((place) => this.#drawDisc(place));
    const badges = this.#drawBadges(gone, places);
    this.#drawn = [...under, ...over, ...discs, ...badges];
    this.layer.replaceChildren(...this.#drawn.map(({ element }) => element));
  }

  /**
   * Let the newest parts of the drawing appear while the pawn walks.
   * @param {(number: number) => KeyframeAnimationOptions | false} when returns how the parts of a move appear
   */
  grow(when) {
    this.#grows = true;
    queueMicrotask(() => void settled().then(() => (this.#grows = false))); // all that begins to move now
    for (const { element, number } of this.#drawn) {
      const options = when(number);
      if (options === false) continue;
      const paths = element.matches(".casing, .shaft") ? element.children : [];
      for (const path of paths) move(path, GROW, options);
      const delay = (options.delay ?? 0) + 0.8 * Number(options.duration);
      if (!paths.length) move(element, APPEAR, { ...options, delay });
    }
  }

  // Redraw the routes for another scale or moved pawns. Badges keep their size and stay clear of pawns.
  #renew() {
    if (this.layer.isConnected && !this.#grows && this.#drawnFor !== this.#surroundings) this.draw(this.#walked);
  }

  // Return the radius of a station's disc, in units.
  get #radius() {
    return Math.max(1.15 * this.#outline.radius, DISC);
  }

  get #surroundings() {
    return JSON.stringify([this.#board.zoom.scale, this.#board.layers?.pawns.bodies()]);
  }

  // Return the discs of the stations after a number of moves. On a map that is too small for numbers, only the discs at
  // both ends of a route have numbers, and are larger.
  /** @type {(walked: number) => Place[]} */
  #discs(walked) {
    const scale = this.#board.zoom.scale || 1;
    const radius = this.#radius;
    const readable = NUMBER * radius * scale >= READABLE;
    const ends = new Set(this.#routes.flatMap(({ stations }) => [stations[0], stations.slice(0, walked).at(-1)]));
    return [...this.#places(walked)].map(([n, at]) => {
      const numbered = readable || ends.has(n);
      return { n, ...at, numbered, radius: numbered && !readable ? LARGE / NUMBER / scale : radius };
    });
  }

  /** @param {Route} route */
  #legsOf({ pawn, stations, log }) {
    const places = this.#stations;
    const rounds = roundsOf(log);
    return stations.flatMap((to, number) => {
      const from = stations[number - 1];
      const [start, end] = [from === undefined ? undefined : places.get(from), places.get(to)];
      if (from === undefined || from === to || !start || !end) return [];
      const ticket = log[number - 1]?.ticket ?? "";
      const round = rounds[number - 1] ?? number;
      const bends = this.#board.moves.line(from, to, (one) => one === ticket) ?? bow(start, end);
      return [{ pawn, from, to, number, round, ticket, points: [start, ...bends, end] }];
    });
  }

  get #stations() {
    return new Map(this.#outline.stations.map(({ n, x, y }) => [n, { x, y }]));
  }

  // Return the stations visited in a number of moves.
  /** @param {number} walked */
  #places(walked) {
    const all = this.#stations;
    const been = this.#routes.flatMap(({ stations }) => stations.slice(0, walked));
    return new Map(been.flatMap((n) => [[n, all.get(n)]]).filter((place) => isPlace(place)));
  }

  /** @type {(place: Place) => Drawn} */
  #drawDisc({ n, x, y, radius, numbered }) {
    const first = Math.min(...this.#routes.map(({ stations }) => stations.indexOf(n)).filter((at) => at >= 0));
    const size = radius * (n < 100 ? 1.05 : NUMBER);
    const text = svg("text", { x, y: y + 0.36 * size, "font-size": size.toFixed(1) }, String(n));
    const parts = [svg("circle", { cx: x, cy: y, r: radius }), ...(numbered ? [text] : [])];
    const ring = svg("circle", { class: "caught", "data-of": this.caught.by, cx: x, cy: y, r: radius + 6 });
    if (n === this.caught.at) parts.unshift(ring);
    return { element: svg("g", { class: "place", "data-place": n }, ...parts), number: first };
  }

  // Draw a badge for each leg where it hides nothing. If there is no space, older badges are left out first.
  /** @type {(legs: Leg[], discs: Place[]) => Drawn[]} */
  #drawBadges(legs, discs) {
    const size = parseFloat(getComputedStyle(document.documentElement).fontSize) || TEXT; // larger on a wall screen
    const unit = size / TEXT / (this.#board.zoom.scale || 1);
    /** @type {Box[]} */
    const taken = discs.map(({ x, y, radius }) => ({ x, y, wide: 2 * radius, high: 2 * radius }));
    for (const { left, right, top, bottom } of this.#board.layers?.pawns.bodies() ?? []) {
      taken.push({ x: (left + right) / 2, y: (top + bottom) / 2, wide: right - left, high: bottom - top });
    }
    const groups = this.#radius * this.#board.zoom.scale < ROOMY ? [] : grouped(legs).reverse();
    return groups.flatMap(({ leg, rounds }) => {
      const text = rounds.join(", ");
      const ticket = leg.ticket ? BADGE.ticket + BADGE.gap : 0;
      const wide = (text.length * BADGE.digit + ticket + 2 * BADGE.pad) * unit;
      const box = freest(leg.points, { wide, high: BADGE.high * unit }, taken, this.#outline);
      if (box === null) return [];
      taken.push(box);
      return [{ element: badge(text, leg.ticket, box, unit), number: leg.number }];
    });
  }
}

// Return the legs without older ones between the same two stations.
/** @param {Leg[]} legs in the order of their moves */
function last(legs) {
  return [...new Map(legs.map((leg) => [`${leg.pawn} ${pair(leg)}`, leg])).values()];
}

// Return the legs. If both pawns went the same way, the second pawn's leg is beside the first one's.
/** @param {Leg[]} legs one pawn's after the other's */
function beside(legs) {
  const [first] = legs;
  const walked = new Set(legs.filter(({ pawn }) => pawn === first?.pawn).map(pair));
  return legs.map((leg) => {
    if (leg.pawn === first?.pawn || !walked.has(pair(leg))) return leg;
    return { ...leg, points: shifted(leg.points, leg.from < leg.to ? BESIDE : -BESIDE) };
  });
}

// Return points moved to the right of their direction.
/** @type {(points: Point[], far: number) => Point[]} */
function shifted(points, far) {
  const { dx, dy } = along([...points.slice(0, 1), ...points.slice(-1)], 0);
  return points.map(({ x, y }) => ({ x: x - dy * far, y: y + dx * far }));
}

// Return the points of a curve that passes beside the stations between two others.
/** @type {(start: Point, end: Point) => Point[]} */
function bow(start, end) {
  const [dx, dy] = [end.x - start.x, end.y - start.y];
  const middle = { x: (start.x + end.x) / 2 - 2 * BULGE * dy, y: (start.y + end.y) / 2 + 2 * BULGE * dx };
  return Array.from({ length: STEPS - 1 }, (_, n) => {
    const t = (n + 1) / STEPS;
    const at = (/** @type {"x" | "y"} */ axis) =>
      start[axis] * (1 - t) ** 2 + 2 * middle[axis] * t * (1 - t) + end[axis] * t ** 2;
    return { x: at("x"), y: at("y") };
  });
}

/** @param {Leg} leg */
function pair({ from, to }) {
  return `${Math.min(from, to)}-${Math.max(from, to)}`;
}

// Group the legs with the same way and ticket: return the newest leg of each group, and all rounds of the group.
/** @param {Leg[]} legs in the order of their moves */
function grouped(legs) {
  /** @type {Map<string, {leg: Leg, rounds: number[]}>} */
  const groups = new Map();
  for (const leg of legs) {
    const key = `${leg.pawn} ${leg.ticket} ${pair(leg)}`;
    groups.set(key, { leg, rounds: [...(groups.get(key)?.rounds ?? []), leg.round] });
  }
  return [...groups.values()];
}

/** @type {(leg: Leg, name: string, points: Point[]) => Drawn} */
function part({ pawn, from, to, number, ticket }, name, points) {
  const d = `M${points.map(({ x, y }) => `${tenths(x)} ${tenths(y)}`).join("L")}`;
  const line = () => svg("path", { d, pathLength: 1 });
  const look = { class: name, "data-of": pawn, "data-way": `${from}-${to}`, "data-ticket": ticket };
  const lines = name === "casing" ? [line()] : [line(), line()];
  lines.forEach((path, n) => path.setAttribute("class", name === "casing" ? "dark" : ["gold", "inside"][n] ?? ""));
  return { element: svg("g", look, ...lines), number };
}

/** @type {(text: string, ticket: string, box: Box, unit: number) => SVGGElement} */
function badge(text, ticket, { x, y, wide, high }, unit) {
  const half = [wide / unit / 2, high / unit / 2];
  const [left = 0, top = 0] = half.map((value) => -value);
  const plate = svg("rect", { class: "plate", x: left, y: top, width: -2 * left, height: -2 * top, rx: -top });
  const middle = left + BADGE.pad + (text.length * BADGE.digit) / 2;
  const count = svg("text", { x: middle, y: 4.5, "font-size": BADGE.text }, text);
  const transform = `translate(${tenths(x)} ${tenths(y)}) scale(${unit.toFixed(3)})`;
  const at = -left - BADGE.pad - BADGE.ticket / 2;
  return svg("g", { class: "badge", transform }, plate, count, ...ticketShape(ticket, at));
}

// Draw a ticket, notched at both sides, with its letter.
/** @type {(ticket: string, at: number) => SVGElement[]} */
function ticketShape(ticket, at) {
  if (!ticket) return [];
  const [left, right] = [at - BADGE.ticket / 2, at + BADGE.ticket / 2];
  const notch = `A${NOTCH} ${NOTCH} 0 0`;
  const d = `M${left} -8H${right}V-${NOTCH}${notch} 0 ${right} ${NOTCH}V8H${left}V${NOTCH}${notch} 0 ${left} -${NOTCH}Z`;
  return [
    svg("path", { class: "ticket-shape", "data-ticket": ticket, d }),
    svg("text", { class: "letter", "data-ticket": ticket, x: at, y: 4.5, "font-size": 12 }, ticketLetter(ticket)),
  ];
}

// Return where on a leg, or beside it, a badge hides nothing; null if it would hide something everywhere.
/** @type {(points: Point[], size: {wide: number, high: number}, taken: Box[], board: Outline) => ?Box} */
function freest(points, size, taken, { width, shown }) {
  const boxes = ALONG.flatMap((share) => {
    const { x, y, dx, dy } = along(points, share);
    const aside = (Math.abs(dy) * size.wide + Math.abs(dx) * size.high) / 2;
    const sides = ASIDE.flatMap((far) => [aside + far, -aside - far]);
    return [0, ...sides].map((far) => ({ x: x - dy * far, y: y + dx * far, ...size }));
  });
  const inside = boxes.filter(
    ({ x, y }) => within(x, size.wide, width + 2 * EDGE) && within(y, size.high, shown),
  );
  return inside.find((box) => taken.every((other) => !touches(box, other))) ?? null;
}

// Return a point of a line at a share of its length, and its direction there.
/** @type {(points: Point[], share: number) => {x: number, y: number, dx: number, dy: number}} */
function along(points, share) {
  const steps = points.slice(1).map(({ x, y }, n) => {
    const from = points[n] ?? { x, y };
    return { from, dx: x - from.x, dy: y - from.y, far: Math.hypot(x - from.x, y - from.y) || 1 };
  });
  let left = share * steps.reduce((sum, { far }) => sum + far, 0);
  for (const { from, dx, dy, far } of steps) {
    const [ux, uy] = [dx / far, dy / far];
    if (left <= far) return { x: from.x + ux * left, y: from.y + uy * left, dx: ux, dy: uy };
    left -= far;
  }
  return { x: 0, y: 0, ...points.at(-1), dx: 1, dy: 0 };
}

/** @type {(middle: number, size: number, room: number) => boolean} */
function within(middle, size, room) {
  return 2 * middle >= size && middle + size / 2 <= room;
}

/** @type {(one: Box, other: Box) => boolean} */
function touches(one, other) {
  return 2 * Math.abs(one.x - other.x) < one.wide + other.wide && 2 * Math.abs(one.y - other.y) < one.high + other.high;
}

/** @type {(place: (number | Point | undefined)[]) => place is [number, Point]} */
function isPlace([, point]) {
  return point !== undefined;
}

/** @param {number} value */
function tenths(value) {
  return Math.round(10 * value) / 10;
}
