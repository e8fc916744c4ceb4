// The end of a game: the city dims but for where it ended, the winner is said, and Mister X's route draws itself.

import { make } from "../page/elements.js";
import { gettext } from "../wording/gettext.js";
import { svg } from "../page/svg.js";
import { isCalm, move } from "../page/motion.js";

/** @import { GameScene, Outline, Scene } from "../../messages.d.ts" */
/** @import { Board } from "../board/board.js" */
/** @import { Point } from "../board/pawns.js" */

const SCENE = 1100; // milliseconds for which the city is dark
const WALK = 1100; // in which the route is walked
const READ = 8000; // in which the card is read: the panel beside the board goes on telling
const WIDE = 5000; // units, more than any board

/** The end of a game on a board. */
export class Finale {
  #board;
  #who = make("strong", {});
  #why = make("span", {});
  #again = make("a", { class: "button", hidden: true }, gettext("Replay"));
  #card;
  /** @type {SVGGElement} */
  #route = svg("g", { id: "walked", "aria-hidden": "true" });
  /** @type {?SVGGElement} */
  #dark = null;
  #shown = false;
  #reading = 0;

  /** @param {Board} board which */
  constructor(board) {
    this.#board = board;
    const words = make("p", { "aria-hidden": "true" }, this.#who, this.#why); // the panel beside the board says it, too
    this.#card = make("div", { id: "finale", hidden: true }, words, this.#again);
    board.view.after(this.#card);
  }

  /**
   * Hear which game has ended last.
   * @param {?number} newest its number
   */
  setGame(newest) {
    this.#again.hidden = newest === null;
    this.#again.href = `/games/${newest}`;
  }

  /**
   * Show the end of a game, if it is that; or that another has begun.
   * @param {Scene} scene how the table stands
   * @param {boolean} now whether it has ended just now, and not before the page was opened
   */
  setScene(scene, now) {
    const ended = scene.rules !== null && scene.ended !== null;
    if (ended === this.#shown) return;
    this.#shown = ended;
    this.#card.hidden = !ended;
    clearTimeout(this.#reading);
    if (ended) this.#reading = setTimeout(() => (this.#card.hidden = true), READ);
    this.#route.remove();
    this.#dark?.remove();
    if (ended) this.#show(scene, now && !isCalm());
  }

  /** @type {(scene: GameScene, playing: boolean) => void} */
  #show(scene, playing) {
    this.#board.zoom.showAll();
    this.#card.dataset["at"] = this.#isLow(scene.route.at(-1) ?? scene.pawns.mr_x) ? "top" : "bottom";
    this.#who.textContent = scene.ended?.who ?? "";
    this.#why.textContent = scene.ended?.why ?? "";
    if (playing) this.#dim(scene.route.at(-1) ?? scene.pawns.mr_x);
    this.#walk(scene, playing);
    const rise = [{ opacity: 0, transform: "translateY(1rem)" }, { opacity: 1, transform: "none" }];
    if (playing) move(this.#card, rise, { duration: 400, easing: "ease-out" });
  }

  // Return whether a station lies in the lower half of what is seen: the card is not to lie over where it ended.
  /** @param {number | undefined} at */
  #isLow(at) {
    const station = at === undefined ? undefined : this.#board.layers?.stations.byNumber.get(at);
    const { view, overlay } = this.#board;
    if (!station) return false;
    const seen = view.getBoundingClientRect();
    return overlay.getBoundingClientRect().top + station.y * this.#board.zoom.scale > seen.top + seen.height / 2;
  }

  // Let the city lie dark for a while, but for one station.
  /** @param {number | undefined} at */
  #dim(at) {
    const station = at === undefined ? undefined : this.#board.layers?.stations.byNumber.get(at);
    if (!station) return;
    const { x, y } = station;
    const night = `M-${WIDE}-${WIDE}H${2 * WIDE}V${2 * WIDE}H-${WIDE}Z`;
    const hole = `M${x - 90} ${y}A90 90 0 1 0 ${x + 90} ${y}A90 90 0 1 0 ${x - 90} ${y}Z`;
    const shade = svg("path", { class: "shade", d: night + hole, "fill-rule": "evenodd" });
    const ring = svg("circle", { class: "spot", cx: x, cy: y, r: 90 });
    const dark = svg("g", { class: "moment", "aria-hidden": "true" }, shade, ring);
    this.#dark = dark;
    this.#board.overlay.append(dark);
    const fade = [{ opacity: 0 }, { opacity: 1, offset: 0.3 }, { opacity: 1, offset: 0.8 }, { opacity: 0 }];
    move(dark, fade, { duration: SCENE })?.addEventListener("finish", () => dark.remove());
  }

  /** @type {(scene: GameScene, playing: boolean) => void} */
  #walk(scene, playing) {
    const { layers, moves, overlay } = this.#board;
    if (!layers) return;
    const { byNumber } = layers.stations;
    /** @type {Point[]} */
    const points = [];
    for (const [n, at] of scene.route.entries()) {
      const from = scene.route[n - 1];
      const ticket = scene.log[n - 1]?.ticket;
      const bends = from === undefined || from === at ? [] : moves.line(from, at, (one) => one === ticket);
      const station = byNumber.get(at);
      if (station) points.push(...(bends ?? []), station);
    }
    const [first] = points;
    const last = points.at(-1);
    if (!first || !last) return;
    const line = `M${points.map(({ x, y }) => `${x} ${y}`).join("L")}`;
    const casing = svg("path", { class: "casing", d: line, pathLength: 1 });
    const shaft = svg("path", { class: "shaft", d: line, pathLength: 1 });
    const ends = [svg("circle", { cx: first.x, cy: first.y, r: 22 }), svg("circle", { cx: last.x, cy: last.y, r: 30 })];
    const under = svg("g", { mask: "url(#numbers)" }, casing, shaft);
    this.#route.replaceChildren(numbers(layers.outline), under, ...ends);
    overlay.insertBefore(this.#route, layers.pawns.layer);
    const draw = [{ strokeDasharray: "0 1" }, { strokeDasharray: "1 1" }];
    const options = { duration: WALK, delay: SCENE, easing: "ease-in-out", fill: /** @type {const} */ ("backwards") };
    if (playing) for (const path of [casing, shaft]) move(path, draw, options);
  }
}

// Make a mask that leaves the numbers of stations free: the route goes on below them.
/** @type {(outline: Outline) => SVGMaskElement} */
function numbers({ stations, radius }) {
  const all = { x: -WIDE, y: -WIDE, width: 3 * WIDE, height: 3 * WIDE };
  const plates = stations.map(({ x, y }) => svg("ellipse", { cx: x, cy: y, rx: 1.35 * radius, ry: 0.95 * radius }));
  const seen = svg("rect", { ...all, fill: "white" });
  return svg("mask", { id: "numbers", maskUnits: "userSpaceOnUse", ...all }, seen, ...plates);
}
