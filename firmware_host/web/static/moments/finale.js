// The stage of a game's end, on its board: the city is dark. Mister X's route is drawn station by station, and a cone
// of light falls on its last station.

import { isCalm, move } from "../page/motion.js";
import { svg } from "../page/svg.js";
import { RouteLine } from "../board/route_line.js";

/** @import { GameScene } from "../../messages.d.ts" */
/** @import { Board, Layers } from "../board/board.js" */
/** @import { Point } from "../board/pawns.js" */

const DIM = 400; // milliseconds in which the city goes dark
const LEG = 110; // for each leg of the route, but for all of it
const LONGEST = 2600; // at most
const CONE = 500;
const SENTENCE = 300;
const APPEAR = [{ opacity: 0 }, { opacity: 1 }];
const POOL = 92; // radius of the light under the cone
const HIGH = 400; // units from the cone's tip to the ground
const NARROW = 600; // pixels of a map that comes near to the route, and
const NEAREST = 0.75; // pixels that a unit has then at most
const FAR = 1000; // units of dark around the board

/** The stage on a board. */
export class Finale {
  #board;
  /** @type {SVGSVGElement[]} */
  #sheets = []; // what lies over the drawing and below the pawns, each a layer of its own: lamps do not redraw it

  /** @param {Board} board the board */
  constructor(board) {
    this.#board = board;
  }

  /**
   * Show the end of a game.
   * @param {GameScene} scene how the table stands at the end
   * @param {boolean} now whether it has ended just now, while the page was open
   * @returns {KeyframeAnimationOptions} when the words about the end should appear
   */
  show(scene, now) {
    this.clear();
    const { layers } = this.#board;
    if (!layers) return {};
    const route = new RouteLine(this.#board, layers.outline, [{ pawn: "mr_x", stations: scene.route, log: scene.log }]);
    const at = endOf(scene);
    route.caught = { at, by: scene.ended?.by || "mr_x" };
    const { points } = route;
    if (this.#board.view.clientWidth < NARROW && points.length) this.#board.zoom.frame(points, 48, NEAREST);
    else this.#board.zoom.showAll();
    const end = layers.stations.byNumber.get(at);
    const beam = end ? cone(end) : svg("g");
    const dark = this.#sheet("curtain", ...curtain(scene.route, layers, end));
    this.#sheets = [dark, this.#sheet("walked", beam, route.layer)];
    this.#board.drawing.after(...this.#sheets);
    this.#board.setStage(true);
    if (now && !isCalm()) return play(dark, route, scene.route.length - 1, beam);
    route.draw(Infinity);
    return {};
  }

  /** Remove the stage, because another game begins or the end was taken back. */
  clear() {
    for (const sheet of this.#sheets) sheet.remove();
    this.#sheets = [];
    this.#board.setStage(false);
  }

  /** @type {(id: string, ...children: Node[]) => SVGSVGElement} */
  #sheet(id, ...children) {
    const viewBox = this.#board.overlay.getAttribute("viewBox") ?? "";
    return svg("svg", { id, class: "stage", viewBox, "aria-hidden": "true" }, ...children);
  }
}

// Return the station on which the light falls: where Mister X was caught, or where he escaped.
/** @param {GameScene} scene */
function endOf({ ended, pawns, route }) {
  return (ended?.by ? pawns[ended.by] : undefined) ?? route.at(-1) ?? 0;
}

// Play the animation: the city goes dark, the legs appear one after another, then the light.
/** @type {(dark: Element, route: RouteLine, legs: number, beam: Element) => KeyframeAnimationOptions} */
function play(dark, route, legs, beam) {
  const leg = Math.min(LEG, LONGEST / Math.max(1, legs));
  const fill = /** @type {const} */ ("backwards");
  move(dark, APPEAR, { duration: DIM, easing: "ease-out" });
  requestAnimationFrame(() => {
    route.draw(Infinity); // in a frame of its own: the list beside the map takes one, too
    route.grow((step) => ({ duration: leg, delay: DIM + Math.max(0, step - 1) * leg, fill }));
  });
  const lit = DIM + legs * leg;
  move(beam, APPEAR, { duration: CONE, delay: lit, easing: "ease-out", fill });
  return { duration: SENTENCE, delay: lit + CONE, easing: "ease-out", fill };
}

// Create the darkness over the city, which is thinner along the route and under the cone.
/** @type {(route: number[], layers: Layers, end: Point | undefined) => SVGElement[]} */
function curtain(route, { outline }, end) {
  const all = { x: -FAR, y: -FAR, width: 3 * FAR, height: 3 * FAR };
  const places = new Map(outline.stations.map(({ n, x, y }) => [n, { x, y }]));
  const line = `M${route.flatMap((n) => places.get(n) ?? []).map(({ x, y }) => `${x} ${y}`).join("L")}`;
  const lit = [
    ...(route.length > 1 ? [svg("path", { class: "glow", d: line })] : []),
    ...(end ? [svg("circle", { class: "pool", cx: end.x, cy: end.y, r: POOL })] : []),
  ];
  const soft = svg("filter", { id: "soft", filterUnits: "userSpaceOnUse", ...all }, svg("feGaussianBlur", { stdDeviation: 18 }));
  const seen = svg("rect", { ...all, fill: "white" });
  const mask = svg("mask", { id: "lit-city", maskUnits: "userSpaceOnUse", ...all }, seen, svg("g", { filter: "url(#soft)" }, ...lit));
  return [soft, mask, svg("rect", { class: "night", ...all, mask: "url(#lit-city)" })];
}

// Create the cone of light on the last station.
/** @param {Point} end */
function cone({ x, y }) {
  const beam = `M${x - 46} ${y - HIGH}H${x - 14}L${x + POOL} ${y}A${POOL} ${POOL / 2.6} 0 0 1 ${x - POOL} ${y}Z`;
  const stops = [["0", "0"], ["0.35", "0.2"], ["1", "0.58"]].map(([offset = "", share = ""]) =>
    svg("stop", { offset, "stop-color": "#fff0be", "stop-opacity": share }),
  );
  const fade = svg("linearGradient", { id: "beam", x1: 0, x2: 0, y1: 0, y2: 1 }, ...stops);
  return svg("g", {}, fade, svg("path", { d: beam, fill: "url(#beam)" }));
}
