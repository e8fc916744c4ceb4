// Why a move is none, as far as everybody can see it.

import { FUGITIVES, joinWords, pawnName, ticketName } from "./wording.js";

/** @import { GameScene, Scene } from "../messages.d.ts" */

/** @typedef {[number, number, string][]} Lines what joins two stations, and how */

/**
 * Explain why the one pawn that was set down may not go there.
 * @param {Scene} scene how the table stands
 * @returns {string} a sentence; "" if there is nothing to be said
 */
export function explainIllegalMove(scene) {
  if (scene.rules === null || scene.phase !== "play" || !scene.wrong) return "";
  const { mismatch, turn, owners, pawns, moves } = scene;
  const { missing, extra } = mismatch;
  const [pawn, more] = Object.keys(missing);
  if (pawn === undefined || !(pawn in owners) || more || extra.length !== 1) return "";
  if (!turn.includes(pawn)) return itsTurn(turn);
  const [to] = extra;
  if (!(pawn in pawns) || moves.some((move) => move.pawn === pawn && move.to === to)) return "";
  return `${pawnName(pawn)} cannot go from ${pawns[pawn]} to ${to} now.`;
}

/**
 * Tell why a pawn that is in the hand may not be put on a station.
 * @param {?Scene} scene how the table stands; null before it has told
 * @param {Lines} lines the lines of the board
 * @param {string} pawn which
 * @param {number} to the station
 * @returns {string} a short sentence; "" if it may, or if the table has to say
 */
export function whyNotThere(scene, lines, pawn, to) {
  if (scene === null || scene.rules === null) return "There is no game yet.";
  if (scene.phase === "over") return "The game is over.";
  const wanted = scene.set_down[pawn] ?? scene.mismatch.missing[pawn];
  if (wanted !== undefined) return wanted === to ? "" : `${pawnName(pawn)} belongs on ${wanted}.`;
  if (scene.phase === "carry_out") return "The computer's pawn is on its way.";
  return scene.phase === "play" ? whyNotNow(scene, lines, pawn, to) : "The pawns are being set up.";
}

/** @type {(scene: GameScene, lines: Lines, pawn: string, to: number) => string} */
function whyNotNow(scene, lines, pawn, to) {
  if (!scene.turn.includes(pawn)) return itsTurn(scene.turn);
  if (FUGITIVES.includes(pawn)) return scene.in_sight ? "" : "Mister X moves on his own screen.";
  if (scene.moves.some((move) => move.pawn === pawn && move.to === to)) return "";
  if (scene.dice?.to_roll) return "The dice are to be rolled first.";
  return whyNoMove(scene, lines, pawn, to);
}

/** @type {(scene: GameScene, lines: Lines, pawn: string, to: number) => string} */
function whyNoMove({ pawns, tickets, dice }, lines, pawn, to) {
  const from = pawns[pawn];
  if (from === undefined) return `${pawnName(pawn)} cannot start on ${to}.`;
  const [there] = Object.entries(pawns).find(([other, at]) => at === to && !FUGITIVES.includes(other)) ?? [];
  if (there !== undefined) return `${pawnName(there)} stands on ${to}.`;
  const ways = lines.filter(([a, b]) => (a === from && b === to) || (a === to && b === from)).map(([, , way]) => way);
  const never = `${pawnName(pawn)} cannot go from ${from} to ${to} now.`;
  if (dice !== null) return never;
  if (!ways.length) return `No line leads from ${from} to ${to}.`;
  if (ways.every((way) => way === "boat")) return "Only Mister X goes by boat.";
  const left = tickets[pawn];
  const none = left && ways.every((way) => !left[way]);
  const paid = ways.filter((way) => way !== "boat").map(ticketName);
  return none ? `${pawnName(pawn)} has no ${joinWords(paid, "or")} ticket left.` : never;
}

/** @param {string[]} turn */
function itsTurn(turn) {
  return `It is ${joinWords(turn.map(pawnName), "or")}'s turn.`;
}
