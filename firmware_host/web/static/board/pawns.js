// The pawns on the board: their shapes, and where they stand.

import { renewChildren } from "../page/elements.js";
import { gettext } from "../wording/gettext.js";
import { glide, glideAlong } from "../moments/glide.js";
import { body, PawnStands } from "./pawn_stands.js";
import { svg } from "../page/svg.js";
import { pawnName } from "../wording/pawn_and_ticket_names.js";
import { pawnLetter } from "../wording/signs.js";

/** @import { BoardMessage, Outline, ReplayBoard } from "../../messages.d.ts" */
/** @import { PawnMoves } from "../moments/pawn_moves.js" */
/** @import { Stand } from "./pawn_stands.js" */

/** @typedef {{x: number, y: number}} Point */
/**
 * Where a pawn is, its station, whether a hand has it, and whether it has yet to be set down there.
 * @typedef {Point & {at: ?number, lifted: boolean, ghost?: boolean}} Place
 */
/** @typedef {Map<number, string[]>} Groups station -> the pawns on it, as they stand side by side */

/** All pawns there are, in the order in which they stand side by side. */
const PAWNS = ["red", "yellow", "green", "blue", "purple", "white", "mr_x", "mr_x_junior"];

const TALL = 35; // units that a pawn is high as it is drawn
const SMALLEST = 36; // pixels that a pawn is high, where it would look smaller, or
const BESIDE_TEXT = 1.75; // times as high as the text is large, which is more on a television; but for
const LARGEST = 1.9; // times as large as it is drawn
const USUAL = 17; // units that a plate's radius has beside which a pawn looks right as it is drawn

const RING = 1.862; // radius of a pawn's ring on artwork, outside of its station's lamp, in radii
const GRIP = 10; // half as wide as a pawn is where it can be gripped

/** @type {Record<string, number>} */
const GROWN = { mr_x: 1.5, mr_x_junior: 1.15 }; // how many times as large as detectives' pawns others are

// Mister X and X Junior wear a coat and a hat.
const COAT =
  "M-10-.6C-9.7-6.7-8.8-13.2-8-16.6-7.5-18.8-6-19.5-4.6-20L-4.2-23.2-9-24.2C-10.6-24.6-10.3-25.9-8.7-26.1L-5.4-26.5" +
  "C-5.3-29.4-5-32.6-3-33.2-1.9-33.4-1.1-32.4 0-32.4S1.9-33.4 3-33.2C5-32.6 5.3-29.4 5.4-26.5L8.7-26.1" +
  "C10.3-25.9 10.6-24.6 9-24.2L4.2-23.2 4.6-20C6-19.5 7.5-18.8 8-16.6 8.8-13.2 9.7-6.7 10-.6Q0 3.2-10-.6Z";
const SEAMS = "M-4.2-19.6 0-11.5 4.2-19.6M0-11.5V.8M-5.2-27.4Q0-26.2 5.2-27.4";

/** @type {(pawn: string) => SVGElement[]} */
function shape(pawn) {
  const letter = pawnLetter(pawn); // not every eye sees one pawn's colour from another's
  const figure =
    pawn in GROWN
      ? [...["case", "outline", "coat"].map((part) => svg("path", { class: part, d: COAT })), svg("path", { class: "seams", d: SEAMS })]
      : [
          svg("path", { d: "M-11 0V-5L-7-9-4-20H4L7-9 11-5V0Q0 3.5-11 0Z" }),
          svg("circle", { cy: -25, r: 8 }),
          svg("ellipse", { class: "shine", cx: -2.8, cy: -27.8, rx: 2.3, ry: 2 }),
          svg("text", { class: "initial", y: -0.8, "font-size": letter.length > 1 ? 10 : 12, "aria-hidden": "true" }, letter),
        ];
  return [svg("ellipse", { class: "shadow", cx: 5, cy: 1, rx: 13, ry: 4.5 }), svg("g", { class: "body" }, ...figure)];
}

/**
 * Draw a pawn as a small picture of its own.
 * @param {string} pawn such as "red" or "mr_x"
 * @returns {SVGSVGElement} the picture
 */
export function pawnPicture(pawn) {
  const picture = svg("svg", { class: `pawn ${pawn}`, viewBox: "-16 -36 32 42", "aria-hidden": "true" }, ...shape(pawn));
  picture.style.setProperty("--grown", String(GROWN[pawn] ?? 1));
  return picture;
}

