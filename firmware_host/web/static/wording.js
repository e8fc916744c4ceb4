// What pawns, tickets and devices are called.

/** The pawns of Mister X's side. */
export const FUGITIVES = ["mr_x", "mr_x_junior"];

/** @type {Record<string, string>} */
const PAWNS = { mr_x: "Mister X", mr_x_junior: "X Junior" };
/** @type {Record<string, string>} */
const TICKETS = { free: "no ticket", pass: "no die", double: "double move", x: "X" };

/**
 * Write a word of the table's as one says it: "stuck open" for "stuck_open".
 * @param {string} word the table's
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
 * Name what a move is made by: "taxi", "no ticket", "double move".
 * @param {string} ticket such as "free"
 * @returns {string} its name for people
 */
export function ticketName(ticket) {
  return TICKETS[ticket] ?? withSpaces(ticket);
}

/**
 * Join words as one would say them: "a, b and c".
 * @param {string[]} words the words
 * @param {string} last what stands before the last of them
 * @returns {string} all of them
 */
export function joinWords(words, last = "and") {
  return words.length < 2 ? words.join("") : `${words.slice(0, -1).join(", ")} ${last} ${words.at(-1)}`;
}
