// Where a pawn may go: a halo around each station, and beside it the tickets that lead there. The rest of the map
// recedes. All pages use this: the table's, the spectators', Mister X's and the detectives'.

import { move as animate } from "../page/motion.js";
import { EDGE, svg } from "../page/svg.js";
import { ticketLetter } from "../wording/signs.js";

/** @import { GameScene, Outline, ReplayScene, StationOutline, TableScene } from "../../messages.d.ts" */
/** @import { PawnMoves } from "../moments/pawn_moves.js" */
/** @import { Pawns, Point } from "./pawns.js" */
/** @import { Veil } from "./veil.js" */

/** @typedef {{pawn: string, from: ?number, to: number, tickets: string[]}} TargetMove a move and what it may cost */
/**
 * The moves that pawns may make now.
 * @typedef {object} Reach
 * @property {TargetMove[]} moves the moves of the held pawn, or of all pawns that may move
 * @property {?{pawn: string, from: ?number, to: number}} asked the move with an open ticket question
 * @property {?number} over the station under the held pawn
 */
/** @typedef {{left: number, top: number, right: number, bottom: number}} Box in units */
/** @typedef {{station: StationOutline, r: number, kind: string, tickets: string[]}} Target */

const USUAL = 17; // units of a plate's radius on the board that these sizes fit:
const HALO = { widest: 27, narrowest: 22 }; // radius of a halo, which must not cover its neighbours' numbers
const NUMBER = { wide: 18, high: 9 }; // half of a number's plate
const TICKET = { wide: 28, high: 20, gap: 2, notch: 3.2 };
const LETTER = 17; // its size
const READABLE = 12; // the wanted least size of a letter, in pixels
const LARGEST = 1.7; // times the usual size: no letter is larger for that
const SIDES = [90, 45, 135, 0, 180, -90, -45, -135]; // sides of a halo for its tickets, in degrees, the best first
const PASSED = 1.4; // radius of the disc that stays free of a line which passes a station, in radii of its plate
const LINE = 0.5; // half of a line's width, in the same
const NEAR = 130; // units within which an obstacle may be in a ticket's way
const TRIM = 4; // units between a halo and the dots that lead to it
const COME = [{ opacity: 0, transform: "scale(0.7)" }, { opacity: 1, transform: "none" }];
const COMES = { duration: 120, easing: "ease-out" };
const SHAKE = { pixels: 6, times: 3, duration: 240, still: 1000 }; // in ms; still: with reduced motion

/** @type {Reach} */
export const NOTHING = { moves: [], asked: null, over: null };

/**
 * Return the moves that pawns may make in a scene.
 * @param {?TableScene} scene the table's scene
 * @param {string[]} hand the held pawns; perhaps none of them is on turn
 * @param {?number} [over] the station under one of them
 * @returns {Reach} the moves
 */
export function reachOf(scene, hand, over = null) {
  if (scene === null || scene.rules === null) return NOTHING;
  const wanted = hand.flatMap((pawn) => {
    const to = scene.set_down[pawn] ?? scene.mismatch.missing[pawn];
    return to === undefined ? [] : [{ pawn, from: null, to, tickets: [] }];
  });
  if (wanted.length) return { moves: wanted, asked: null, over };
  if (scene.phase === "carry_out") return { moves: [], asked: carriedOut(scene), over };
  if (scene.phase !== "play" || (scene.wrong && !hand.length)) return { ...NOTHING, over };
  const asked = askedMove(scene);
  const meant = asked && !hand.length ? [asked.pawn] : hand;
  const moves = scene.moves.filter(({ pawn }) => !meant.length || meant.includes(pawn));
  return { moves: moves.map((one) => ({ ...one, from: scene.pawns[one.pawn] ?? null })), asked, over };
}

