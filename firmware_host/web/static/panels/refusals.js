// Why the table did not do what was asked: said until something else is asked, or for a while.

const SAID_FOR = 6000; // milliseconds

/** @import { Listeners } from "../listeners.js" */

/**
 * Tell why orders were refused.
 * @param {Element} place where it is said
 * @param {(text: string) => boolean} elsewhere is asked first, and says whether it has been said there
 * @returns {{listeners: Listeners, say: (text: string) => void, clear: () => void}} what it listens to; `say`: another
 *   reason, of the page's own; `clear`: it has been read
 */
export function showRefusals(place, elsewhere) {
  let until = 0;
  const clear = () => {
    place.textContent = "";
  };
  const say = (/** @type {string} */ text) => {
    place.textContent = text;
    clearTimeout(until);
    until = setTimeout(clear, SAID_FOR);
  };
  return { clear, say, listeners: { refused: ({ text }) => elsewhere(text) || say(text) } };
}
