// The lamps under the stations: a lit plate, its number in a readable colour, and a soft halo. On artwork a lit ring in
// a dark casing, so that neither the number nor the colours of the station are covered.

import { colourAt, lampPaint } from "./lamp_colours.js";
import { SteadyLamps } from "./steady_lamps.js";
import { svg } from "../page/svg.js";

/** @import { Outline, StationOutline } from "../../messages.d.ts" */
/** @import { SteadyLight } from "./steady_lamps.js" */

/** @type {[number, number][]} */
const HALO = [
  [0, 0.75],
  [0.3, 0.42],
  [0.62, 0.13],
  [1, 0],
]; // how far out, in shares of its size, and how strong
/** @type {[number, number][]} */
const GLOW = [
  [0, 0],
  [0.4, 0],
  [0.48, 0.72],
  [0.66, 0.3],
  [1, 0],
]; // the same around a ring
const RING = 1.57; // its radius, in radii of a plate
const WIDE = 0.36; // and how wide it is

const CALM = matchMedia("(prefers-reduced-motion: reduce)");

/** @typedef {{station: StationOutline, colour: ?string, element: ?SVGElement}} Lamp colour: null: not yet painted */

/** The lamps of a board. */
export class BoardLamps {
  /** @type {Lamp[]} */
  #lamps;
  /** @type {?SteadyLamps} */
  #steady = null; // holds lamps still, as long as that is asked for
  #radius;
  #changed;
  /** @type {Set<number>} */
  #reached = new Set();
  /** @type {Set<number>} */
  #others = new Set();

  /**
   * @param {Outline} board the board above the lamps
   * @param {(station: number, colour: string) => void} changed called with a station and its lamp's new colour
   */
  constructor(board, changed) {
    this.layer = svg("g", { id: "lights" });
    this.#radius = board.radius;
    this.layer.style.setProperty("--radius", `${board.radius}px`);
    this.#changed = changed;
    this.#lamps = board.stations.map((station) => ({ station, colour: "", element: null }));
  }

  /**
   * Show a frame. Only lamps that have changed are painted again.
   * @param {Uint8Array} frame three bytes a lamp; empty: all lamps are dark
   */
  setFrame(frame) {
    if (CALM.matches !== (this.#steady !== null)) this.#repaintAll();
    this.#lamps.forEach((lamp, n) => {
      const colour = colourAt(frame, lamp.station.lamp);
      if (colour === lamp.colour) return;
      lamp.colour = colour;
      lamp.element ??= this.#draw(lamp.station);
      lamp.element.setAttribute("data-colour", colour);
      if (this.#steady) this.#steady.setColour(n, colour);
      else paint(lamp.element, { colour, other: "", does: "" });
      this.#changed(lamp.station.n, colour);
    });
  }

  /**
   * Hide lamps that halos replace: on artwork those below halos, and everywhere those of other pawns' targets.
   * @param {Set<number>} reached the stations with a halo
   * @param {Set<number>} others the stations to which a pawn may go that is not in the hand
   */
  yieldTo(reached, others) {
    this.#reached = reached;
    this.#others = others;
    for (const { station, element } of this.#lamps) if (element) this.#yield(station.n, element);
  }

  /** @type {(n: number, element: SVGElement) => void} */
  #yield(n, element) {
    change(element, "data-below", this.#reached.has(n) ? "halo" : this.#others.has(n) ? "none" : null);
  }

  /** Repaint all lamps after the user switches reduced motion on or off. */
  #repaintAll() {
    const show = (/** @type {number} */ n, /** @type {SteadyLight} */ light) => {
      const element = this.#lamps[n]?.element;
      if (element) paint(element, light);
    };
    this.#steady = CALM.matches ? new SteadyLamps(show) : null;
    for (const lamp of this.#lamps) if (lamp.element) lamp.colour = null;
  }

  // Draw one lamp. All its parts take the colour of the group.
  /** @param {StationOutline} station */
  #draw({ n, x, y }) {
    const radius = this.#radius;
    const size = radius * (n < 100 ? 1.12 : 0.93);
    const lamp = svg(
      "g",
      { "data-lamp": n, display: "none" },
      gradient(`halo-${n}`, HALO),
      gradient(`glow-${n}`, GLOW),
      svg("circle", { class: "halo", cx: x, cy: y, r: radius * 3.2, fill: `url(#halo-${n})` }),
      svg("circle", { class: "glow", cx: x, cy: y, r: radius * 3.4, fill: `url(#glow-${n})` }),
      svg("circle", { class: "lit", cx: x, cy: y, r: radius * 0.81, fill: "currentColor" }),
      svg("circle", { class: "casing", cx: x, cy: y, r: radius * RING, "stroke-width": radius * WIDE + 3.2 }),
      svg("circle", { class: "shine", cx: x, cy: y, r: radius * RING, "stroke-width": radius * WIDE }),
      svg("circle", { class: "rhythm", cx: x, cy: y, r: radius * 1.4 + 4 }),
      svg("text", { x, y: y + size * 0.35, "font-size": size }, String(n)),
    );
    this.#yield(n, lamp);
    this.layer.append(lamp);
    return lamp;
  }
}

/** @type {(id: string, stops: [number, number][]) => SVGRadialGradientElement} */
function gradient(id, stops) {
  const drawn = stops.map(([offset, strength]) =>
    svg("stop", { offset, "stop-color": "currentColor", "stop-opacity": strength }),
  );
  return svg("radialGradient", { id }, ...drawn);
}

// Paint a lamp's colour and mark its rhythm, which a ring shows.
/** @type {(lamp: SVGElement, light: SteadyLight) => void} */
function paint(lamp, { colour, other, does }) {
  change(lamp, "data-does", does);
  change(lamp, "display", colour ? null : "none");
  if (!colour) return;
  const light = lampPaint(colour);
  lamp.setAttribute("color", light.paint);
  change(lamp, "class", light.ink);
  const rhythm = lamp.querySelector(".rhythm");
  if (rhythm) change(rhythm, "stroke", other ? lampPaint(other).paint : "currentColor");
}

// Set an attribute, or remove it for null. An unchanged value is not set: the browser would restyle the element.
/** @type {(element: Element, name: string, value: ?string) => void} */
function change(element, name, value) {
  if (element.getAttribute(name) === value) return;
  if (value === null) element.removeAttribute(name);
  else element.setAttribute(name, value);
}
