// Aids for the part of the map outside a phone's view: a small map of the whole board, and a pill at the edge for each
// station in reach. Both are for fingers; users of a keyboard or a screen reader reach the stations themselves.

import { make } from "../page/elements.js";
import { EDGE, svg } from "../page/svg.js";
import { touch } from "./move_targets.js";
import { ticketSign } from "../wording/signs.js";

/** @import { BoardMessage, ReplayBoard, StationOutline } from "../../messages.d.ts" */
/** @import { Board } from "./board.js" */
/** @import { Reach } from "./move_targets.js" */
/** @import { Point } from "./pawns.js" */

/** @typedef {{to: number, tickets: string[]}} Reached a station in reach, and the tickets that lead there */

const WIDE = matchMedia("(min-aspect-ratio: 11/10)"); // as the sheet has it
const CORNER = { wide: 128, high: 104 }; // pixels of the view under the small map, including a ring at its edge
const RIM = 8; // pixels from the edge of the view to a pill
const FOOT = { key: 72, tab: 32 }; // pixels of the view's foot under the round keys, and under the tab between them
const GAP = 4; // pixels between two pills
const STEP = 4; // pixels between the places at the edge that are tried for a pill

/** @import { Box } from "./move_targets.js" */

/** @typedef {{station: StationOutline, tickets: string[], side: string}} Beyond a station out of view, and its side */

/**
 * Add the aids for the map outside the view.
 * @param {Board} board the board
 * @param {Element} parent the element that the board fills
 */
export function showOffView(board, parent) {
  const offView = new OffView(board, parent);
  board.onMoved(() => offView.renew());
  WIDE.addEventListener("change", () => offView.renew());
}

/** The small map and the pills over a board. */
class OffView {
  #board;
  /** @type {?(BoardMessage | ReplayBoard)} */
  #outline = null;
  /** @type {Reached[]} */
  #reached = [];
  #pills = make("div", { class: "pills", "aria-hidden": "true" });
  #window = svg("rect", { class: "window", rx: 20 });
  #dots = svg("g");
  #drawing = svg("svg", { class: "overview", "aria-hidden": "true" });
  #waits = false;

  /**
   * @param {Board} board the board
   * @param {Element} parent the element that the board fills
   */
  constructor(board, parent) {
    this.#board = board;
    parent.append(this.#pills, this.#drawing);
    this.#drawing.addEventListener("click", (event) => this.#goTo(event));
  }

  // Draw all lines of a board.
  /** @param {BoardMessage | ReplayBoard} outline */
  #setBoard(outline) {
    this.#outline = outline;
    const at = new Map(outline.stations.map((station) => [station.n, station]));
    const line = (/** @type {[number, number, string]} */ [a, b]) => {
      const [from, to] = [at.get(a), at.get(b)];
      return from && to ? `M${from.x} ${from.y}L${to.x} ${to.y}` : "";
    };
    const lines = (/** @type {boolean} */ boats) => outline.lines.filter(([, , kind]) => (kind === "boat") === boats).map(line).join("");
    this.#drawing.setAttribute("viewBox", `0 0 ${outline.width + 2 * EDGE} ${outline.shown}`);
    const streets = svg("path", { class: "streets", d: lines(false) });
    this.#drawing.replaceChildren(streets, svg("path", { class: "river", d: lines(true) }), this.#dots, this.#window);
  }

  /** Redraw with the next frame, however often the map moves before it. A wide window shows neither map nor pills. */
  renew() {
    if (this.#waits || WIDE.matches) return;
    this.#waits = true;
    requestAnimationFrame(() => {
      this.#waits = false;
      this.#draw();
    });
  }

  #draw() {
    const { zoom, view, layers, places, reach } = this.#board;
    const outline = layers?.outline ?? null;
    if (outline !== null && outline !== this.#outline) this.#setBoard(outline);
    this.#reached = reachedBy(reach);
    const { left, top, width, height } = view.getBoundingClientRect(); // all is read before anything is written
    const isAtLeft = this.#hides({ left, width });
    const [from, to] = [zoom.toUnits(left, top), zoom.toUnits(left + width, top + height)];
    const dots = [...places].map(([pawn, { x, y }]) => svg("circle", { class: `dot ${pawn}`, cx: x, cy: y, r: 42 }));
    this.#dots.replaceChildren(...dots);
    const near = this.#outline !== null && zoom.near;
    this.#drawing.toggleAttribute("hidden", !near);
    this.#drawing.toggleAttribute("data-left", isAtLeft);
    for (const [name, value] of Object.entries({ x: from.x, y: from.y, width: to.x - from.x, height: to.y - from.y })) {
      this.#window.setAttribute(name, String(value));
    }
    const outside = near ? this.#reached.flatMap((one) => this.#beyond(one, from, to)) : [];
    const pills = outside.map((one) => pill(one, () => this.#reveal(one.station)));
    this.#pills.replaceChildren(...pills);
    const inView = (/** @type {Point} */ { x, y }) => ({ x: (x - from.x) * zoom.scale, y: (y - from.y) * zoom.scale });
    const middles = outside.map(({ station }) => inView(station));
    const small = this.#drawing.getBoundingClientRect();
    const [x, y] = [small.x - left, small.y - top];
    const map = { left: x, top: y, right: x + small.width, bottom: y + small.height };
    const { halos = [], tickets = [] } = layers?.targets ?? {};
    const lit = [...halos, ...tickets].map((box) => {
      const [one, other] = [inView({ x: box.left, y: box.top }), inView({ x: box.right, y: box.bottom })];
      return { left: one.x, top: one.y, right: other.x, bottom: other.y };
    });
    place(pills, middles, { wide: width, high: height }, map, lit);
  }

  // Return a station in reach and its side, if it is outside the view.
  /** @type {(reached: Reached, from: Point, to: Point) => Beyond[]} */
  #beyond({ to: number, tickets }, from, to) {
    const station = this.#outline?.stations.find(({ n }) => n === number);
    if (!station) return [];
    const out = { left: from.x - station.x, right: station.x - to.x, up: from.y - station.y, down: station.y - to.y };
    const [[side, far] = /** @type {const} */ (["left", 0])] = Object.entries(out).sort(([, one], [, other]) => other - one);
    return far > 0 ? [{ station, tickets, side }] : [];
  }

  // Return whether the small map would cover a station in reach at the right, and none at the left.
  /** @type {(view: {left: number, width: number}) => boolean} */
  #hides({ left, width }) {
    const { zoom, view } = this.#board;
    const { top } = view.getBoundingClientRect();
    const reached = this.#reached.flatMap(({ to }) => this.#outline?.stations.find(({ n }) => n === to) ?? []);
    const places = reached.map((station) => zoom.toPage(station)).filter(({ y }) => y > top && y < top + CORNER.high);
    const atLeft = places.some(({ x }) => x - left < CORNER.wide);
    return !atLeft && places.some(({ x }) => left + width - x < CORNER.wide);
  }

  /** @param {Point} station */
  #reveal({ x, y }) {
    this.#board.glide(() => this.#board.zoom.reveal(x, y));
  }

