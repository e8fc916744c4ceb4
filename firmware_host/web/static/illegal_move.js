// Why a move is none, as far as everybody can see it.

import { joinWords, pawnName } from "./wording.js";

/**
 * A sentence on the one pawn that was set down where it may not go; "" if there is nothing to be said.
 * @param {object} scene
 * @returns {string}
 */
export function explainIllegalMove({ phase, wrong, mismatch, turn, owners, pawns, moves }) {
  const { missing, extra } = mismatch;
  const [pawn, more] = Object.keys(missing);
  if (phase !== "play" || !wrong || !(pawn in owners) || more || extra.length !== 1) return "";
  if (!turn.includes(pawn)) return `It is ${joinWords(turn.map(pawnName), "or")}'s turn.`;
  const [to] = extra;
  if (!(pawn in pawns) || moves.some((move) => move.pawn === pawn && move.to === to)) return "";
  return `${pawnName(pawn)} cannot go from ${pawns[pawn]} to ${to} now.`;
}
