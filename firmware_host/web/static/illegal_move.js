// Why a move is none, as far as everybody can see it.

import { joinWords, pawnName } from "./wording.js";

/** @import { Scene } from "../messages.d.ts" */

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
  if (!turn.includes(pawn)) return `It is ${joinWords(turn.map(pawnName), "or")}'s turn.`;
  const [to] = extra;
  if (!(pawn in pawns) || moves.some((move) => move.pawn === pawn && move.to === to)) return "";
  return `${pawnName(pawn)} cannot go from ${pawns[pawn]} to ${to} now.`;
}
