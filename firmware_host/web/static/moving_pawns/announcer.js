// Announces each action to screen readers and in a small text on the page.

import { make } from "../page/elements.js";

const SAID = 4000; // milliseconds that it is to be read

/** A line that shows a message for a while. */
export class Announcer {
  element = make("p", { class: "spoken", "aria-live": "polite" });
  #silence = 0;

  /**
   * Show a message.
   * @param {string} text the message
   * @param {boolean} stays whether it stays until the next message
   */
  say(text, stays) {
    this.element.textContent = text;
    clearTimeout(this.#silence);
    if (!stays) this.#silence = setTimeout(() => (this.element.textContent = ""), SAID);
  }
}
