// The pawns on the board: their shapes, and where they stand.

import { pawnName } from "./wording.js";
import { svg } from "./svg.js";

/** All pawns there are, in the order in which they stand side by side. */
export const PAWNS = ["red", "yellow", "green", "blue", "purple", "white", "mr_x", "mr_x_junior"];

const SMALLEST = 30; // pixels that a pawn is high, where it would look smaller, but for
const LARGEST = 1.9; // times as large as it is drawn
const USUAL = 17; // units that a plate's radius has beside which a pawn looks right as it is drawn

function shape(pawn) {
  const parts = [
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
  return parts;
}

/**
 * A pawn as a small picture of its own.
 * @param {string} pawn such as "red" or "mr_x"
 * @returns {SVGElement}
 */
export function pawnPicture(pawn) {
  return svg("svg", { class: `pawn ${pawn}`, viewBox: "-16 -36 32 42", "aria-hidden": "true" }, ...shape(pawn));
}

export class Pawns {
  /** @param {object} board the "board" message */
  constructor(board) {
    this.rings = svg("g", { id: "rings" });
    this.layer = svg("g", { id: "pawns" });
    this.board = board;
    this.stations = new Map(board.stations.map((station) => [station.n, station]));
    this.feet = new Map();
    this.drawn = new Map();
    this.size = 1;
    this.placed = new Map();
  }

  /** One unit of the drawing is so many pixels now. */
  setScale(pixels) {
    const size = Math.min(LARGEST, Math.max(1, this.board.radius / USUAL, SMALLEST / (33 * pixels)));
    if (Math.abs(size - this.size) < 0.01) return;
    this.size = size;
    this.draw(this.placed);
  }

  /**
   * Pawns are here.
   * @param {Map<string, {x: number, y: number, at: ?number, lifted: boolean}>} placed in units of the drawing
   */
  draw(placed) {
    this.placed = placed;
    for (const [pawn, element] of this.drawn) {
      if (placed.has(pawn)) continue;
      element.remove();
      this.drawn.delete(pawn);
    }
    const together = this.#byStation();
    this.rings.replaceChildren(...this.#drawRings(together));
    const feet = [...placed].map(([pawn, place]) => [pawn, place, this.footOf(pawn, together)]);
    feet.sort(([, a, one], [, b, other]) => a.lifted - b.lifted || one.y - other.y); // the nearer hides the farther
    let before = null;
    for (const [pawn, place, { x, y }] of feet) {
      const element = this.#element(pawn);
      element.style.setProperty("transform", `translate(${x}px, ${y}px) scale(${this.size})`);
      element.classList.toggle("lifted", place.lifted);
      element.setAttribute("data-at", place.at ?? "");
      element.setAttribute("tabindex", place.at === null && !place.lifted ? 0 : -1);
      element.setAttribute("aria-label", label(pawn, place));
      if (before ? before.nextSibling !== element : this.layer.firstChild !== element) {
        this.layer.insertBefore(element, before ? before.nextSibling : this.layer.firstChild);
      }
      before = element;
    }
  }

  /** The pawn whose shape is at a point, or within `slack` units of it; the nearest one; null if there is none. */
  at(x, y, slack) {
    const together = this.#byStation();
    let best = null;
    for (const pawn of this.placed.keys()) {
      const foot = this.footOf(pawn, together);
      const up = Math.min(30 * this.size, Math.max(0, foot.y - y));
      const away = Math.hypot(x - foot.x, foot.y - up - y) - 10 * this.size;
      if (away <= slack && (best === null || away < best.away)) best = { pawn, away, foot };
    }
    return best;
  }

  /** Where a pawn is drawn: side by side with the others on its station, clear of other numbers. */
  footOf(pawn, together = this.#byStation()) {
    const { x, y, at } = this.placed.get(pawn);
    const group = at === null ? null : together.get(at);
    if (!group) return { x, y };
    const foot = this.#freeEdge(at);
    return { x: foot.x + (group.indexOf(pawn) - (group.length - 1) / 2) * 22 * this.size, y: foot.y };
  }

  #byStation() {
    const together = new Map();
    for (const pawn of PAWNS) {
      const at = this.placed.get(pawn)?.at ?? null;
      if (at === null || !this.stations.has(at)) continue;
      together.set(at, [...(together.get(at) ?? []), pawn]);
    }
    return together;
  }

  #drawRings(together) {
    return [...together].flatMap(([at, group]) => {
      const { x, y } = this.stations.get(at);
      return group.map((pawn, n) =>
        svg("circle", { class: `ring ${pawn}`, cx: x, cy: y, r: this.board.radius + 3.5 + 4 * n }),
      );
    });
  }

  #element(pawn) {
    if (!this.drawn.has(pawn)) {
      const element = svg("g", { class: `pawn ${pawn}`, "data-pawn": pawn, role: "button" }, ...shape(pawn));
      this.drawn.set(pawn, element);
      this.layer.append(element);
    }
    return this.drawn.get(pawn);
  }

  /** Where on its plate's edge a pawn stands so as to hide no other number; straight on top looks best. */
  #freeEdge(at) {
    if (this.feet.has(at)) return this.feet.get(at);
    const { x, y } = this.stations.get(at);
    const radius = this.board.radius;
    const others = this.board.stations.filter(({ n }) => n !== at);
    const room = (foot) =>
      Math.min(...others.flatMap((o) => [6, 16, 26].map((up) => Math.hypot(o.x - foot.x, o.y - foot.y + up))));
    const feet = [
      [0, -0.78],
      [0.75, -0.6],
      [-0.75, -0.6],
      [1.35, 0.3],
      [-1.35, 0.3],
    ].map(([dx, dy]) => ({ x: x + dx * radius, y: y + dy * radius }));
    const clear = feet.map((foot) => Math.min(room(foot), radius + 9)); // clear of every plate is clear enough
    const best = feet[clear.indexOf(Math.max(...clear))];
    this.feet.set(at, best);
    return best;
  }
}

function label(pawn, { at, lifted }) {
  if (at !== null) return `${pawnName(pawn)}, on station ${at}`;
  return lifted ? `${pawnName(pawn)}, in a hand` : `${pawnName(pawn)}, on the bare board`;
}
