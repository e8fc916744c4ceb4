// Why the table refused an order. The reason is shown below the sentence until the next order, or for a while.

import { signalRefusal } from "../sounds/refusal_signal.js";
import { withKeyNames } from "../wording/key_names.js";

const SAID_FOR = 6000; // milliseconds

/** @import { Listeners } from "../page/listeners.js" */

/**
 * @typedef {object} Refusals
 * @property {Listeners} listeners what it listens to
 * @property {(text: string) => void} say shows another reason, of the page's own
 * @property {() => void} clear hides the reason, because the user has read it
 */

/**
 * Show why orders were refused.
 * @param {HTMLElement} place the element that shows it
 * @param {(text: string) => boolean} elsewhere is asked first; returns whether another part shows the reason
 * @returns {Refusals} the control of this text
 */
export function showRefusals(place, elsewhere) {
  let until = 0;
  const clear = () => {
    place.textContent = "";
  };
  /** @type {Refusals["say"]} */
  const say = (text) => {
    place.textContent = /[.!?…]$/.test(text) ? text : `${text}.`;
    signalRefusal();
    clearTimeout(until);
    until = setTimeout(clear, SAID_FOR);
  };
  /** @type {Listeners["refused"]} */
  const refused = ({ text }) => {
    const words = withKeyNames(text);
    if (elsewhere(words)) signalRefusal();
    else say(words);
  };
  return { clear, say, listeners: { refused } };
}
