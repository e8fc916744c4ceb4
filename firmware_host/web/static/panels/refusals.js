// Why the table did not do what was asked: said until something else is asked, or for a while.

const SAID_FOR = 6000; // milliseconds

/** @import { Listeners } from "../listeners.js" */

/**
 * Tell why orders were refused.
 * @param {Element} place where it is said
 * @param {(text: string) => boolean} elsewhere is asked first, and says whether it has been said there
 * @returns {{listeners: Listeners, clear: () => void}} what it listens to; `clear`: it has been read
 */
export function showRefusals(place, elsewhere) {
  let until = 0;
  const clear = () => {
    place.textContent = "";
  };
  return {
    clear,
    listeners: {
      refused({ text }) {
        if (elsewhere(text)) return;
        place.textContent = text;
        clearTimeout(until);
        until = setTimeout(clear, SAID_FOR);
      },
    },
  };
}
