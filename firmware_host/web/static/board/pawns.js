// The pawns on the board: their shapes, and where they stand.

import { renewChildren } from "../page/elements.js";
import { gettext } from "../wording/gettext.js";
import { glide, glideAlong } from "../moments/glide.js";
import { svg } from "../page/svg.js";
import { pawnName } from "../wording/pawn_and_ticket_names.js";

/** @import { Outline } from "../../messages.d.ts" */
/** @import { PawnMoves } from "../moments/pawn_moves.js" */

/** @typedef {{x: number, y: number}} Point */
/** @typedef {Point & {at: ?number, lifted: boolean}} Place where a pawn is, its station, whether a hand has it */
/** @typedef {Map<number, string[]>} Groups station -> the pawns on it, as they stand side by side */

/** All pawns there are, in the order in which they stand side by side. */
const PAWNS = ["red", "yellow", "green", "blue", "purple", "white", "mr_x", "mr_x_junior"];

const TALL = 35; // units that a pawn is high as it is drawn
const SMALLEST = 30; // pixels that a pawn is high, where it would look smaller, or
const BESIDE_TEXT = 1.75; // times as high as the text is large, which is more on a television; but for
const LARGEST = 1.9; // times as large as it is drawn
const USUAL = 17; // units that a plate's radius has beside which a pawn looks right as it is drawn

/** @type {[number, number][]} */
const FEET = [
  [0, -0.78],
  [0.75, -0.6],
  [-0.75, -0.6],
  [1.35, 0.3],
  [-1.35, 0.3],
]; // where on its plate's edge a pawn may stand, in radii; the first looks best

// On artwork a pawn stands beside the plate of its station's number, never on it.
const PLATE = { wide: 1.353, high: 0.692 }; // half of it, in radii
const RING = 1.862; // radius of a pawn's ring there, outside of its station's lamp, in radii
const ASIDE = 0.912; // how far beside the middle a pawn may stand above its plate, in radii

function shape() {
  return [
    svg("ellipse", { class: "shadow", cx: 5, cy: 1, rx: 13, ry: 4.5 }),
    svg(
      "g",
      { class: "body" },
      svg("path", { d: "M-11 0V-5L-7-9-4-20H4L7-9 11-5V0Q0 3.5-11 0Z" }),
      svg("circle", { cy: -25, r: 8 }),
      svg("ellipse", { class: "shine", cx: -2.8, cy: -27.8, rx: 2.3, ry: 2 }),
      svg("path", { class: "mark", d: "M-3-28.5 3-21.5M3-28.5-3-21.5" }),
    ),
  ];
}

/**
 * Draw a pawn as a small picture of its own.
 * @param {string} pawn such as "red" or "mr_x"
 * @returns {SVGSVGElement} the picture
 */
export function pawnPicture(pawn) {
  return svg("svg", { class: `pawn ${pawn}`, viewBox: "-16 -36 32 42", "aria-hidden": "true" }, ...shape());
}

/** The pawns of a board. */
export class Pawns {
  #board;
  #size = 1;
  #onArtwork = false;
  /** @type {Map<number, Point>} */
  #feet = new Map();
  /** @type {Map<string, SVGGElement>} */
  #drawn = new Map();
  /** @type {Map<string, Place>} */
  #placed = new Map();
  /** @type {Map<string, number>} */
  #stood = new Map(); // pawn -> the station on which it was drawn last
  /** @type {Map<string, Point>} */
  #drawnAt = new Map();
  #newest = ""; // what was drawn last, in words; "" where all is to be drawn anew
  #moves;

  /**
   * @param {Outline} board on which they stand
   * @param {?PawnMoves} moves knows the ways that pawns take
   */
  constructor(board, moves = null) {
    this.#moves = moves;
    this.rings = svg("g", { id: "rings" });
    this.layer = svg("g", { id: "pawns" });
    this.stations = new Map(board.stations.map((station) => [station.n, station]));
    this.#board = board;
  }