// Return the move that the table asks about, if it asks for a ticket or a confirmation.
/** @type {(scene: GameScene | ReplayScene) => Reach["asked"]} */
function askedMove(scene) {
  const first = "asked" in scene ? scene.asked[0] : undefined;
  if (!first || !scene.moves.some(({ pawn, to }) => pawn === first.pawn && to === first.to)) return null;
  return { pawn: first.pawn, from: scene.pawns[first.pawn] ?? null, to: first.to };
}

// Return the computer's move that people still have to make on the board.
/** @type {(scene: GameScene | ReplayScene) => Reach["asked"]} */
function carriedOut(scene) {
  const moves = "last_moves" in scene ? scene.last_moves : [];
  return moves.find(({ pawn, to }) => scene.mismatch.missing[pawn] === to) ?? null;
}

/** The halos of a board. */
export class MoveTargets {
  layer = svg("g", { id: "targets", "aria-hidden": "true" });
  /** @type {Box[]} */
  tickets = []; // the space of each station's tickets,
  /** @type {Box[]} */
  halos = []; // and of its halo
  #board;
  #moves;
  #pawns;
  #veil;
  /** @type {Map<number, StationOutline>} */
  #stations;
  #unit; // the size of this board's stations; the usual size is 1
  #size; // the same for tickets
  /** @type {Map<number, number>} */
  #radii = new Map();
  #pixels = 1; // pixels a unit
  /** @type {Reach} */
  #reach = NOTHING;
  #shown = "";
  #reached = "";

  /**
   * @param {Outline} board the board with the stations
   * @param {PawnMoves} moves knows the lines along which pawns move
   * @param {Pawns} pawns the board's pawns, which no ticket may cover
   * @param {Veil} veil the veil over the map
   */
  constructor(board, moves, pawns, veil) {
    this.#board = board;
    this.#moves = moves;
    this.#pawns = pawns;
    this.#veil = veil;
    this.#stations = new Map(board.stations.map((station) => [station.n, station]));
    this.#unit = board.radius / USUAL;
    this.#size = this.#unit;
  }

