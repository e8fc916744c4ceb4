// Marks on a player's own map besides the reachable stations: where detectives may be next, and the planned moves.

import { around, touch } from "../board/move_targets.js";
import { pawnLetter } from "../wording/signs.js";
import { svg } from "../page/svg.js";

/** @import { Layers } from "../board/board.js" */
/** @import { Outline, Secrets, StationOutline } from "../../messages.d.ts" */
/** @import { Box } from "../board/move_targets.js" */
/** @import { Step } from "./player_choices.js" */

const RING = { widest: 31, narrowest: 22 }; // radius of the ring around a station that can be reached, in units
const NUMBER = { wide: 18, high: 9 }; // half of a number's plate, in units
const SIDES = [-90, -45, -135, 0, 180, 90, 45, 135]; // of a ring at which letters may stand, the best first
const LETTER = { size: 13, wide: 4.3, high: 4.8, outline: 2 }; // a detective's letter, and half of what it takes
const COUNT = { size: 14, radius: 12 }; // the number of a step, and its disc
const READABLE = 12; // the least size of letters and numbers, in pixels
const LARGEST = 1.8; // times the usual size; on a smaller map there are only the rings
const FARTHER = 9; // units that letters may be farther from their ring, where they are not free beside it

/**
 * The content of the layer.
 * @typedef {object} Drawn
 * @property {Secrets} secrets what he knows
 * @property {Step[]} moves the possible next steps
 * @property {Step[]} steps the planned steps
 * @property {boolean} threats whether to show where detectives may be next
 */

/** The layer of the marks. */
export class MoveMarks {
  layer = svg("g", { id: "marks", "aria-hidden": "true" });
  /** @type {?Outline} */
  #outline = null;
  /** @type {Map<number, number>} */
  #rings = new Map(); // station -> the radius of its ring
  #size = 1; // of letters and numbers; 0 where they are too small to be read
  /** @type {?[Layers, Drawn]} */
  #newest = null;

  /** Remove all marks. */
  clear() {
    this.#newest = null;
    this.layer.replaceChildren();
  }