/** The pawns of a board. */
export class Pawns {
  #board;
  #size = 1;
  #onArtwork = false;
  #places;
  /** @type {Map<string, Stand>} */
  #stands = new Map(); // of the pawns that stand on stations
  /** @type {Map<string, SVGGElement>} */
  #drawn = new Map();
  /** @type {Map<string, Place>} */
  #placed = new Map();
  /** @type {Map<string, number>} */
  #stood = new Map(); // pawn -> the station on which it was drawn last, as long as it was not carried off
  /** @type {Map<string, Point>} */
  #drawnAt = new Map();
  #newest = ""; // a text of the last drawing; "" forces a redraw
  #moves;

  /**
   * @param {Outline | BoardMessage | ReplayBoard} board the board
   * @param {?PawnMoves} moves knows the lines along which pawns move
   */
  constructor(board, moves = null) {
    this.#moves = moves;
    this.#places = new PawnStands(board);
    this.rings = svg("g", { id: "rings" });
    this.layer = svg("g", { id: "pawns" });
    this.stations = new Map(board.stations.map((station) => [station.n, station]));
    this.#board = board;
  }

  /**
   * Keep pawns large enough to be gripped.
   * @param {number} pixels the new number of pixels in a unit
   */
  setScale(pixels) {
    const size = this.#sizeAt(pixels);
    if (Math.abs(size - this.#size) < 0.01) return;
    this.#size = size;
    this.#redraw();
  }

  /** @param {number} pixels */
  #sizeAt(pixels) {
    return Math.min(LARGEST, Math.max(1, this.#board.radius / USUAL, leastHigh() / (33 * pixels)));
  }

  /**
   * Adapt the pawns to the board's drawing.
   * @param {boolean} onArtwork whether stations have separate plates for their numbers
   */
  setOnArtwork(onArtwork) {
    if (onArtwork === this.#onArtwork) return;
    this.#onArtwork = onArtwork;
    this.#places.setOnArtwork(onArtwork);
    this.#redraw();
  }

  /**
   * Lean away from the stations to which pawns may go.
   * @param {Iterable<number>} stations the stations
   */
  setTargets(stations) {
    if (this.#places.setTargets(stations)) this.#redraw();
  }

  // Redraw the pawns at their places after a change of size or look. They do not glide.
  #redraw() {
    this.#newest = "";
    this.#draw(this.#placed, false);
  }

  /**
   * Draw the pawns. A pawn that has not changed stays untouched, even while it moves.
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
    // Read all sizes before anything is written, because each read needs the style of the whole page.
    const drawn = glides ? [...this.#drawn] : [];
    const moving = new Set(drawn.filter(([, one]) => one.getAnimations().length).map(([pawn]) => pawn));
    const groups = this.#groups();
    const standing = (/** @type {string} */ pawn) => ({ pawn, size: this.#sizeOf(pawn) });
    this.#stands = this.#places.arrange(new Map([...groups].map(([at, group]) => [at, group.map(standing)])));
    renewChildren(this.rings, ...this.#drawRings(groups));
    const all = [...placed].map(([pawn, place]) => ({ pawn, place, foot: this.#standOf(pawn, place) }));
    all.sort((one, other) => Number(one.place.lifted) - Number(other.place.lifted) || one.foot.y - other.foot.y);
    /** @type {?SVGGElement} */
    let before = null; // the nearer hides the farther
    for (const { pawn, place, foot } of all) {
      const element = this.#element(pawn);
      element.classList.toggle("lifted", place.lifted);
      element.classList.toggle("ghost", place.ghost ?? false);
      element.setAttribute("data-at", String(place.at ?? ""));
      element.setAttribute("tabindex", place.at === null && !place.lifted ? "0" : "-1");
      element.setAttribute("aria-label", label(pawn, place));
      /** @type {?ChildNode} */
      const next = before ? before.nextSibling : this.layer.firstChild;
      if (next !== element) this.layer.insertBefore(element, next);
      this.#bring(element, pawn, place, foot, { glides, moving: moving.has(pawn) });
      before = element;
    }
  }

  // Draw a pawn at its place. A pawn that has left its station glides there along the line.
  /**
   * @typedef {{glides: boolean, moving: boolean}} Motion whether a pawn may glide, and whether it is on its way
   * @type {(element: SVGGElement, pawn: string, place: Place, foot: Stand, motion: Motion) => void}
   */
  #bring(element, pawn, { at, lifted }, foot, { glides, moving }) {
    const size = this.#sizeOf(pawn);
    const before = lifted ? null : this.#before(pawn, at);
    const stays = at !== null && at === this.#stood.get(pawn);
    const was = element.style.getPropertyValue("transform");
    element.style.setProperty("transform", `translate(${foot.x}px, ${foot.y}px) scale(${size})`);
    element.style.setProperty("--lean", `${foot.lean}deg`);
    this.#drawnAt.set(pawn, foot);
    if (at !== null) this.#stood.set(pawn, at);
    else if (!this.#isNear(foot, this.#stood.get(pawn))) this.#stood.delete(pawn);
    if (lifted || !glides || (stays && moving)) return; // one on its way to a station goes on
    const bends = before && this.#moves?.way(pawn, before.station, before.to);
    if (bends) glideAlong(element, before.foot, bends, foot, size);
    else glide(element, was);
  }

  // Return the other station at which a pawn is still drawn, and its place; null if there is none.
  /** @type {(pawn: string, at: ?number) => ?{station: number, foot: Point, to: number}} */
  #before(pawn, at) {
    const station = this.#stood.get(pawn);
    const foot = this.#drawnAt.get(pawn);
    if (at === null || station === undefined || station === at || !foot) return null;
    return { station, foot, to: at };
  }

  // Return whether a pawn in a hand or on the bare board is as near to a station as if it had not left it.
  /** @type {(point: Point, at: number | undefined) => boolean} */
  #isNear({ x, y }, at) {
    const station = at === undefined ? undefined : this.stations.get(at);
    return station !== undefined && Math.hypot(station.x - x, station.y - y) < 3 * this.#board.radius;
  }

  /**
   * Find the pawn nearest to a point.
   * @param {number} x in units
   * @param {number} y in units
   * @param {number} slack how far beside its shape the point may be, in units
   * @param {string[]} first the pawns that win if the point is within their shapes
   * @returns {?{pawn: string, foot: Point}} the pawn and where its foot is; null if there is none
   */
  at(x, y, slack, first) {
    const near = [...this.#placed].flatMap(([pawn, place]) => {
      const foot = this.#standOf(pawn, place);
      const size = this.#sizeOf(pawn);
      const far = [foot, ...body(foot, size)].map((point) => Math.hypot(point.x - x, point.y - y));
      const away = Math.min(...far) - GRIP * size;
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
    return [...this.#placed].flatMap(([pawn, place]) => {
      if (place.at === null) return [];
      const { x, y, lean } = this.#standOf(pawn, place);
      const size = this.#sizeOf(pawn);
      const aside = TALL * size * Math.sin((lean * Math.PI) / 180); // how far right of its foot its head is
      const [left, right] = [x + Math.min(0, aside) - 12 * size, x + Math.max(0, aside) + 12 * size];
      return [{ left, top: y - TALL * size, right, bottom: y + 4 * size }];
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
    return this.#standOf(pawn, place);
  }

  // Return where a pawn is drawn. On the bare board or in a hand it is upright, at its own place.
  /** @type {(pawn: string, place: Place) => Stand} */
  #standOf(pawn, { x, y }) {
    return this.#stands.get(pawn) ?? { x, y, lean: 0 };
  }

  /** @param {string} pawn */
  #sizeOf(pawn) {
    return this.#size * (GROWN[pawn] ?? 1);
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
      const first = this.#onArtwork ? RING * this.#board.radius : this.#board.radius + 3.5;
      return group.flatMap((pawn, n) => {
        const ring = { cx: x, cy: y, r: first + 4 * n };
        const circle = svg("circle", { class: `ring ${pawn}`, ...ring });
        return pawn === "mr_x" ? [svg("circle", { class: "ring case", ...ring }), circle] : [circle];
      });
    });
  }

  /** @param {string} pawn */
  #element(pawn) {
    const drawn = this.#drawn.get(pawn);
    if (drawn) return drawn;
    const element = svg("g", { class: `pawn ${pawn}`, "data-pawn": pawn, role: "button" }, ...shape(pawn));
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
}

let least = 0; // pixels that a pawn is high at least; 0 until it is known
addEventListener("resize", () => (least = 0)); // text may be larger in another window

// Return the least height of a pawn in pixels. Read the text's size only once, because that styles the whole page.
function leastHigh() {
  least ||= Math.max(SMALLEST, BESIDE_TEXT * parseFloat(getComputedStyle(document.documentElement).fontSize));
  return least;
}

/** @type {(pawn: string, place: Place) => string} */
function label(pawn, { at, lifted, ghost }) {
  const name = pawnName(pawn);
  if (at !== null && ghost) return gettext("{pawn}, to be set down on station {station}", { pawn: name, station: at });
  if (at !== null) return gettext("{pawn}, on station {station}", { pawn: name, station: at });
  return lifted ? gettext("{pawn}, in a hand", { pawn: name }) : gettext("{pawn}, on the bare board", { pawn: name });
}