  /**
   * Keep letters large enough to be read.
   * @param {number} pixels the new number of pixels in a unit
   */
  setScale(pixels) {
    this.#pixels = pixels;
    const size = Math.max(this.#unit, Math.min(LARGEST * this.#unit, READABLE / (LETTER * pixels)));
    if (Math.abs(size - this.#size) < 0.05) return;
    this.#size = size;
    this.show(this.#reach);
  }

  /**
   * Show where pawns may go, or remove all halos.
   * @param {Reach} reach the moves of the pawns
   */
  show(reach) {
    this.#reach = reach;
    const { standing } = this.#pawns;
    const reached = JSON.stringify(reach.moves);
    const shown = JSON.stringify([reached, reach.asked, reach.over, this.#size, standing]);
    if (shown === this.#shown) return;
    this.#shown = shown;
    const fresh = reached !== this.#reached;
    this.#reached = reached;
    this.#cutVeil(reach, standing);
    const marks = this.#marksOf(this.#targets(reach), this.#pawns.bodies());
    this.layer.replaceChildren(...this.#path(reach.asked), ...marks);
    if (fresh) for (const mark of marks) animate(mark, COME, COMES);
  }

  /**
   * Refuse a station that was pressed: it shakes, and all targets stay as they are.
   * @param {number} n its number
   */
  refuse(n) {
    const station = this.#stations.get(n);
    if (!station) return;
    const { x, y } = station;
    const { radius } = this.#board;
    const mark = this.#halo({ station, r: this.#radiusAt(station), kind: "refused", tickets: [] });
    const size = radius * (n < 100 ? 1.12 : 0.93);
    const number = svg("text", { x, y: y + size * 0.35, "font-size": size }, String(n));
    mark.append(svg("circle", { class: "plate", cx: x, cy: y, r: radius }), number);
    this.layer.append(mark);
    const far = SHAKE.pixels / this.#pixels;
    const steps = [0, ...Array.from({ length: 2 * SHAKE.times }, (_, step) => (step % 2 ? far : -far)), 0];
    const frames = steps.map((step) => ({ transform: `translateX(${step}px)` }));
    const shaking = animate(mark, frames, { duration: SHAKE.duration });
    if (shaking) shaking.addEventListener("finish", () => mark.remove());
    else setTimeout(() => mark.remove(), SHAKE.still);
  }

  /** @type {(reach: Reach) => Target[]} */
  #targets({ moves, asked, over }) {
    /** @type {Map<number, Set<string>>} */
    const ways = new Map();
    for (const { to, tickets } of moves) {
      const known = ways.get(to) ?? new Set();
      for (const ticket of tickets) known.add(ticket);
      ways.set(to, known);
    }
    for (const n of [over, asked?.to ?? null]) if (n !== null && !ways.has(n)) ways.set(n, new Set());
    return [...ways].flatMap(([n, all]) => {
      const station = this.#stations.get(n);
      if (!station) return [];
      const isOpen = moves.some(({ to }) => to === n);
      const kind = n === asked?.to ? "asked" : n !== over ? "open" : isOpen ? "chosen" : "barred";
      const paid = [...all].filter((ticket) => ticket !== "free");
      const tickets = paid.length > 1 ? paid.filter((ticket) => ticket !== "black") : paid;
      return [{ station, r: this.#radiusAt(station), kind, tickets: kind === "asked" ? [] : tickets }];
    });
  }

  // Return the radius of a station's halo, which must not cover the numbers of stations near it.
  /** @param {StationOutline} station */
  #radiusAt(station) {
    const known = this.#radii.get(station.n) ?? this.#radiusOf(station);
    this.#radii.set(station.n, known);
    return known;
  }

  /** @param {StationOutline} station */
  #radiusOf({ n, x, y }) {
    const others = this.#board.stations.filter((one) => one.n !== n).map((one) => Math.hypot(one.x - x, one.y - y));
    const room = Math.min(...others) / this.#unit - NUMBER.wide;
    return this.#unit * Math.max(HALO.narrowest, Math.min(HALO.widest, room));
  }

  /** @type {(reach: Reach, standing: number[]) => void} */
  #cutVeil({ moves }, standing) {
    const lines = moves.flatMap(({ from, to, tickets }) =>
      tickets.flatMap((ticket) => {
        const line = from === null ? null : this.#line(from, to, ticket);
        return line ? [line] : [];
      }),
    );
    const ends = moves.flatMap(({ from, to }) => [this.#stations.get(from ?? 0), this.#stations.get(to)]);
    const stand = moves.length ? standing.map((n) => this.#stations.get(n)) : [];
    this.#veil.cut(lines, [...ends, ...stand].filter((station) => station !== undefined));
  }

  // Return the line of a move, with both its stations; undefined if the move follows no line.
  /** @type {(from: number, to: number, ticket: string) => Point[] | undefined} */
  #line(from, to, ticket) {
    const [start, end] = [this.#stations.get(from), this.#stations.get(to)];
    const bends = this.#moves.line(from, to, (one) => one === ticket || ticket === "black" || ticket === "free");
    return bends && start && end ? [start, ...bends, end] : undefined;
  }

  // ---- drawing ----

  /** @type {(targets: Target[], bodies: Box[]) => SVGGElement[]} */
  #marksOf(targets, bodies) {
    const placed = (this.tickets = /** @type {Box[]} */ ([]));
    this.halos = targets.map(({ station, r }) => around(station, r, r));
    return targets.map((target) => {
      const { tickets } = target;
      const mark = this.#halo(target);
      if (!tickets.length) return mark;
      const box = this.#freeSide(target, targets, [...bodies, ...placed]);
      placed.push(box);
      const step = this.#size * (TICKET.wide + TICKET.gap);
      const left = box.left + (this.#size * TICKET.wide) / 2;
      const y = (box.top + box.bottom) / 2;
      const signs = tickets.map((ticket, n) => this.#ticket(ticket, { x: left + n * step, y }));
      mark.append(...signs);
      return mark;
    });
  }

  /** @param {Target} target */
  #halo({ station: { n, x, y }, r, kind }) {
    const asked = kind === "asked" ? this.#reach.asked : null;
    const mark = svg(
      "g",
      { class: `halo ${kind}`, "data-to": n },
      svg("circle", { class: "case", cx: x, cy: y, r, "stroke-width": 9 * this.#unit }),
      svg("circle", { class: "light", cx: x, cy: y, r, "stroke-width": 5 * this.#unit }),
    );
    mark.style.setProperty("transform-origin", `${x}px ${y}px`);
    if (asked) mark.setAttribute("data-pawn-colour", asked.pawn);
    return mark;
  }

  // Draw a ticket, notched at both ends, with its letter.
  /** @type {(ticket: string, at: Point) => SVGGElement} */
  #ticket(ticket, { x, y }) {
    const { wide, high, notch } = TICKET;
    const [w, h] = [wide / 2, high / 2];
    const letter = ticket === "start" ? "✓" : ticketLetter(ticket);
    const edge = `M${-w} ${-h}H${w}V${-notch}A${notch} ${notch} 0 0 0 ${w} ${notch}V${h}H${-w}V${notch}A${notch} ${notch} 0 0 0 ${-w} ${-notch}Z`;
    return svg(
      "g",
      { class: "sign", "data-ticket": ticket, transform: `translate(${x} ${y}) scale(${this.#size})` },
      svg("path", { d: edge }),
      svg("text", { y: 0.35 * LETTER, "font-size": letter.length > 1 ? LETTER - 3 : LETTER }, letter),
    );
  }

  // Return the place of a halo's tickets: below it, or at the side that covers least.
  /** @type {(target: Target, targets: Target[], obstacles: Box[]) => Box} */
  #freeSide({ station, r, tickets }, targets, obstacles) {
    const w = (this.#size * (tickets.length * (TICKET.wide + TICKET.gap) - TICKET.gap)) / 2;
    const h = (this.#size * TICKET.high) / 2;
    const isNear = (/** @type {Point} */ { x, y }) => Math.abs(x - station.x) < NEAR && Math.abs(y - station.y) < NEAR;
    const numbers = this.#board.stations
      .filter((one) => one.n !== station.n && isNear(one))
      .map((one) => around(one, this.#unit * NUMBER.wide, this.#unit * NUMBER.high));
    const halos = targets
      .filter((one) => one.station.n !== station.n && isNear(one.station))
      .map((one) => around(one.station, one.r, one.r));
    const cost = (/** @type {Box} */ box) =>
      sum(obstacles, box) * 2 + sum(numbers, box) * 3 + sum(halos, box) + this.#beside(box);
    const boxes = SIDES.map((side) => {
      const [ux, uy] = [Math.cos((side * Math.PI) / 180), Math.sin((side * Math.PI) / 180)];
      const at = { x: station.x + ux * (r + w - 2), y: station.y + uy * (r + h - 2) };
      return around(at, w, h);
    });
    const costs = boxes.map(cost);
    return boxes[costs.indexOf(Math.min(...costs))] ?? around(station, w, h);
  }

  // Return how much of a box is outside the board.
  /** @param {Box} box */
  #beside({ left, top, right, bottom }) {
    const { width, shown } = this.#board;
    return 100 * Math.max(0, -left, -top, right - width - 2 * EDGE, bottom - shown);
  }

  // Draw dots from a pawn to the station of the open ticket question.
  /** @param {Reach["asked"]} asked */
  #path(asked) {
    const from = asked && this.#stations.get(asked.from ?? 0);
    const to = asked && this.#stations.get(asked.to);
    if (!asked || !from || !to) return [];
    const line = this.#moves.line(from.n, to.n, () => true) ?? [];
    const points = trimmed([from, ...line, to], this.#radiusAt(from) + TRIM, this.#radiusAt(to) + TRIM);
    if (points.length < 2) return [];
    const d = `M${points.map(({ x, y }) => `${x} ${y}`).join("L")}`;
    const path = svg("g", { class: "way", "data-pawn-colour": asked.pawn }, svg("path", { class: "case", d }), svg("path", { class: "dots", d }));
    const all = { x: 0, y: 0, width: this.#board.width + 2 * EDGE, height: this.#board.shown };
    const mask = svg("mask", { id: "way-between", maskUnits: "userSpaceOnUse", ...all }, svg("rect", { ...all, fill: "#fff" }));
    mask.append(...passedStations(points, this.#board, [from.n, to.n]));
    path.setAttribute("mask", "url(#way-between)");
    return [mask, path];
  }
}

/**
 * Return the box around a point.
 * @param {Point} at its middle
 * @param {number} wide half of its width
 * @param {number} high half of its height
 * @returns {Box} the box
 */
export function around({ x, y }, wide, high) {
  return { left: x - wide, top: y - high, right: x + wide, bottom: y + high };
}

/**
 * Return whether two boxes have an area in common.
 * @param {Box} one a box
 * @param {Box} other another
 * @returns {boolean} true if they have
 */
export function touch(one, other) {
  return one.left < other.right && one.right > other.left && one.top < other.bottom && one.bottom > other.top;
}

// Return how much of a box others cover, in square units.
/** @type {(others: Box[], box: Box) => number} */
function sum(others, box) {
  return others.reduce((total, one) => {
    const wide = Math.min(one.right, box.right) - Math.max(one.left, box.left);
    const high = Math.min(one.bottom, box.bottom) - Math.max(one.top, box.top);
    return wide > 0 && high > 0 ? total + wide * high : total;
  }, 0);
}

/**
 * Return a line shortened at both ends.
 * @param {Point[]} points the line's points
 * @param {number} before how much is cut from its beginning, in units
 * @param {number} after how much is cut from its end, in units
 * @returns {Point[]} the rest; empty if the line is too short
 */
export function trimmed(points, before, after) {
  const start = cutStart(points, before);
  return cutStart(start.toReversed(), after).toReversed();
}

/**
 * Draw the discs that a mask takes out of a line, so that the line passes below the numbers of stations on its way.
 * @param {Point[]} points the line's points
 * @param {Outline} board the board with the stations
 * @param {number[]} ends the stations that the line joins
 * @returns {SVGElement[]} a black disc for each station that the line passes
 */
export function passedStations(points, { stations, radius }, ends) {
  const r = PASSED * radius;
  const passed = stations.filter((one) => !ends.includes(one.n) && distance(points, one) < r + LINE * radius);
  return passed.map(({ n, x, y }) => svg("circle", { class: "passed", "data-passed": n, cx: x, cy: y, r }));
}

// Return how far a point is from a line.
/** @type {(points: Point[], point: Point) => number} */
function distance(points, { x, y }) {
  const parts = points.slice(1).map((end, n) => {
    const start = points[n] ?? end;
    const [dx, dy] = [end.x - start.x, end.y - start.y];
    const along = ((x - start.x) * dx + (y - start.y) * dy) / (dx * dx + dy * dy || 1);
    const share = Math.max(0, Math.min(1, along));
    return Math.hypot(start.x + share * dx - x, start.y + share * dy - y);
  });
  return Math.min(...parts);
}

/** @type {(points: Point[], far: number) => Point[]} */
function cutStart(points, far) {
  let left = far;
  for (const [n, point] of points.entries()) {
    const next = points[n + 1];
    if (!next) return [];
    const length = Math.hypot(next.x - point.x, next.y - point.y);
    if (length > left) {
      const share = left / length;
      const first = { x: point.x + share * (next.x - point.x), y: point.y + share * (next.y - point.y) };
      return [first, ...points.slice(n + 1)];
    }
    left -= length;
  }
  return [];
}
