// The request for a game, until the table has begun the game or refused it.

import { NO_ANSWER, TRY_AGAIN } from "../page/connection.js";
import { gettext } from "../wording/gettext.js";

/** @import { NewGame } from "../../messages.d.ts" */
/** @import { Send } from "../page/connection.js" */
/** @import { Listeners } from "../page/listeners.js" */

const LOST = gettext("The line was lost, and no game has begun. Try again.");

/** @typedef {"sent" | "lost" | "back"} Fate of an order: on its way; line lost; line back, but no game */

/** The page's request for a game, one at a time. After a lost line, it checks whether a newer game has begun. */
export class GameRequest {
  #send;
  #begun;
  #warn;
  #games = 0; // the number of the newest game at this table
  /** @type {?{after: number, fate: Fate}} */
  #asked = null; // the game after which one was asked for

  /**
   * @param {Send} send sends an order
   * @param {() => void} begun called when the game has begun
   * @param {(text: string, waits: boolean) => void} warn called with the reason why no game began, and
   *   whether it may still begin
   */
  constructor(send, begun, warn) {
    this.#send = send;
    this.#begun = begun;
    this.#warn = warn;
  }

  /**
   * Ask for a game, unless the outcome of the last order is still unknown.
   * @param {NewGame} order the order
   */
  ask(order) {
    if (this.#asked && this.#asked.fate !== "back") return;
    if (this.#send({ ...order, begun: this.#games })) this.#asked = { after: this.#games, fate: "sent" };
    else this.#warn(TRY_AGAIN, false);
  }

  /** Forget the request, because the user has left the dialog. */
  forget() {
    this.#asked = null;
  }

  /**
   * Handle a refusal by the table.
   * @param {string} text the reason
   * @returns {boolean} whether the table refused this request
   */
  refused(text) {
    if (this.#asked?.fate !== "sent") return false;
    this.#asked = null;
    this.#warn(text, false);
    return true;
  }

  /**
   * The request's listeners.
   * @returns {Listeners} listeners
   */
  get listeners() {
    return {
      table: (said) => {
        if (said.begun === undefined) return;
        this.#games = said.begun;
        if (this.#asked) this.#look(this.#asked, said.begun);
      },
      down: () => {
        if (this.#asked === null) return;
        this.#asked.fate = "lost";
        this.#warn(NO_ANSWER, true);
      },
    };
  }

  // Handle the number of the table's newest game. It may be the game that the page asked for before it lost the line.
  /** @type {(asked: {after: number, fate: Fate}, begun: number) => void} */
  #look(asked, begun) {
    if (begun > asked.after) {
      this.#asked = null;
      this.#begun();
    } else if (asked.fate === "lost") {
      this.#asked = { after: begun, fate: "back" };
      this.#warn(LOST, false);
    }
  }
}
