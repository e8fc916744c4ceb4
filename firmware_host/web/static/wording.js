// What pawns, tickets and devices are called, and the small signs that stand for them. A sign always has a letter or
// a pattern besides its colour.

import { make, srOnly } from "./elements.js";

/** The pawns of Mister X's side. */
export const FUGITIVES = ["mr_x", "mr_x_junior"];

const PAWNS = { mr_x: "Mister X", mr_x_junior: "X Junior" };
const PAWN_LETTERS = { mr_x: "X", mr_x_junior: "J" };
const TICKETS = { free: "no ticket", pass: "no die", double: "double move", x: "X" };
const TICKET_LETTERS = { black: "?", free: "·", double: "2×", boat: "Bo", x: "×" };

/** A word of the table's as one says it: "stuck open". */
export function withSpaces(word) {
  return word.replaceAll("_", " ");
}

function capital(text) {
  return text.charAt(0).toUpperCase() + text.slice(1);
}

/** A pawn's name: "Mister X", "Red". */
export function pawnName(pawn) {
  return PAWNS[pawn] ?? capital(withSpaces(pawn));
}

/** What a move is made by: "taxi", "no ticket", "double move". */
export function ticketName(ticket) {
  return TICKETS[ticket] ?? withSpaces(ticket);
}

/** Words as one would say them: "a, b and c". */
export function joinWords(words, last = "and") {
  return words.length < 2 ? words.join("") : `${words.slice(0, -1).join(", ")} ${last} ${words.at(-1)}`;
}

/** A pawn's sign: a disc with its letter; its name is for screen readers where `named`. */
export function pawnDisc(pawn, named = false) {
  const letter = PAWN_LETTERS[pawn] ?? pawnName(pawn).charAt(0);
  const sign = make("span", { class: "disc", "data-of": pawn, "aria-hidden": "true" }, letter);
  return named ? make("span", {}, sign, srOnly(pawnName(pawn))) : sign;
}

/** A ticket's sign: its letter on its colour and pattern. Screen readers are told nothing: name it beside. */
export function ticketSign(name) {
  const letter = TICKET_LETTERS[name] ?? name.charAt(0).toUpperCase();
  return make("span", { class: "ticket", "data-ticket": name, "aria-hidden": "true", title: ticketName(name) }, letter);
}

/** A die's sign: the face that lies up, or nothing while it is not rolled. */
export function dieSign(face) {
  const sign = face ? ticketSign(face) : make("span", { class: "ticket", "data-ticket": "", "aria-hidden": "true" });
  sign.classList.add("die");
  return sign;
}
