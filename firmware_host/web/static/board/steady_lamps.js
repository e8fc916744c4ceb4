// Lamps held still, for users who ask their system for reduced motion. Each lamp shows its brightest recent colour.
// A word names its rhythm, and a ring around the lamp shows that rhythm.

import { brightness, colourName } from "./lamp_colours.js";

const LATE = 1500; // milliseconds; a lamp that blinks slowly is dark for one second
const LOOK = 250; // milliseconds between two checks for colours that are too old
const BREATH = 1.2; // times as bright as at its darkest, from which on a lamp breathes

/**
 * The steady light of a lamp: its colour; a second colour, or ""; and its rhythm: "blinks", "changes", "breathes"
 * or "".
 * @typedef {{colour: string, other: string, does: string}} SteadyLight
 */

/** @typedef {{colour: string, since: number}} PastColour */

/** Lamps that are held still. */
export class SteadyLamps {
  /** @type {Map<number, PastColour[]>} */
  #past = new Map(); // lamp -> its recent colours and their start times, the oldest first
  /** @type {Map<number, string>} */
  #shown = new Map();
  #due = 0;
  #show;

  /** @param {(lamp: number, light: SteadyLight) => void} show called with a lamp and its new light */
  constructor(show) {
    this.#show = show;
  }

  /**
   * Set the colour of a lamp.
   * @param {number} lamp the lamp's number
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

// Return the steady light of a lamp that had these recent colours, the oldest first.
/** @type {(colours: string[]) => SteadyLight} */
function steadyLight(colours) {
  const lit = colours.filter(Boolean).sort((one, other) => brightness(other) - brightness(one));
  const [colour] = lit;
  if (colour === undefined) return { colour: "", other: "", does: "" };
  const other = lit.find((one) => colourName(one) !== colourName(colour)) ?? "";
  return { colour, other, does: rhythm(colours, lit, other) };
}

// Return the rhythm of a lamp's recent colours, the oldest first. `lit` are the lit colours, the brightest first.
/** @type {(colours: string[], lit: string[], other: string) => string} */
function rhythm(colours, lit, other) {
  const first = colours.findIndex(Boolean);
  if (colours.slice(first).includes("") && colours.length > 2) return "blinks";
  if (other) return "changes";
  const [brightest = "", darkest = ""] = [lit.at(0), lit.at(-1)];
  return lit.length > 2 && brightness(brightest) > BREATH * brightness(darkest) ? "breathes" : "";
}
