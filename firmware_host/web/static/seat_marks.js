// What is drawn on Mister X's map for him alone: what tickets reach, where detectives may be next, what he plans.

import { pawnLetter, ticketLetter } from "./signs.js";
import { svg } from "./svg.js";

/** @import { Layers } from "./board.js" */
/** @import { Outline, Secrets, StationOutline } from "../messages.d.ts" */
/** @import { Step } from "./seat_choices.js" */

/** @type {Record<string, string>} */
const LETTERS = { stay: "✓", start: "✓" };
const SIZE = 11; // units from the middle of a ticket's mark to its edge
const RING = 31; // of the ring around a station that can be reached, in units
const SIDES = [90, 45, 135, 0, 180]; // of a ring at which its tickets may stand, in degrees, the best first
const PAWN = { wide: 22, high: 76 }; // units that his pawn takes, half as wide and as high above his station

/**
 * What is drawn.
 * @typedef {object} Drawn
 * @property {Secrets} secrets what he knows
 * @property {Step[]} moves what his next step may be
 * @property {Step[]} steps what he plans
 * @property {?number} chosen the station for which a ticket is still to be chosen
 * @property {boolean} threats whether it is shown where detectives may be next
 */

/** The layer of his marks. */
export class SeatMarks {
  layer = svg("g", { id: "marks", "aria-hidden": "true" });

  /** Take everything off. */
  clear() {
    this.layer.replaceChildren();
  }

  /**
   * Draw all of it anew.
   * @param {Layers} layers those of the board
   * @param {Drawn} drawn what there is to be drawn
   */
  draw({ stations, outline }, { secrets, moves, steps, chosen, threats }) {
    const of = (/** @type {?number} */ n) => (n === null ? undefined : stations.byNumber.get(n));
    const ways = waysOf(moves);
    const dangers = dangersOf(secrets);
    const marks = [];
    if (threats) {
      for (const [n, pawns] of dangers) marks.push(...danger(of(n), pawns, ways.has(n)));
    }
    let from = of(secrets.at);
    if (from) marks.push(svg("circle", { class: "here", cx: from.x, cy: from.y, r: RING }));
    const free = freeOf(outline, from);
    for (const [n, tickets] of ways) marks.push(...reach(of(n), tickets, n === chosen, free));
    for (const [n, { to }] of steps.entries()) {
      const end = of(to);
      if (end) marks.push(...step(from, end, steps.length > 1 || n ? String(n + 1) : ""));
      from = end ?? from;
    }
    this.layer.replaceChildren(...marks);
  }
}

/**
 * Return by which tickets each station can be reached; a black one is told where it alone leads there.
 * @param {Step[]} moves the moves
 * @returns {Map<number, string[]>} station -> tickets
 */
