// The lamps beside the board: one for each window of the log, or for each success chip.

import { colourAt, lampPaint } from "./lamp_colours.js";
import { make } from "./elements.js";

/** All lamps of the log, wherever they are shown. */
export class LogLamps {
  constructor() {
    this.chain = []; // window -> the lamp's place in the chain, from "board"
    this.frame = new Uint8Array();
    this.shown = [];
  }

  /** Other windows are shown from now on: whoever shows them calls `lamp` for each. */
  clear() {
    this.shown = [];
  }

  /** A new element for the lamp of a window, from 1. */
  lamp(window) {
    const element = make("span", { class: "lamp", "data-log-lamp": window, "data-colour": "", "aria-hidden": "true" });
    this.shown.push({ window, element });
    this.paint({ window, element });
    return element;
  }

  /** What it wants to be told of: where the lamps are, and how they shine. */
  get listeners() {
    return {
      board: ({ log_lamps: chain }) => {
        this.chain = chain;
        this.shown.forEach((shown) => this.paint(shown));
      },
      lamps: (frame) => {
        this.frame = frame;
        this.shown.forEach((shown) => this.paint(shown));
      },
    };
  }

  paint({ window, element }) {
    const colour = window <= this.chain.length ? colourAt(this.frame, this.chain[window - 1]) : "";
    if (element.dataset.colour === colour) return;
    element.dataset.colour = colour;
    element.style.setProperty("--glow", colour ? lampPaint(colour).paint : "transparent");
  }
}
