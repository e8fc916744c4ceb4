// The small signs that stand for pawns, tickets and dice. A sign always has a letter or a pattern besides its colour.

import { make, srOnly } from "../page/elements.js";
import { pgettext } from "./gettext.js";
import { pawnName, ticketName } from "./pawn_and_ticket_names.js";

// The letters of each pawn, in the page's language: two letters if another pawn has the same first letter.
/** @type {Record<string, string>} */
const PAWN_LETTERS = {
  mr_x: "X",
  mr_x_junior: pgettext("letter of a pawn", "J"),
  red: pgettext("letter of a pawn", "R"),
  yellow: pgettext("letter of a pawn", "Y"),
  green: pgettext("letter of a pawn", "G"),
  blue: pgettext("letter of a pawn", "B"),
  purple: pgettext("letter of a pawn", "P"),
  black: pgettext("letter of a pawn", "Bk"),
  white: pgettext("letter of a pawn", "W"),
};
/** @type {Record<string, string>} */
const TICKET_LETTERS = {
  taxi: pgettext("letter of a taxi ticket", "T"),
  bus: pgettext("letter of a bus ticket", "B"),
  underground: pgettext("letter of an underground ticket", "U"),
  helicopter: pgettext("letter of the helicopter", "H"),
  start: pgettext("letter of the start", "S"),
  stay: "✓",
  pass: pgettext("letter of passing", "P"),
  black: "?",
  free: "·",
  double: "2×",
  boat: pgettext("short for boat", "Bo"),
  x: "×",
};

/**
 * Return the letters of a pawn, for places without room for its name.
 * @param {string} pawn such as "mr_x"
 * @returns {string} a letter or two
 */
export function pawnLetter(pawn) {
  return PAWN_LETTERS[pawn] ?? pawn.charAt(0).toUpperCase();
}

/**
 * Create a pawn's sign: a disc with its letter.
 * @param {string} pawn such as "mr_x"
 * @param {boolean} named whether screen readers read its name
 * @returns {HTMLElement} the sign
 */
export function pawnDisc(pawn, named = false) {
  const letter = pawnLetter(pawn);
  const look = { class: "disc", "data-of": pawn, "data-letters": letter.length };
  const sign = make("span", { ...look, "aria-hidden": "true" }, make("span", {}, letter));
  return named ? make("span", {}, sign, srOnly(pawnName(pawn))) : sign;
}

/**
 * Return the letters of a ticket, for places without room for its name.
 * @param {string} name such as "taxi"
 * @returns {string} a letter or two
 */
export function ticketLetter(name) {
  return TICKET_LETTERS[name] ?? name.charAt(0).toUpperCase();
}

/**
 * Create a ticket's sign: its letter on its colour and pattern. Screen readers skip the sign: put the name beside it.
 * @param {string} name such as "taxi"
 * @returns {HTMLElement} the sign
 */
export function ticketSign(name) {
  const letter = ticketLetter(name);
  return make("span", { class: "ticket", "data-ticket": name, "aria-hidden": "true", title: ticketName(name) }, letter);
}

/**
 * Create a die's sign: its upper face.
 * @param {string} face such as "bus", or "" before the roll
 * @returns {HTMLElement} the sign
 */
export function dieSign(face) {
  const sign = face ? ticketSign(face) : make("span", { class: "ticket", "data-ticket": "", "aria-hidden": "true" });
  sign.classList.add("die");
  return sign;
}