export function waysOf(moves) {
  /** @type {Map<number, string[]>} */
  const ways = new Map();
  for (const { to, ticket } of moves) ways.set(to, [...(ways.get(to) ?? []), ticket]);
  return new Map(
    [...ways].map(([to, tickets]) => [to, tickets.length > 1 ? tickets.filter((one) => one !== "black") : tickets]),
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
/** @typedef {(station: StationOutline, at: Point) => boolean} IsFree */

// Return what tells whether a mark of one station may stand at a point: on no other's number, and not behind his pawn.
/** @type {(outline: Outline, his: StationOutline | undefined) => IsFree} */
function freeOf({ stations, radius }, his) {
  const behind = (/** @type {Point} */ { x, y }) =>
    his && Math.abs(x - his.x) < PAWN.wide && y < his.y + SIZE && y > his.y - PAWN.high;
  return (station, at) =>
    !behind(at) && stations.every(({ n, x, y }) => n === station.n || Math.hypot(x - at.x, y - at.y) > radius + SIZE);
}

// Return where the marks of some tickets stand at a side of a ring: next to each other, or at its left and right above.
/** @type {(station: StationOutline, count: number, side: number) => Point[]} */
function marksAt({ x, y }, count, side) {
  const turn = (side * Math.PI) / 180;
  const [ux, uy] = [Math.cos(turn), Math.sin(turn)];
  const [cx, cy] = [x + ux * (RING + SIZE - 4), y + uy * (RING + SIZE - 4)];
  const across = Math.abs(uy) > 0.1;
  return Array.from({ length: count }, (_, n) => {
    const far = (n - (count - 1) / 2) * (2 * SIZE + 2);
    return across ? { x: cx + far, y: cy } : { x: cx, y: cy + far };
  });
}

// A station that can be reached: a ring, and at its plate a mark for each ticket: a disc, a square, a rhomb.
/** @type {(station: StationOutline | undefined, tickets: string[], chosen: boolean, free: IsFree) => SVGElement[]} */
function reach(station, tickets, chosen, free) {
  if (!station) return [];
  const { x, y } = station;
  const ring = { cx: x, cy: y, r: RING };
  const paid = tickets.filter((ticket) => ticket !== "free");
  const sides = SIDES.map((side) => marksAt(station, paid.length, side));
  const places = sides.find((some) => some.every((at) => free(station, at))) ?? sides[0] ?? [];
  const signs = paid.map((ticket, n) => {
    const at = places[n] ?? station;
    return svg("g", { class: "sign", "data-ticket": ticket }, shape(ticket, at), letter(LETTERS[ticket] ?? ticketLetter(ticket), at));
  });
  return [
    svg("circle", { class: "reach case", ...ring }),
    svg("circle", { class: chosen ? "reach chosen" : "reach", ...ring }),
    ...signs,
  ];
}

/** @type {(ticket: string, at: {x: number, y: number}) => SVGElement} */
function shape(ticket, { x, y }) {
  const s = SIZE;
  if (ticket === "taxi") return svg("circle", { cx: x, cy: y, r: s });
  if (ticket === "underground") return svg("path", { d: `M${x} ${y - s - 3}l${s + 3} ${s + 3}l${-s - 3} ${s + 3}l${-s - 3} ${-s - 3}z` });
  if (ticket === "black") return svg("path", { d: `M${x} ${y - s - 1}l${s + 1} ${2 * s}h${-2 * s - 2}z` });
  return svg("rect", { x: x - s, y: y - s, width: 2 * s, height: 2 * s, rx: 2 });
}

/** @type {(text: string, at: {x: number, y: number}) => SVGElement} */
function letter(text, { x, y }) {
  return svg("text", { x, y: y + 5 }, text);
}

// A station where a detective may be next: a dotted ring, and the letters of those who may.
/** @type {(station: StationOutline | undefined, pawns: string[], reached: boolean) => SVGElement[]} */
function danger(station, pawns, reached) {
  if (!station) return [];
  const { x, y } = station;
  const letters = pawns.map(pawnLetter).join("");
  return [
    svg("circle", { class: "danger", cx: x, cy: y, r: reached ? RING + 7 : RING - 4 }),
    svg("text", { class: "danger", x, y: y - RING - (reached ? 9 : -1) }, letters),
  ];
}

// A step of the plan: an arrow from station to station, and its number.
/** @type {(from: StationOutline | undefined, to: StationOutline, number: string) => SVGElement[]} */
function step(from, to, number) {
  /** @type {SVGElement[]} */
  const marks = [svg("circle", { class: "planned", cx: to.x, cy: to.y, r: RING })];
  if (from && from !== to) {
    const far = Math.hypot(to.x - from.x, to.y - from.y);
    const [ux, uy] = [(to.x - from.x) / far, (to.y - from.y) / far];
    const [sx, sy] = [from.x + ux * RING, from.y + uy * RING];
    const tip = Math.min(RING, Math.max(far / 2 - 6, 0)); // between the two numbers, however near they are
    const [ex, ey] = [to.x - ux * (tip + 12), to.y - uy * (tip + 12)];
    const head = `M${to.x - ux * tip} ${to.y - uy * tip}L${ex - uy * 9} ${ey + ux * 9}L${ex + uy * 9} ${ey - ux * 9}z`;
    if (far > 2 * RING + 12) marks.unshift(svg("path", { class: "arrow case", d: `M${sx} ${sy}L${ex} ${ey}` }), svg("path", { class: "arrow", d: `M${sx} ${sy}L${ex} ${ey}` }));
    marks.push(svg("path", { class: "head", d: head }));
  }
  if (number) marks.push(svg("circle", { class: "number", cx: to.x + RING - 4, cy: to.y - RING + 4, r: 12 }), svg("text", { class: "number", x: to.x + RING - 4, y: to.y - RING + 9 }, number));
  return marks;
}