  // Show the tapped place of the small map.
  /** @param {MouseEvent} event */
  #goTo({ clientX, clientY }) {
    const matrix = this.#drawing.getScreenCTM();
    if (!matrix) return;
    const { zoom } = this.#board;
    const point = new DOMPoint(clientX, clientY).matrixTransform(matrix.inverse());
    this.#board.glide(() => zoom.frame([point], 0, zoom.scale));
  }
}

// Return the stations to which pawns may go, each with all tickets that lead there.
/** @type {(reach: Reach) => Reached[]} */
function reachedBy({ moves }) {
  /** @type {Map<number, Set<string>>} */
  const ways = new Map();
  for (const { to, tickets } of moves) ways.set(to, new Set([...(ways.get(to) ?? []), ...tickets]));
  return [...ways].map(([to, tickets]) => ({ to, tickets: [...tickets] }));
}

/** @type {(beyond: Beyond, click: () => void) => HTMLButtonElement} */
function pill({ station: { n }, tickets, side }, click) {
  const signs = tickets.filter((ticket) => ticket !== "free").map((ticket) => ticketSign(ticket));
  const arrow = make("span", { class: "arrow" }, "‹");
  const look = { type: "button", class: "pill", tabindex: -1, "data-to": n, "data-side": side, click };
  return make("button", look, arrow, String(n), ...signs);
}

// Put each pill at the edge, as near to its station as possible. No pill covers another pill, the small map, a round
// key or the tab at the foot. If there is space beside them, no pill covers a station in reach either.
/** @type {(pills: HTMLElement[], wanted: Point[], view: {wide: number, high: number}, map: Box, lit: Box[]) => void} */
function place(pills, wanted, { wide, high }, map, lit) {
  const taken = [map];
  for (const [n, element] of pills.entries()) {
    const [width, height] = [element.offsetWidth, element.offsetHeight];
    const { side } = element.dataset;
    const { x, y } = wanted[n] ?? { x: 0, y: 0 };
    const across = side === "up" || side === "down";
    const rim = side === "down" ? FOOT.key : RIM;
    const [right, low] = [wide - width - rim, high - height - (across ? FOOT.tab : FOOT.key)];
    const places = across
      ? along(x - width / 2, rim, right).map((left) => ({ left, top: side === "up" ? RIM : low }))
      : along(y - height / 2, RIM, low).map((top) => ({ left: side === "left" ? RIM : wide - width - RIM, top }));
    const boxes = places.map(({ left, top }) => ({ left, top, right: left + width, bottom: top + height }));
    const free = boxes.filter((box) => !taken.some((one) => touch(one, box)));
    const best = free.find((box) => !lit.some((one) => touch(one, box))) ?? free[0] ?? boxes[0] ?? map;
    taken.push({ left: best.left - GAP, top: best.top - GAP, right: best.right + GAP, bottom: best.bottom + GAP });
    element.style.setProperty("translate", `${best.left}px ${best.top}px`);
  }
}

// Return the places between two along an edge, the nearest to the wanted one first.
/** @type {(wanted: number, first: number, last: number) => number[]} */
function along(wanted, first, last) {
  const start = Math.max(first, Math.min(last, wanted));
  const count = Math.ceil((last - first) / STEP);
  const steps = Array.from({ length: Math.max(0, count) }, (_, n) => [start + n * STEP, start - n * STEP]).flat();
  return [start, ...steps].filter((at) => at >= first && at <= Math.max(first, last));
}
