// The names of pawns and tickets.

import { gettext, pgettext } from "./gettext.js";

/** The pawns of Mister X's side. */
export const FUGITIVES = ["mr_x", "mr_x_junior"];

/** @type {Record<string, string>} */
const PAWNS = {
  mr_x: gettext("Mister X"),
  mr_x_junior: gettext("X Junior"),
  red: pgettext("pawn", "Red"),
  yellow: pgettext("pawn", "Yellow"),
  green: pgettext("pawn", "Green"),
  blue: pgettext("pawn", "Blue"),
  purple: pgettext("pawn", "Purple"),
  black: pgettext("pawn", "Black"),
  white: pgettext("pawn", "White"),
};

/** @type {Record<string, string>} */
const TICKETS = {
  taxi: pgettext("ticket", "taxi"),
  bus: pgettext("ticket", "bus"),
  underground: pgettext("ticket", "underground"),
  black: pgettext("ticket", "black"),
  boat: pgettext("ticket", "boat"),
  free: gettext("no ticket"),
  double: pgettext("ticket", "double move"),
  helicopter: pgettext("ticket", "helicopter"),
  start: pgettext("ticket", "start"),
  stay: pgettext("ticket", "stay"),
  pass: gettext("no die"),
  x: pgettext("die", "X"),
};

// The names of tickets after the word "by", as in "may be reached by taxi": other languages say "with the taxi" there.
/** @type {Record<string, string>} */
const MEANS = {
  taxi: pgettext("by", "taxi"),
  bus: pgettext("by", "bus"),
  underground: pgettext("by", "underground"),
  black: pgettext("by", "black"),
  boat: pgettext("by", "boat"),
  helicopter: pgettext("by", "helicopter"),
  x: pgettext("by", "X"),
};

/**
 * Write a word of the protocol for people: "stuck open" for "stuck_open".
 * @param {string} word the word
 * @returns {string} the same with spaces
 */
export function withSpaces(word) {
  return word.replaceAll("_", " ");
}

/**
 * Name a pawn: "Mister X", "Red".
 * @param {string} pawn such as "mr_x"
 * @returns {string} its name for people
 */
export function pawnName(pawn) {
  return PAWNS[pawn] ?? pawn.charAt(0).toUpperCase() + withSpaces(pawn.slice(1));
}

/**
 * Return the name of the ticket for a move: "taxi", "no ticket", "double move".
 * @param {string} ticket such as "free"
 * @returns {string} its name for people
 */
export function ticketName(ticket) {
  return TICKETS[ticket] ?? withSpaces(ticket);
}

/**
 * Return the name of a ticket as it follows "by": "taxi".
 * @param {string} ticket such as "taxi"
 * @returns {string} its name for people
 */
export function meansName(ticket) {
  return MEANS[ticket] ?? ticketName(ticket);
}
