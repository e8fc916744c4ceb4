// What Mister X's page says of how he stands: what is to be done, and when he will be seen.

import { plural } from "./formatting.js";
import { FUGITIVES, pawnName } from "./wording.js";

/** @import { Scene, SeatMessage, Secrets } from "../messages.d.ts" */

/**
 * Say what is to be done now.
 * @param {SeatMessage} seat what the table has told
 * @param {{moves: unknown[], busy: boolean}} move what may be chosen, and whether a choice is on its way
 * @returns {string} a sentence
 */
export function headline(seat, { moves, busy }) {
  const { scene, mr_x: his } = seat;
  if (scene.rules === null) return "There is no game yet.";
  if (scene.ended) return `${scene.ended.who}. ${scene.ended.why}`;
  if (!his) return "The computer plays Mister X: there is nothing to be seen here.";
  if (busy) return "On your way…";
  if (!his.choices.length || scene.phase !== "play" || scene.wrong) return scene.prompt.text;
  return his.at === null ? "Choose where you begin." : yourTurn(his, scene.double, moves.length > 0);
}

/** @type {(his: Secrets, half: number, goes: boolean) => string} */
function yourTurn({ at, actor }, half, goes) {
  const where = `${actor === "mr_x" ? "You are" : `${pawnName(actor)} is`} on ${at}.`;
  if (half === 2) return `${where} Now the second move.`;
  return goes ? `${where} Where to?` : where;
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
  const left = Array.from({ length: scene.windows - scene.log.length }, (_, n) => next + n);
  const marked = left.find((window) => scene.surfacing.includes(window) !== scene.in_sight);
  if (scene.in_sight) return marked === undefined ? "" : vanishing(marked, next);
  const now = FUGITIVES.some((pawn) => pawn in scene.pawns) ? "They see you now. " : "";
  if (shows) return `${now}You are seen after your next move.`;
  return marked === undefined ? now : `${now}You are seen after move ${marked}: ${before(marked - next)}.`;
}

/** @type {(window: number, next: number) => string} */
function vanishing(window, next) {
  return window === next ? "Your next move is hidden." : `Move ${window} will be hidden: ${before(window - next)}.`;
}

/** @param {number} moves */
function before(moves) {
  return `${plural(moves, "move")} before it`;
}