  /**
   * Keep letters and numbers large enough to be read.
   * @param {number} pixels the new number of pixels in a unit
   */
  setScale(pixels) {
    const wanted = Math.max(1, Math.ceil((20 * READABLE) / (LETTER.size * pixels)) / 20);
    const size = wanted > LARGEST ? 0 : wanted;
    if (size === this.#size) return;
    this.#size = size;
    if (this.#newest) this.draw(...this.#newest);
  }

  /**
   * Redraw all marks.
   * @param {Layers} layers the layers of the board
   * @param {Drawn} drawn the state to draw
   */
  draw(layers, drawn) {
    this.#newest = [layers, drawn];
    const { stations, outline } = layers;
    const { secrets, steps, threats } = drawn;
    const of = (/** @type {?number} */ n) => this.#ringed(outline, n === null ? undefined : stations.byNumber.get(n));
    const marks = threats ? this.#dangers(layers, drawn) : [];
    let from = of(secrets.at);
    if (from) marks.push(svg("circle", { class: "here", cx: from.x, cy: from.y, r: from.r }));
    for (const [n, { to }] of steps.entries()) {
      const end = of(to);
      const count = this.#size && (steps.length > 1 || n) ? n + 1 : 0;
      if (end) marks.push(...step(from, end, count, this.#size));
      from = end ?? from;
    }
    this.layer.replaceChildren(...marks);
  }

  // Draw a dotted ring where detectives may be next, and the letters of these detectives.
  /** @type {(layers: Layers, drawn: Drawn) => SVGElement[]} */
  #dangers({ stations, outline, pawns: standing, targets }, { secrets, moves }) {
    const reached = new Set(moves.map(({ to }) => to));
    const taken = [...targets.tickets, ...standing.bodies()];
    const isFree = freeOf(outline, taken);
    return [...dangersOf(secrets)].flatMap(([n, pawns]) => {
      const station = this.#ringed(outline, stations.byNumber.get(n));
      if (!station) return [];
      const r = station.r + (reached.has(n) ? 7 : -4);
      const ring = svg("circle", { class: "danger", cx: station.x, cy: station.y, r });
      const letters = this.#letters({ ...station, r }, pawns, isFree);
      if (!letters) return [ring];
      taken.push(letters.box);
      return [ring, letters.element];
    });
  }

  // Draw the letters of the detectives who may be at a station next; null if there is no space for them.
  /** @type {(station: Ringed, pawns: string[], isFree: IsFree) => ?{element: SVGElement, box: Box}} */
  #letters(station, pawns, isFree) {
    const letters = pawns.map(pawnLetter).join("");
    if (!this.#size) return null;
    const wide = this.#size * (LETTER.wide * letters.length + LETTER.outline);
    const high = this.#size * (LETTER.high + LETTER.outline);
    const boxes = [0, FARTHER].flatMap((farther) =>
      SIDES.map((side) => around(atSide(station, side, station.r + high + farther), wide, high)),
    );
    const box = boxes.find((one) => isFree(station, one));
    if (!box) return null;
    const size = this.#size * LETTER.size;
    const at = { x: (box.left + box.right) / 2, y: (box.top + box.bottom) / 2 + 0.36 * size, "font-size": size };
    return { element: svg("text", { class: "danger", ...at }, letters), box };
  }

  // Return a station with the radius of its ring, which does not cover the numbers of near stations.
  /** @type {(outline: Outline, station: StationOutline | undefined) => Ringed | undefined} */
  #ringed(outline, station) {
    if (!station) return undefined;
    if (outline !== this.#outline) {
      this.#outline = outline;
      this.#rings = ringsOf(outline);
    }
    return { ...station, r: this.#rings.get(station.n) ?? RING.widest };
  }
}

/** @type {(outline: Outline) => Map<number, number>} */
function ringsOf({ stations }) {
  return new Map(
    stations.map(({ n, x, y }) => {
      const nearest = Math.min(...stations.filter((one) => one.n !== n).map((one) => Math.hypot(one.x - x, one.y - y)));
      return [n, Math.max(RING.narrowest, Math.min(RING.widest, nearest - NUMBER.wide))];
    }),
  );
}

/**
 * Return which detectives may be on each station after their next move.
 * @param {Secrets} secrets what Mister X knows
 * @returns {Map<number, string[]>} station -> detectives
 */
export function dangersOf({ threats }) {
  /** @type {Map<number, string[]>} */
  const dangers = new Map();
  for (const [pawn, stations] of Object.entries(threats)) {
    for (const n of stations) dangers.set(n, [...(dangers.get(n) ?? []), pawn]);
  }
  return dangers;
}

/** @typedef {{x: number, y: number}} Point in units */
/** @typedef {StationOutline & {r: number}} Ringed a station, and the radius of its ring */
/** @typedef {(station: StationOutline, box: Box) => boolean} IsFree whether a mark of a station may take a box */

// Return a test of whether a mark of a station may take a box: the box contains no other number or mark.
/** @type {(outline: Outline, taken: Box[]) => IsFree} */
function freeOf({ stations }, taken) {
  const numbers = stations.map((one) => ({ n: one.n, plate: around(one, NUMBER.wide, NUMBER.high) }));
  return (station, box) =>
    !taken.some((one) => touch(one, box)) &&
    numbers.every(({ n, plate }) => n === station.n || !touch(plate, box));
}

// Return the point at a side of a station (in degrees) at a distance.
/** @type {(station: Point, side: number, far: number) => Point} */
function atSide({ x, y }, side, far) {
  const turn = (side * Math.PI) / 180;
  return { x: x + Math.cos(turn) * far, y: y + Math.sin(turn) * far };
}

// Draw a step of the plan: an arrow from station to station, and its number, if it has one.
/** @type {(from: Ringed | undefined, to: Ringed, number: number, size: number) => SVGElement[]} */
function step(from, to, number, size) {
  /** @type {SVGElement[]} */
  const marks = [svg("circle", { class: "planned", cx: to.x, cy: to.y, r: to.r })];
  if (from && from.n !== to.n) {
    const far = Math.hypot(to.x - from.x, to.y - from.y);
    const [ux, uy] = [(to.x - from.x) / far, (to.y - from.y) / far];
    const [sx, sy] = [from.x + ux * from.r, from.y + uy * from.r];
    const tip = Math.min(to.r, Math.max(far / 2 - 6, 0)); // between the two numbers, however near they are
    const [ex, ey] = [to.x - ux * (tip + 12), to.y - uy * (tip + 12)];
    const head = `M${to.x - ux * tip} ${to.y - uy * tip}L${ex - uy * 9} ${ey + ux * 9}L${ex + uy * 9} ${ey - ux * 9}z`;
    if (far > from.r + to.r + 12) marks.unshift(svg("path", { class: "arrow case", d: `M${sx} ${sy}L${ex} ${ey}` }), svg("path", { class: "arrow", d: `M${sx} ${sy}L${ex} ${ey}` }));
    marks.push(svg("path", { class: "head", d: head }));
  }
  if (!number) return marks;
  const at = atSide(to, -45, to.r + 0.5 * COUNT.radius * size);
  const letter = { x: at.x, y: at.y + 0.36 * COUNT.size * size, "font-size": COUNT.size * size };
  marks.push(svg("circle", { class: "number", cx: at.x, cy: at.y, r: COUNT.radius * size }));
  marks.push(svg("text", { class: "number", ...letter }, String(number)));
  return marks;
}
