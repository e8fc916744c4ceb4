// What Mister X's page says of how he stands: what is to be done, and when he will be seen.

import { FUGITIVES, pawnName } from "./wording.js";

/** @import { Scene, SeatMessage, Secrets } from "../messages.d.ts" */

/**
 * Say what is to be done now.
 * @param {?SeatMessage} seat what the table has told
 * @param {{moves: unknown[], busy: boolean}} move what may be chosen, and whether a choice is on its way
 * @returns {string} a sentence
 */
export function headline(seat, { moves, busy }) {
  if (!seat || seat.scene.rules === null) return "There is no game yet.";
  const { scene, mr_x: his } = seat;
  if (scene.outcome) return scene.ended ? `${scene.ended.who}. ${scene.ended.why}` : "The game is over.";
  if (!his) return "The computer plays Mister X: there is nothing to be seen here.";
  if (busy) return "On your way…";
  if (!his.choices.length || scene.phase !== "play" || scene.wrong) return scene.prompt.text;
  const who = his.actor === "mr_x" ? "You are" : `${pawnName(his.actor)} is`;
  if (his.at === null) return "Choose where you begin.";
  if (scene.double === 2) return `${who} on ${his.at}. Now the second move.`;
  return moves.length ? `${who} on ${his.at}. Where to?` : `${who} on ${his.at}.`;
}

/**
 * Say when he will be seen, or out of sight.
 * @param {Scene} scene how the table stands
 * @param {Secrets} secrets what he knows
 * @returns {string} a sentence, or "" where nothing is to be said
 */
export function whenSeen(scene, { shows }) {
  if (scene.rules === null || scene.outcome || !scene.windows) return "";
  const next = scene.log.length + 1;
  const seen = (/** @type {number} */ window) => scene.surfacing.includes(window);
  const all = Array.from({ length: scene.windows - scene.log.length }, (_, n) => next + n);
  const turns = all.find((window) => seen(window) !== scene.in_sight);
  const now = FUGITIVES.some((pawn) => pawn in scene.pawns);
  const before = now && !scene.in_sight ? "They see you now. " : "";
  if (scene.in_sight) return turns === undefined ? "" : turns === next ? "Your next move is hidden." : `You vanish at move ${turns}, in ${turns - next} ${turns - next === 1 ? "move" : "moves"}.`;
  if (shows) return `${before}You are seen after your next move.`;
  if (turns === undefined) return before.trim();
  return `${before}You are seen after move ${turns}: ${turns - next} hidden ${turns - next === 1 ? "move" : "moves"} before it.`;
}
