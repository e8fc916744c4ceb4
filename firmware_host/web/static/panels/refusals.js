// Why the table did not do what was asked: said until something else is asked, or for a while.

import { withKeyNames } from "../wording/key_names.js";

const SAID_FOR = 6000; // milliseconds
const RIM = 8; // pixels of the page that stay free around what is said on the board
const RISE = 44; // pixels from a station to what is said above it: a pawn that stands there is seen

/** @import { Listeners } from "../page/listeners.js" */
/** @import { Point } from "../board/pawns.js" */

/**
 * @typedef {object} Refusals
 * @property {Listeners} listeners what it listens to
 * @property {(text: string, at?: ?Point) => void} say says another reason, of the page's own, above a point of the page
 * @property {() => void} clear it has been read
 */

/**
 * Tell why orders were refused.
 * @param {HTMLElement} place where it is said
 * @param {(text: string) => boolean} elsewhere is asked first, and says whether it has been said there
 * @returns {Refusals} what tells it
 */
export function showRefusals(place, elsewhere) {
  let until = 0;
  const clear = () => {
    place.textContent = "";
  };
  /** @type {Refusals["say"]} */
  const say = (text, at = null) => {
    place.textContent = /[.!?…]$/.test(text) ? text : `${text}.`;
    place.toggleAttribute("data-near", at !== null);
    if (at) putAbove(place, at);
    clearTimeout(until);
    until = setTimeout(clear, SAID_FOR);
  };
  /** @type {Listeners["refused"]} */
  const refused = ({ text }) => {
    const words = withKeyNames(text);
    if (!elsewhere(words)) say(words);
  };
  return { clear, say, listeners: { refused } };
}

// Put it above a point, or below where there is no room; never beside the page.
/** @type {(place: HTMLElement, at: Point) => void} */
function putAbove(place, { x, y }) {
  const { offsetWidth: wide, offsetHeight: high } = place;
  const left = Math.max(RIM, Math.min(innerWidth - wide - RIM, x - wide / 2));
  const above = y - RISE - high;
  place.style.setProperty("--left", `${left}px`);
  place.style.setProperty("--top", `${above > RIM ? above : y + RISE}px`);
}
