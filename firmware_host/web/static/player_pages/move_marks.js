// What is drawn on a player's own map besides where he may go: where detectives may be next, and what is planned.

import { pawnLetter } from "../wording/signs.js";
import { svg } from "../page/svg.js";

/** @import { Layers } from "../board/board.js" */
/** @import { Outline, Secrets, StationOutline } from "../../messages.d.ts" */
/** @import { Box } from "../board/move_targets.js" */
/** @import { Step } from "./player_choices.js" */

const RING = { widest: 31, narrowest: 22 }; // radius of the ring around a station that can be reached, in units
const NUMBER = { wide: 18, high: 9 }; // half of a number's plate, in units
const SIDES = [-90, -45, -135, 0, 180, 90]; // of a ring at which the letters of detectives may stand, the best first
const LETTER = { wide: 6, high: 11 }; // half of such a letter, with what is free around it
const PAWN = { wide: 22, high: 76 }; // units that the player's pawn takes, half as wide and as high above its station

/**
 * What is drawn.
 * @typedef {object} Drawn
 * @property {Secrets} secrets what he knows
 * @property {Step[]} moves what the next step may be
 * @property {Step[]} steps what he plans
 * @property {boolean} threats whether it is shown where detectives may be next
 */

/** The layer of the marks. */
export class MoveMarks {
  layer = svg("g", { id: "marks", "aria-hidden": "true" });
  /** @type {?Outline} */
  #outline = null;
  /** @type {Map<number, number>} */
  #rings = new Map(); // station -> the radius of its ring

  /** Take everything off. */
  clear() {
    this.layer.replaceChildren();
  }

  /**
   * Redraw all marks.
   * @param {Layers} layers the layers of the board
   * @param {Drawn} drawn the state to draw
   */
  draw({ stations, outline, targets }, { secrets, moves, steps, threats }) {
    const of = (/** @type {?number} */ n) => (n === null ? undefined : stations.byNumber.get(n));
    const reached = new Set(moves.map(({ to }) => to));
    const dangers = dangersOf(secrets);
    const marks = [];
    let from = of(secrets.at);
    const free = freeOf(outline, from, targets.tickets);
    if (threats) {
      for (const [n, pawns] of dangers) {
        marks.push(...danger(this.#ringed(outline, of(n)), pawns, reached.has(n), free));
      }
    }
    const here = this.#ringed(outline, from);
    if (here) marks.push(svg("circle", { class: "here", cx: here.x, cy: here.y, r: here.r }));
    for (const [n, { to }] of steps.entries()) {
      const end = this.#ringed(outline, of(to));
      if (end) marks.push(...step(this.#ringed(outline, from), end, steps.length > 1 || n ? String(n + 1) : ""));
      from = end ?? from;
    }
    this.layer.replaceChildren(...marks);
  }

  // Return a station with the radius of its ring: where others are near, it leaves them their numbers.
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
/** @typedef {(station: StationOutline, at: Point, wide: number) => boolean} IsFree for a mark half as wide */

// Return a test of whether a mark of one station may stand at a point: on no other's number, on no ticket,
// nor behind its pawn.
/** @type {(outline: Outline, his: StationOutline | undefined, tickets: Box[]) => IsFree} */
function freeOf({ stations, radius }, his, tickets) {
  const high = Math.max(NUMBER.high, radius / 2) + LETTER.high;
  const behind = (/** @type {Point} */ { x, y }) =>
    his && Math.abs(x - his.x) < PAWN.wide && y < his.y + LETTER.high && y > his.y - PAWN.high;
  const covers = (/** @type {Point} */ { x, y }, /** @type {number} */ wide) =>
    tickets.some(
      ({ left, top, right, bottom }) =>
        x + wide > left && x - wide < right && y + LETTER.wide > top && y - LETTER.wide < bottom,
    );
  return (station, at, wide) =>
    !behind(at) &&
    !covers(at, wide) &&
    stations.every(
      ({ n, x, y }) => n === station.n || Math.abs(x - at.x) > NUMBER.wide + wide || Math.abs(y - at.y) > high,
    );
}

// Return the point at a side of a station, in degrees, so far away.
/** @type {(station: Point, side: number, far: number) => Point} */
function atSide({ x, y }, side, far) {
  const turn = (side * Math.PI) / 180;
  return { x: x + Math.cos(turn) * far, y: y + Math.sin(turn) * far };
}

// A station where a detective may be next: a dotted ring, and the letters of those who may.
/** @type {(station: Ringed | undefined, pawns: string[], reached: boolean, free: IsFree) => SVGElement[]} */
function danger(station, pawns, reached, free) {
  if (!station) return [];
  const { x, y, r } = station;
  const letters = pawns.map(pawnLetter).join("");
  const sides = SIDES.map((side) => atSide(station, side, reached ? r + 14 : r + 4));
  const at = sides.find((one) => free(station, one, LETTER.wide * letters.length)) ?? sides[0] ?? station;
  return [
    svg("circle", { class: "danger", cx: x, cy: y, r: reached ? r + 7 : r - 4 }),
    svg("text", { class: "danger", x: at.x, y: at.y + 5 }, letters),
  ];
}

// A step of the plan: an arrow from station to station, and its number.
/** @type {(from: Ringed | undefined, to: Ringed, number: string) => SVGElement[]} */
function step(from, to, number) {
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
  if (number) marks.push(svg("circle", { class: "number", cx: to.x + to.r - 4, cy: to.y - to.r + 4, r: 12 }), svg("text", { class: "number", x: to.x + to.r - 4, y: to.y - to.r + 9 }, number));
  return marks;
}
