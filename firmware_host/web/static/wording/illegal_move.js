// Why a move is not legal, in words: from public data, and on Mister X's own page also from his station.

import { gettext } from "./gettext.js";
import { joinWords } from "./joining.js";
import { FUGITIVES, pawnName, ticketName } from "./pawn_and_ticket_names.js";

/** @import { GameScene, Scene } from "../../messages.d.ts" */
/** @import { Lines } from "./station_descriptions.js" */

/**
 * Explain why the one pawn that was set down may not go there.
 * @param {Scene} scene the table's scene
 * @returns {string} a sentence; "" if there is nothing to be said
 */
export function explainIllegalMove(scene) {
  if (scene.rules === null || scene.phase !== "play" || !scene.wrong) return "";
  const { mismatch, turn, owners, pawns, moves } = scene;
  const { missing, extra } = mismatch;
  const [pawn, more] = Object.keys(missing);
  if (pawn === undefined || !(pawn in owners) || more || extra.length !== 1) return "";
  if (!turn.includes(pawn)) return itsTurn(turn);
  const [from, [to]] = [pawns[pawn], extra];
  if (from === undefined || to === undefined || moves.some((move) => move.pawn === pawn && move.to === to)) return "";
  return cannotGo(scene.dice, pawn, from, to);
}

/**
 * Say why the user may not put a held pawn on a station.
 * @param {?Scene} scene the table's scene; null before the first
 * @param {Lines} lines the lines of the board
 * @param {string} pawn the pawn
 * @param {number} to the station
 * @returns {string} a short sentence; "" if the pawn may, or if the table has to explain
 */
export function whyNotThere(scene, lines, pawn, to) {
  if (scene === null || scene.rules === null) return gettext("There is no game yet.");
  if (scene.phase === "over") return gettext("The game is over.");
  const wanted = scene.set_down[pawn] ?? scene.mismatch.missing[pawn];
  if (wanted === to) return "";
  if (wanted !== undefined) return gettext("{pawn} belongs on {station}.", { pawn: pawnName(pawn), station: wanted });
  if (scene.phase === "carry_out") return gettext("The computer's pawn is on its way.");
  return scene.phase === "play" ? whyNotNow(scene, lines, pawn, to) : gettext("The pawns are being set up.");
}

/**
 * Say why a tap does not take a pawn up: it is another's turn.
 * @param {?Scene} scene the table's scene; null before the first
 * @param {string} pawn the pawn
 * @returns {string} a short sentence; "" if it may be taken up
 */
export function whyNotTaken(scene, pawn) {
  if (scene === null || scene.rules === null || scene.phase !== "play" || scene.turn.includes(pawn)) return "";
  return pawn in scene.mismatch.missing || pawn in scene.set_down ? "" : itsTurn(scene.turn);
}

/**
 * Say why Mister X cannot go from one station to another.
 * @param {Scene} scene the table's scene
 * @param {Lines} lines the lines of the board
 * @param {string} pawn which of his
 * @param {number} from the station
 * @param {number} to the other
 * @returns {string} a short sentence; "" if it is not time to move
 */
export function whyMrXCannotGo(scene, lines, pawn, from, to) {
  if (scene.rules === null || scene.phase !== "play" || from === to) return "";
  if (!scene.turn.includes(pawn)) return itsTurn(scene.turn);
  const [there] = standing(scene.pawns, to);
  if (there !== undefined) return gettext("{pawn} stands on {station}.", { pawn: pawnName(there), station: to });
  if (scene.dice === null && !waysBetween(lines, from, to).length) return gettext("No line leads from {from} to {to}.", { from, to });
  return cannotGo(scene.dice, pawn, from, to);
}

// Return the detective on a station, and the station.
/** @type {(pawns: Record<string, number>, station: number) => [string?, number?]} */
function standing(pawns, station) {
  return Object.entries(pawns).find(([pawn, at]) => at === station && !FUGITIVES.includes(pawn)) ?? [];
}

/** @type {(lines: Lines, from: number, to: number) => string[]} */
function waysBetween(lines, from, to) {
  return lines.filter(([a, b]) => (a === from && b === to) || (a === to && b === from)).map(([, , way]) => way);
}

/** @type {(scene: GameScene, lines: Lines, pawn: string, to: number) => string} */
function whyNotNow(scene, lines, pawn, to) {
  if (!scene.turn.includes(pawn)) return itsTurn(scene.turn);
  if (FUGITIVES.includes(pawn)) return scene.in_sight ? "" : gettext("Mister X moves on his own screen.");
  if (scene.moves.some((move) => move.pawn === pawn && move.to === to)) return "";
  if (scene.dice?.to_roll) return gettext("The dice are to be rolled first.");
  return whyNoMove(scene, lines, pawn, to);
}

/** @type {(scene: GameScene, lines: Lines, pawn: string, to: number) => string} */
function whyNoMove({ pawns, tickets, dice }, lines, pawn, to) {
  const from = pawns[pawn];
  if (from === undefined) return gettext("{pawn} cannot start on {station}.", { pawn: pawnName(pawn), station: to });
  const [there] = standing(pawns, to);
  if (there !== undefined) return gettext("{pawn} stands on {station}.", { pawn: pawnName(there), station: to });
  const ways = waysBetween(lines, from, to);
  if (dice !== null) return cannotGo(dice, pawn, from, to);
  if (!ways.length) return gettext("No line leads from {from} to {to}.", { from, to });
  if (ways.every((way) => way === "boat")) return gettext("Only Mister X goes by boat.");
  const left = tickets[pawn];
  const none = left && ways.every((way) => !left[way]);
  if (!none) return cannotGo(dice, pawn, from, to);
  const paid = joinWords(ways.filter((way) => way !== "boat").map(ticketName), "or");
  return gettext("{pawn} has no {tickets} ticket left.", { pawn: pawnName(pawn), tickets: paid });
}

/** @type {(dice: GameScene["dice"], pawn: string, from: number, to: number) => string} */
function cannotGo(dice, pawn, from, to) {
  const values = { pawn: pawnName(pawn), from, to };
  return dice ? gettext("No die takes {pawn} from {from} to {to}.", values) : gettext("{pawn} cannot go from {from} to {to} now.", values);
}

/** @param {string[]} turn */
function itsTurn(turn) {
  return gettext("It is {pawns}'s turn.", { pawns: joinWords(turn.map(pawnName), "or") });
}