  /**
   * Keep pawns large enough to be gripped.
   * @param {number} pixels that one unit of the drawing has now
   */
  setScale(pixels) {
    const size = this.#sizeAt(pixels);
    if (Math.abs(size - this.#size) < 0.01) return;
    this.#size = size;
    this.#drawAnew();
  }

  /** @param {number} pixels */
  #sizeAt(pixels) {
    return Math.min(LARGEST, Math.max(1, this.#board.radius / USUAL, leastHigh() / (33 * pixels)));
  }

  /**
   * Stand as the board's drawing wants it.
   * @param {boolean} onArtwork whether stations have their numbers in plates of their own
   */
  setOnArtwork(onArtwork) {
    if (onArtwork === this.#onArtwork) return;
    this.#onArtwork = onArtwork;
    this.#drawAnew();
  }

  // Draw the pawns where they are, in another size or another way: they are not on their way, and do not glide.
  #drawAnew() {
    this.#feet.clear();
    this.#newest = "";
    this.#draw(this.#placed, false);
  }

  /**
   * Draw the pawns; nothing is touched, least of all a pawn on its way, where nothing has changed.
   * @param {Map<string, Place>} placed where each is, in units of the drawing
   */
  draw(placed) {
    this.#draw(placed, true);
  }

  /** @type {(placed: Map<string, Place>, glides: boolean) => void} */
  #draw(placed, glides) {
    this.#placed = placed;
    const newest = JSON.stringify([...placed]);
    if (newest === this.#newest) return;
    this.#newest = newest;
    for (const [pawn, element] of this.#drawn) {
      if (placed.has(pawn)) continue;
      element.remove();
      this.#drawn.delete(pawn);
      this.#drawnAt.delete(pawn);
      this.#stood.delete(pawn);
    }
    const groups = this.#groups();
    renewChildren(this.rings, ...this.#drawRings(groups));
    const all = [...placed].map(([pawn, place]) => ({ pawn, place, foot: this.#footOf(pawn, place, groups) }));
    all.sort((one, other) => Number(one.place.lifted) - Number(other.place.lifted) || one.foot.y - other.foot.y);
    /** @type {?SVGGElement} */
    let before = null; // the nearer hides the farther
    for (const { pawn, place, foot } of all) {
      const element = this.#element(pawn);
      element.classList.toggle("lifted", place.lifted);
      element.setAttribute("data-at", String(place.at ?? ""));
      element.setAttribute("tabindex", place.at === null && !place.lifted ? "0" : "-1");
      element.setAttribute("aria-label", label(pawn, place));
      /** @type {?ChildNode} */
      const next = before ? before.nextSibling : this.layer.firstChild;
      if (next !== element) this.layer.insertBefore(element, next);
      this.#bring(element, pawn, place, foot, glides);
      before = element;
    }
  }

  // Draw a pawn where it is; one that has left its station goes there along the line.
  /** @type {(element: SVGGElement, pawn: string, place: Place, foot: Point, glides: boolean) => void} */
  #bring(element, pawn, { at, lifted }, foot, glides) {
    const before = lifted ? null : this.#before(pawn, at);
    const was = element.style.getPropertyValue("transform");
    element.style.setProperty("transform", `translate(${foot.x}px, ${foot.y}px) scale(${this.#size})`);
    this.#drawnAt.set(pawn, foot);
    if (at !== null) this.#stood.set(pawn, at);
    if (lifted || !glides) return;
    const bends = before && this.#moves?.way(pawn, before.station, before.to);
    if (bends) glideAlong(element, before.foot, bends, foot, this.#size);
    else glide(element, was);
  }

  // Return the other station at which a pawn is still drawn, and where; null if it is drawn at none.
  /** @type {(pawn: string, at: ?number) => ?{station: number, foot: Point, to: number}} */
  #before(pawn, at) {
    const station = this.#stood.get(pawn);
    const foot = this.#drawnAt.get(pawn);
    if (at === null || station === undefined || station === at || !foot) return null;
    return this.#isAt(foot, station) ? { station, foot, to: at } : null;
  }

  /** @type {(point: Point, at: number) => boolean} */
  #isAt({ x, y }, at) {
    const station = this.stations.get(at);
    return station !== undefined && Math.hypot(station.x - x, station.y - y) < 3 * this.#board.radius;
  }

  /**
   * Find the pawn nearest to a point.
   * @param {number} x in units
   * @param {number} y in units
   * @param {number} slack how far beside its shape the point may be, in units
   * @param {string[]} first those that are meant if the point lies within their shapes
   * @returns {?{pawn: string, foot: Point}} the pawn and where its foot is; null if there is none
   */
  at(x, y, slack, first) {
    const groups = this.#groups();
    const near = [...this.#placed].flatMap(([pawn, place]) => {
      const foot = this.#footOf(pawn, place, groups);
      const up = Math.min(30 * this.#size, Math.max(0, foot.y - y));
      const away = Math.hypot(x - foot.x, foot.y - up - y) - 10 * this.#size;
      return away <= slack ? [{ pawn, foot, away, meant: away <= 0 && first.includes(pawn) }] : [];
    });
    near.sort((one, other) => Number(other.meant) - Number(one.meant) || one.away - other.away);
    return near[0] ?? null;
  }

  /**
   * The stations on which pawns stand.
   * @returns {number[]} their numbers
   */
  get standing() {
    return [...this.#groups().keys()];
  }

  /**
   * Return the room that the pawns on stations take.
   * @returns {{left: number, top: number, right: number, bottom: number}[]} a box for each, in units
   */
  bodies() {
    const groups = this.#groups();
    return [...this.#placed].flatMap(([pawn, place]) => {
      if (place.at === null) return [];
      const { x, y } = this.#footOf(pawn, place, groups);
      const size = this.#size;
      return [{ left: x - 12 * size, top: y - TALL * size, right: x + 12 * size, bottom: y + 4 * size }];
    });
  }

  /**
   * Return where a pawn is drawn: side by side with the others on its station, clear of other numbers.
   * @param {string} pawn one that is on the board
   * @returns {Point} in units
   * @throws {Error} it is not on the board
   */
  footOf(pawn) {
    const place = this.#placed.get(pawn);
    if (!place) throw new Error(`${pawn} is not on the board`);
    return this.#footOf(pawn, place, this.#groups());
  }

  /** @type {(pawn: string, place: Place, groups: Groups) => Point} */
  #footOf(pawn, { x, y, at }, groups) {
    const group = at === null ? undefined : groups.get(at);
    if (at === null || !group) return { x, y };
    const foot = this.#freeEdge(at);
    return { x: foot.x + (group.indexOf(pawn) - (group.length - 1) / 2) * 22 * this.#size, y: foot.y };
  }

  #groups() {
    /** @type {Groups} */
    const groups = new Map();
    for (const pawn of PAWNS) {
      const at = this.#placed.get(pawn)?.at ?? null;
      if (at === null || !this.stations.has(at)) continue;
      groups.set(at, [...(groups.get(at) ?? []), pawn]);
    }
    return groups;
  }

  /** @param {Groups} groups */
  #drawRings(groups) {
    return [...groups].flatMap(([at, group]) => {
      const { x, y } = this.#station(at);
      return group.map((pawn, n) =>
        svg("circle", { class: `ring ${pawn}`, cx: x, cy: y, r: (this.#onArtwork ? RING * this.#board.radius : this.#board.radius + 3.5) + 4 * n }),
      );
    });
  }

  /** @param {string} pawn */
  #element(pawn) {
    const drawn = this.#drawn.get(pawn);
    if (drawn) return drawn;
    const element = svg("g", { class: `pawn ${pawn}`, "data-pawn": pawn, role: "button" }, ...shape());
    this.#drawn.set(pawn, element);
    this.layer.append(element);
    return element;
  }

  /** @param {number} at */
  #station(at) {
    const station = this.stations.get(at);
    if (!station) throw new Error(`there is no station ${at}`);
    return station;
  }

  // Return where a pawn may stand, in units from its station; the first looks best.
  /** @returns {[number, number][]} */
  #steps() {
    if (!this.#onArtwork) return FEET.map(([dx, dy]) => [dx * this.#board.radius, dy * this.#board.radius]);
    const { radius } = this.#board;
    const above = -PLATE.high * radius - 3.6 * this.#size;
    const beside = PLATE.wide * radius + 11.6 * this.#size;
    return [
      [0, above],
      [ASIDE * radius, above],
      [-ASIDE * radius, above],
      [beside, 4],
      [-beside, 4],
    ];
  }

  // Return where on its plate's edge a pawn stands so as to hide no other number; straight on top looks best.
  /** @param {number} at a station */
  #freeEdge(at) {
    const known = this.#feet.get(at);
    if (known) return known;
    const { x, y } = this.#station(at);
    const radius = this.#board.radius;
    const near = 3 * radius + 60; // whatever is farther is clear of all these places
    const others = this.#board.stations.filter((o) => o.n !== at && Math.hypot(o.x - x, o.y - y) < near);
    const room = (/** @type {Point} */ foot) =>
      Math.min(...others.flatMap((o) => [6, 16, 26].map((up) => Math.hypot(o.x - foot.x, o.y - foot.y + up))));
    const feet = this.#steps().map(([dx, dy]) => {
      const foot = { x: x + dx, y: y + dy };
      return { ...foot, clear: Math.min(room(foot), radius + 9) }; // clear of every plate is clear enough
    });
    const best = feet.reduce((one, other) => (other.clear > one.clear ? other : one));
    this.#feet.set(at, best);
    return best;
  }
}

let least = 0; // pixels that a pawn is high at least; 0 until it is known
addEventListener("resize", () => (least = 0)); // text may be larger in another window

// Return how high a pawn is at least, in pixels. The text's size is asked for once: that styles all of the page.
function leastHigh() {
  least ||= Math.max(SMALLEST, BESIDE_TEXT * parseFloat(getComputedStyle(document.documentElement).fontSize));
  return least;
}

/** @type {(pawn: string, place: Place) => string} */
function label(pawn, { at, lifted }) {
  const name = pawnName(pawn);
  if (at !== null) return gettext("{pawn}, on station {station}", { pawn: name, station: at });
  return lifted ? gettext("{pawn}, in a hand", { pawn: name }) : gettext("{pawn}, on the bare board", { pawn: name });
}
