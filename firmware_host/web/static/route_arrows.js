// The ways of Mister X's pawns on the board, as far as they have walked: arrows with the numbers of their moves. Where
// they lie was reckoned by who draws the picture to take home.

import { svg } from "./svg.js";

const BADGE = 9.5; // radius of the label with the numbers
const READABLE = 0.62; // pixels a unit at which labels are large enough; where there are fewer they grow,
const LARGEST = 2; // up to so many times
const CROWDED = 0.35; // pixels a unit below which the newest ways alone have their labels

export class RouteArrows {
  /**
   * @param {import("./board.js").Board} board with stations laid
   * @param {Object<string, number[]>} routes pawn -> its stations, the start first
   * @param {Object[]} ways as /games/{n}/board.json gives them
   */
  constructor(board, routes, ways) {
    [this.board, this.routes, this.ways] = [board, routes, ways];
    this.place = svg("g", { id: "route", "aria-hidden": "true" });
    board.lamps.layer.after(this.place);
  }

  /**
   * They have been to so many of their stations.
   * @param {number} walked at least the start, unless they are nowhere yet
   * @param {boolean} [growing] whether the newest ways are drawn as they walk them
   */
  walk(walked, growing = false) {
    const scale = this.board.zoom.scale;
    this.place.toggleAttribute("data-crowded", scale < CROWDED);
    const size = Math.max(1, Math.min(LARGEST, READABLE / scale));
    const gone = this.ways
      .map((way) => ({ ...way, numbers: way.numbers.filter((number) => number < walked) }))
      .filter(({ numbers }) => numbers.length)
      .sort((one, other) => one.numbers.at(-1) - other.numbers.at(-1)); // the newest lies on top
    const aged = gone.map((way) => [way, way.numbers.at(-1) === walked - 1 ? "newest" : "older"]);
    const arrows = aged.map(([way, age]) => arrow(way, age, growing && age === "newest"));
    const badges = aged.map(([way, age]) => badge(way, age, size));
    this.place.replaceChildren(...(walked ? this.#starts() : []), ...arrows, ...badges);
    badges.forEach(fitToText);
  }

  #starts() {
    const { stations, radius } = this.board.board;
    return Object.entries(this.routes).map(([pawn, [start]]) => {
      const { x, y } = stations.find(({ n }) => n === start);
      return svg("circle", { cx: x, cy: y, r: radius + 5, class: "from", "data-of": pawn, "data-route-start": start });
    });
  }
}

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

function badge({ pawn, numbers, badge: [x, y] }, age, size) {
  const plate = svg("rect", { y: -BADGE, height: 2 * BADGE, rx: BADGE });
  const label = svg("text", { y: 4.4, "text-anchor": "middle" }, numbers.join(", "));
  const transform = `translate(${x} ${y}) scale(${size.toFixed(2)})`;
  return svg("g", { class: `badge ${age}`, "data-of": pawn, transform }, plate, label);
}

/** Makes a badge, once it is seen, as wide as its numbers are. */
function fitToText(badge) {
  const [plate, label] = badge.children;
  const half = Math.max(BADGE, label.getComputedTextLength() / 2 + 4);
  plate.setAttribute("x", -half);
  plate.setAttribute("width", 2 * half);
}
