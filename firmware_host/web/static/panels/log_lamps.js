// The lamps beside the board: one for each window of the log, or for each success chip.

import { make } from "../page/elements.js";
import { colourAt, lampPaint } from "../board/lamp_colours.js";

/** @import { Listeners } from "../page/listeners.js" */

/** @typedef {{lamp(window: number): Node | string, clear(): void}} LampsByWindow gives a shown window its lamp */
/** @typedef {{window: number, element: HTMLElement, colour: string}} ShownLamp */

/** All lamps of the log, wherever the page shows them. */
export class LogLamps {
  constructor() {
    /** @type {number[]} */
    this.chain = []; // window -> the lamp's place in the chain, from "board"
    this.frame = new Uint8Array();
    /** @type {ShownLamp[]} */
    this.shown = [];
  }

  /** Forget the windows. The code that shows other windows calls `lamp` for each. */
  clear() {
    this.shown = [];
  }

  /**
   * Create an element for the lamp of a window.
   * @param {number} window from 1
   * @returns {HTMLElement} the lamp, which shines from now on
   */
  lamp(window) {
    const element = make("span", { class: "lamp", "data-log-lamp": window, "data-colour": "", "aria-hidden": "true" });
    const shown = { window, element, colour: "" };
    this.shown.push(shown);
    this.#paint(shown);
    return element;
  }

  /**
   * The listeners for the places of the lamps and for their colours.
   * @returns {Listeners} listeners to "board" and "lamps"
   */
  get listeners() {
    return {
      board: ({ log_lamps: chain }) => {
        this.chain = chain;
        this.shown.forEach((shown) => this.#paint(shown));
      },
      lamps: (frame) => {
        this.frame = frame;
        this.shown.forEach((shown) => this.#paint(shown));
      },
    };
  }

  /** @param {ShownLamp} shown */
  #paint(shown) {
    const { window, element } = shown;
    const lamp = this.chain[window - 1];
    const colour = lamp === undefined ? "" : colourAt(this.frame, lamp);
    if (colour === shown.colour) return;
    shown.colour = colour;
    element.dataset.colour = colour;
    element.style.setProperty("--glow", colour ? lampPaint(colour).paint : "transparent");
  }
}
