// The last move of each pawn: a line that gets stronger along its way, from a dashed ring at the station of origin.

import { svg } from "../page/svg.js";
import { passedStations, trimmed } from "./move_targets.js";

/** @import { LastMove, Outline, StationOutline } from "../../messages.d.ts" */
/** @import { PawnMoves } from "../moments/pawn_moves.js" */
/** @import { Point } from "./pawns.js" */

const USUAL = 17; // units that a plate's radius has on the board for which these sizes are:
const RING = 21; // radius of the ring where a pawn came from
const STANDS = 31; // and of the one around the pawn where it is
const FAINTEST = 0.1; // how strong a line begins
const WIDE = 10; // units at its sides that a line takes

/** The lines of a board. */
export class LastMoveLines {
  layer = svg("g", { id: "last-moves", "aria-hidden": "true" });
  #board;
  #moves;
  #unit;
  /** @type {Map<number, StationOutline>} */
  #stations;
  #shown = "";
  /** @type {Map<string, SVGGElement[]>} */
  #drawn = new Map();

  /**
   * @param {Outline} board the board
   * @param {PawnMoves} moves knows along which lines pawns move
   */
  constructor(board, moves) {
    this.#board = board;
    this.#moves = moves;
    this.#unit = board.radius / USUAL;
    this.#stations = new Map(board.stations.map((station) => [station.n, station]));
  }

  /**
   * Show these moves, and no others.
   * @param {LastMove[]} moves the moves
   */
  show(moves) {
    const shown = JSON.stringify(moves);
    if (shown === this.#shown) return;
    this.#shown = shown;
    const drawn = moves.map((move) => [keyOf(move), this.#drawn.get(keyOf(move)) ?? this.#line(move)]);
    this.#drawn = new Map(/** @type {[string, SVGGElement[]][]} */ (drawn)); // one that stays is not drawn again
    this.layer.replaceChildren(...[...this.#drawn.values()].flat());
  }

  /** @type {(move: LastMove) => SVGGElement[]} */
  #line(move) {
    const { pawn, from, to, ticket } = move;
    const [start, end] = [this.#stations.get(from), this.#stations.get(to)];
    if (!start || !end) return [];
    const unit = this.#unit;
    const bends = this.#moves.line(from, to, (one) => one === ticket) ?? [];
    const points = trimmed([start, ...bends, end], (RING + 2) * unit, STANDS * unit);
    const ring = { cx: start.x, cy: start.y, r: RING * unit, pathLength: 84 };
    const group = svg("g", { class: "last-move", "data-pawn-colour": pawn, "data-move": keyOf(move) }, ...cased("circle", ring));
    if (points.length < 2) return [group];
    group.append(...fading(points, `last-move-${pawn}`, passedStations(points, this.#board, [from, to])));
    return [group];
  }
}

// Draw a shape twice: its casing, and its colour on top.
/** @type {(shape: "circle" | "path", attributes: Record<string, string | number>) => SVGElement[]} */
function cased(shape, attributes) {
  return ["case", "paint"].map((part) => svg(shape, { ...attributes, class: part }));
}

// Draw a line from faint to full, below the stations that it passes. Casing and colour fade together.
/** @type {(points: Point[], id: string, passed: SVGElement[]) => SVGElement[]} */
function fading(points, id, passed) {
  const d = `M${points.map(({ x, y }) => `${x} ${y}`).join("L")}`;
  const xs = points.map(({ x }) => x);
  const ys = points.map(({ y }) => y);
  const [left, top] = [Math.min(...xs) - WIDE, Math.min(...ys) - WIDE];
  const box = { x: left, y: top, width: Math.max(...xs) + WIDE - left, height: Math.max(...ys) + WIDE - top };
  const [first, last] = [points[0], points.at(-1)];
  const along = { x1: first?.x ?? 0, y1: first?.y ?? 0, x2: last?.x ?? 0, y2: last?.y ?? 0 };
  const units = "userSpaceOnUse";
  const stops = [svg("stop", { offset: 0, "stop-opacity": FAINTEST }), svg("stop", { offset: 0.8 })];
  for (const stop of stops) stop.setAttribute("stop-color", "#fff");
  return [
    svg("linearGradient", { id: `${id}-fade`, gradientUnits: units, ...along }, ...stops),
    svg("mask", { id, maskUnits: units, ...box }, svg("rect", { ...box, fill: `url(#${id}-fade)` }), ...passed),
    svg("g", { mask: `url(#${id})` }, ...cased("path", { d })),
  ];
}

/** @param {LastMove} move */
function keyOf({ pawn, from, to, ticket }) {
  return [pawn, from, to, ticket].join();
}
