// How the board is looked at: the drawn city by day or by night, or the wiring look of those who build tables.

import { make, srOnly } from "./elements.js";

/** @typedef {"day" | "night" | "wiring"} Look */

/** @type {[Look, string][]} */
const LOOKS = [
  ["day", "City by day"],
  ["night", "City by night"],
  ["wiring", "Wiring"],
];
const KEPT = "yardboard-view"; // its name in the browser's store
const LIGHT = matchMedia("(prefers-color-scheme: light)");

/** The choice between the looks of a board; without artwork there is only the wiring look, and nothing to choose. */
export class BoardView {
  #select;
  #changed;
  #drawn = false; // whether there is artwork

  /** @param {() => void} changed told when the board is to look otherwise */
  constructor(changed) {
    this.#changed = changed;
    const options = LOOKS.map(([value, name]) => make("option", { value }, name));
    this.#select = make("select", { change: () => this.#choose() }, ...options);
    this.element = make("label", { class: "looks", title: "View", hidden: true }, srOnly("View"), this.#select);
    this.#select.value = this.#wanted();
    LIGHT.addEventListener("change", () => this.#follow());
  }

  /**
   * The look that the board has now.
   * @returns {Look} its name
   */
  get look() {
    return this.#drawn ? /** @type {Look} */ (this.#select.value) : "wiring";
  }

  /**
   * Hear whether there is artwork of the board.
   * @param {boolean} drawn whether there is
   */
  setDrawn(drawn) {
    this.#drawn = drawn;
    this.element.hidden = !drawn;
  }

  // Return the look that was chosen before, or the one that suits the rest of this screen.
  /** @returns {Look} */
  #wanted() {
    const kept = read();
    return LOOKS.find(([look]) => look === kept)?.[0] ?? (LIGHT.matches ? "day" : "night");
  }

  #choose() {
    keep(this.#select.value);
    this.#changed();
  }

  // Day or night has come to this screen; what was chosen stays.
  #follow() {
    this.#select.value = this.#wanted();
    this.#changed();
  }
}

// A browser may keep nothing at all, and says so by an error.
function read() {
  try {
    return localStorage.getItem(KEPT);
  } catch {
    return null;
  }
}

/** @param {string} look */
function keep(look) {
  try {
    localStorage.setItem(KEPT, look);
  } catch {
    // then it holds until the page is left
  }
}
