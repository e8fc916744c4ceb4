// A game that was asked for: until the table has begun it, or has said why not.

import { gettext } from "../wording/gettext.js";

/** @import { NewGame } from "../../messages.d.ts" */
/** @import { Send } from "../page/connection.js" */
/** @import { Listeners } from "../page/listeners.js" */

const DEAF = gettext("The table does not answer. Try again when it does.");

/** What asks the table for a game, one at a time. */
export class GameRequest {
  #send;
  #begun;
  #warn;
  #games = 0; // games at this table so far
  /** @type {?number} */
  #asked = null; // how many of them there were when the table was asked

  /**
   * @param {Send} send sends an order
   * @param {() => void} begun told once the game has begun
   * @param {(text: string) => void} warn told why there is none
   */
  constructor(send, begun, warn) {
    this.#send = send;
    this.#begun = begun;
    this.#warn = warn;
  }

  /**
   * Ask for a game.
   * @param {NewGame} order which
   */
  ask(order) {
    if (!this.#send(order)) this.#fail(DEAF);
    else this.#asked = this.#games;
  }

  /** Whoever asked has gone elsewhere. */
  forget() {
    this.#asked = null;
  }

  /**
   * The table has refused something.
   * @param {string} text why
   * @returns {boolean} whether it was this
   */
  refused(text) {
    if (this.#asked === null) return false;
    this.#fail(text);
    return true;
  }

  /**
   * What it listens to.
   * @returns {Listeners} listeners
   */
  get listeners() {
    return {
      table: (said) => {
        if (!said.simulated) return;
        this.#games = said.begun;
        if (this.#asked === null || said.begun <= this.#asked) return;
        this.#asked = null;
        this.#begun();
      },
      down: () => this.#asked !== null && this.#fail(DEAF),
    };
  }

  /** @param {string} text */
  #fail(text) {
    this.#asked = null;
    this.#warn(text);
  }
}
