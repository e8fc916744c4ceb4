// Lamps held still, for whoever has asked the system for less motion: each shows the brightest colour that it had of
// late, and in words what its light does, for a ring around it to tell.

import { brightness, colourName } from "./lamp_colours.js";

const LATE = 1500; // milliseconds; a lamp that blinks slowly is dark for one second
const LOOK = 250; // milliseconds after which it is looked at what has become too old
const BREATH = 1.2; // times as bright as at its darkest, from which on a lamp breathes

/**
 * How a lamp is to be shown: its colour, another one that it has in turn, or "", and whether it "blinks", "changes" or
 * "breathes", or "".
 * @typedef {{colour: string, other: string, does: string}} SteadyLight
 */

/** @typedef {{colour: string, since: number}} PastColour */

/** Lamps that are held still. */
export class SteadyLamps {
  /** @type {Map<number, PastColour[]>} */
  #past = new Map(); // lamp -> the colours that it had of late, and since when, the oldest first
  /** @type {Map<number, string>} */
  #shown = new Map();
  #due = 0;
  #show;

  /** @param {(lamp: number, light: SteadyLight) => void} show told how a lamp is to be shown from now on */
  constructor(show) {
    this.#show = show;
  }

  /**
   * Hear that a lamp has another colour now.
   * @param {number} lamp which
   * @param {string} colour "#rrggbb" or ""
   */
  setColour(lamp, colour) {
    const past = this.#past.get(lamp) ?? [];
    past.push({ colour, since: performance.now() });
    this.#past.set(lamp, past);
    this.#update(lamp, past);
    if (!this.#due) this.#due = setTimeout(() => this.#forget(), LOOK);
  }

  #forget() {
    for (const [lamp, past] of this.#past) if (past.length > 1) this.#update(lamp, past);
    const moving = [...this.#past.values()].some((past) => past.length > 1);
    this.#due = moving ? setTimeout(() => this.#forget(), LOOK) : 0;
  }

  /** @type {(lamp: number, past: PastColour[]) => void} */
  #update(lamp, past) {
    const old = performance.now() - LATE;
    while ((past[1]?.since ?? Infinity) < old) past.shift();
    const next = steadyLight(past.map(({ colour }) => colour));
    const text = JSON.stringify(next);
    if (this.#shown.get(lamp) === text) return;
    this.#shown.set(lamp, text);
    this.#show(lamp, next);
  }
}

// Return how a lamp is to be shown that had these colours of late, the oldest first.
/** @type {(colours: string[]) => SteadyLight} */
function steadyLight(colours) {
  const lit = colours.filter(Boolean).sort((one, other) => brightness(other) - brightness(one));
  const [colour] = lit;
  if (colour === undefined) return { colour: "", other: "", does: "" };
  const other = lit.find((one) => colourName(one) !== colourName(colour)) ?? "";
  return { colour, other, does: rhythm(colours, lit, other) };
}

// Tell how a lamp goes between its colours of late, the oldest first; `lit` are the lit ones, the brightest first.
/** @type {(colours: string[], lit: string[], other: string) => string} */
function rhythm(colours, lit, other) {
  const first = colours.findIndex(Boolean);
  if (colours.slice(first).includes("") && colours.length > 2) return "blinks";
  if (other) return "changes";
  const [brightest = "", darkest = ""] = [lit.at(0), lit.at(-1)];
  return lit.length > 2 && brightness(brightest) > BREATH * brightness(darkest) ? "breathes" : "";
}
