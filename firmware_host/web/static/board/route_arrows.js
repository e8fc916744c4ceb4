// The ways of Mister X's pawns on the board, as far as they have walked: arrows with the numbers of their moves. Where
// they lie was reckoned by who draws the picture to take home.

import { svg } from "../page/svg.js";

/** @import { Way } from "../../messages.d.ts" */
/** @import { Board, Layers } from "./board.js" */

/** @typedef {"newest" | "older"} Age */

const BADGE = 9.5; // radius of the label with the numbers
const READABLE = 0.62; // pixels a unit at which labels are large enough; where there are fewer they grow,
const LARGEST = 2; // up to so many times
const CROWDED = 0.35; // pixels a unit below which the newest ways alone have their labels

/** The arrows of all routes. */
export class RouteArrows {
  #board;
  #ways;
  #starts;
  #layer = svg("g", { id: "route", "aria-hidden": "true" });

  /**
   * @param {Board} board on which they are drawn
   * @param {Layers} layers the board's
   * @param {Record<string, number[]>} routes pawn -> its stations, the start first
   * @param {Way[]} ways the arrows, as they lie on the board
   */
  constructor(board, { outline, lamps }, routes, ways) {
    this.#board = board;
    this.#ways = ways;
    this.#starts = Object.entries(routes).flatMap(([pawn, [start]]) =>
      outline.stations
        .filter(({ n }) => n === start)
        .map(({ n, x, y }) =>
          svg("circle", { cx: x, cy: y, r: outline.radius + 5, class: "from", "data-of": pawn, "data-route-start": n }),
        ),
    );
    lamps.layer.after(this.#layer);
  }

  /**
   * Draw the ways to as many of their stations as they have been to.
   * @param {number} walked at least the start, unless they are nowhere yet
   * @param {boolean} [growing] whether the newest ways are drawn as they walk them
   */
  walk(walked, growing = false) {
    const scale = this.#board.zoom.scale;
    this.#layer.toggleAttribute("data-crowded", scale < CROWDED);
    const size = Math.max(1, Math.min(LARGEST, READABLE / scale));
    const gone = this.#ways
      .map((way) => ({ ...way, numbers: way.numbers.filter((number) => number < walked) }))
      .filter(({ numbers }) => numbers.length)
      .map((way) => ({ way, last: way.numbers.at(-1) ?? 0 }))
      .sort((one, other) => one.last - other.last) // the newest lies on top
      .map(({ way, last }) => ({ way, age: /** @type {Age} */ (last === walked - 1 ? "newest" : "older") }));
    const arrows = gone.map(({ way, age }) => arrow(way, age, growing && age === "newest"));
    const badges = gone.map(({ way, age }) => badge(way, age, size));
    this.#layer.replaceChildren(...(walked ? this.#starts : []), ...arrows, ...badges.map(({ group }) => group));
    badges.forEach(fitToText);
  }
}

/** @type {(way: Way, age: Age, growing: boolean) => SVGGElement} */
function arrow({ pawn, from, to, shaft, head }, age, growing) {
  const line = `M${shaft.join("L")}`;
  const group = svg(
    "g",
    { class: age, "data-of": pawn, "data-way": `${from}-${to}` },
    svg("path", { d: line, class: "casing" }),
    svg("path", { d: line, class: "shaft", pathLength: 1 }),
    svg("path", { d: `M${head.join("L")}Z`, class: "head" }),
  );
  group.toggleAttribute("data-growing", growing);
  return group;
}

/** @typedef {{group: SVGGElement, plate: SVGRectElement, label: SVGTextElement}} Badge */

/** @type {(way: Way, age: Age, size: number) => Badge} */
function badge({ pawn, numbers, badge: [x, y] }, age, size) {
  const plate = svg("rect", { y: -BADGE, height: 2 * BADGE, rx: BADGE });
  const label = svg("text", { y: 4.4, "text-anchor": "middle" }, numbers.join(", "));
  const transform = `translate(${x} ${y}) scale(${size.toFixed(2)})`;
  return { group: svg("g", { class: `badge ${age}`, "data-of": pawn, transform }, plate, label), plate, label };
}

// Make a badge, once it is seen, as wide as its numbers are.
/** @param {Badge} badge */
function fitToText({ plate, label }) {
  const half = Math.max(BADGE, label.getComputedTextLength() / 2 + 4);
  plate.setAttribute("x", String(-half));
  plate.setAttribute("width", String(2 * half));
}
