// The small signs that stand for pawns, tickets and dice. A sign always has a letter or a pattern besides its colour.

import { make, srOnly } from "./elements.js";
import { pawnName, ticketName } from "./wording.js";

/** @type {Record<string, string>} */
const PAWN_LETTERS = { mr_x: "X", mr_x_junior: "J" };
/** @type {Record<string, string>} */
const TICKET_LETTERS = { black: "?", free: "·", double: "2×", boat: "Bo", x: "×" };

/**
 * Make a pawn's sign: a disc with its letter.
 * @param {string} pawn such as "mr_x"
 * @param {boolean} named whether screen readers are told its name
 * @returns {HTMLElement} the sign
 */
export function pawnDisc(pawn, named = false) {
  const letter = PAWN_LETTERS[pawn] ?? pawnName(pawn).charAt(0);
  const sign = make("span", { class: "disc", "data-of": pawn, "aria-hidden": "true" }, letter);
  return named ? make("span", {}, sign, srOnly(pawnName(pawn))) : sign;
}

/**
 * Make a ticket's sign: its letter on its colour and pattern. Screen readers are told nothing: name it beside.
 * @param {string} name such as "taxi"
 * @returns {HTMLElement} the sign
 */
export function ticketSign(name) {
  const letter = TICKET_LETTERS[name] ?? name.charAt(0).toUpperCase();
  return make("span", { class: "ticket", "data-ticket": name, "aria-hidden": "true", title: ticketName(name) }, letter);
}

/**
 * Make a die's sign: the face that lies up.
 * @param {string} face such as "bus", or "" while it is not rolled
 * @returns {HTMLElement} the sign
 */
export function dieSign(face) {
  const sign = face ? ticketSign(face) : make("span", { class: "ticket", "data-ticket": "", "aria-hidden": "true" });
  sign.classList.add("die");
  return sign;
}
