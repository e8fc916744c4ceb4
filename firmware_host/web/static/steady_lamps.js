// Lamps held still, for whoever has asked the system for less motion: each shows the brightest colour that it had of
// late, and in words what its light does, for a ring around it to tell.

import { brightness, colourName } from "./lamp_colours.js";

const LATE = 1500; // milliseconds; a lamp that blinks slowly is dark for one second
const LOOK = 250; // milliseconds after which it is looked at what has become too old
const BREATH = 1.2; // times as bright as at its darkest, from which on a lamp breathes

export class SteadyLamps {
  /**
   * @param {function(number, {colour: string, other: string, does: string})} show told how a lamp is to be shown from
   *   now on: its colour, another one that it has in turn, or "", and whether it "blinks", "changes" or "breathes", or ""
   */
  constructor(show) {
    this.show = show;
    this.had = new Map(); // lamp -> the colours that it had of late, and since when, the oldest first
    this.shown = new Map();
    this.due = null;
  }

  /** A lamp has another colour now: "#rrggbb" or "". */
  setColour(lamp, colour) {
    const had = this.had.get(lamp) ?? [];
    had.push({ colour, since: performance.now() });
    this.had.set(lamp, had);
    this.#update(lamp, had);
    this.due ??= setTimeout(() => this.#forget(), LOOK);
  }

  #forget() {
    for (const [lamp, had] of this.had) if (had.length > 1) this.#update(lamp, had);
    const moving = [...this.had.values()].some((had) => had.length > 1);
    this.due = moving ? setTimeout(() => this.#forget(), LOOK) : null;
  }

  #update(lamp, had) {
    const old = performance.now() - LATE;
    while (had.length > 1 && had[1].since < old) had.shift();
    const next = steady(had.map(({ colour }) => colour));
    const text = JSON.stringify(next);
    if (this.shown.get(lamp) === text) return;
    this.shown.set(lamp, text);
    this.show(lamp, next);
  }
}

function steady(colours) {
  const lit = colours.filter(Boolean).sort((one, other) => brightness(other) - brightness(one));
  if (!lit.length) return { colour: "", other: "", does: "" };
  const [colour] = lit;
  const other = lit.find((one) => colourName(one) !== colourName(colour)) ?? "";
  return { colour, other, does: rhythm(colours, lit, other) };
}

function rhythm(colours, lit, other) {
  const first = colours.findIndex(Boolean);
  if (colours.slice(first).includes("") && colours.length > 2) return "blinks";
  if (other) return "changes";
  return lit.length > 2 && brightness(lit[0]) > BREATH * brightness(lit.at(-1)) ? "breathes" : "";
}
