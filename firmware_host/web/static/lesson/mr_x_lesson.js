// What Mister X's lesson says, from what his page is told.

import { ticketName } from "../wording.js";

/** @import { GameScene, Secrets, SeatMessage } from "../../messages.d.ts" */
/** @import { Told } from "./lesson_card.js" */

const MOVES = 3;
const SEEN = 3; // the move after which he is seen

/**
 * Say what to do next.
 * @param {?SeatMessage} seat how the table stands for Mister X; null before it has told
 * @param {boolean} open whether he looks
 * @returns {Told} what to say
 */
export function tellMrX(seat, open) {
  const his = seat?.mr_x ?? null;
  if (!seat || !his || seat.scene.rules === null || seat.scene.phase === "set_up") return { step: 0, words: "You will be Mister X. The detectives are just being set up…" };
  return tellOf(seat.scene, his, open);
}

/** @type {(scene: GameScene, his: Secrets, open: boolean) => Told} */
function tellOf(scene, his, open) {
  if (scene.outcome) return { step: MOVES, done: true, words: scene.outcome.winner === "mr_x" ? "You got away!" : "They caught you! It happens to the best. Try once more, and keep away from their dotted rings." };
  const made = scene.log.length;
  if (made > SEEN || (made === SEEN && !scene.double)) return { step: MOVES, done: true, words: ending(scene) };
  const step = made + 1;
  if (!his.choices.length) return { step: Math.min(step, MOVES), words: "Now the detectives move. They know your tickets, not your station." };
  if (!open) return { step, words: made ? "Your turn. Press “Look” again." : "You are Mister X. Nobody may see where you are, so your map lies under a cover. Press “Look”." };
  return { step: Math.min(step, MOVES), words: yourMove(scene, his.at ?? 0, step) };
}

/**
 * Say what has come of what he did last.
 * @param {GameScene} scene how the table stands for everybody
 * @returns {string} a sentence or two; "" before his first move
 */
export function reactionTo(scene) {
  const last = scene.log.at(-1);
  if (!last) return "";
  const shown = scene.log[SEEN - 1]?.station ?? null;
  if (shown !== null) return scene.log.length === SEEN ? `They see you on ${shown} now: every few moves you have to surface.` : `They saw you on ${shown}, and one ${ticketName(last.ticket)} ticket after it.`;
  if (last.ticket === "black") return "All they saw is one black ticket: it goes by everything, boats too, and tells nothing.";
  const black = scene.log.length > 1 ? " A black ticket would have told them nothing." : "";
  return `All they saw is one ${ticketName(last.ticket)} ticket: your pawn stays hidden.${black}`;
}

/** @type {(scene: GameScene, at: number, step: number) => string} */
function yourMove(scene, at, step) {
  if (scene.double === 2 || step > SEEN) return "Now the second half: vanish to any ringed station, then “Go”.";
  if (step === 1) return `You are on ${at}. Tap a ringed station; its letters are the tickets that lead there. Then press “Go”.`;
  if (step === 2) return "Now leave them guessing: tap a station, and pay with the black ticket where you are asked.";
  if (!scene.tickets.mr_x?.double) return "After this move they will see you. Go where you can run on from. A double move would hide you again at once, but it is used up.";
  return "After this move they will see you. So press “Double move”, choose two stations, and “Make both moves”: seen, and gone again.";
}

/** @param {GameScene} scene */
function ending({ log }) {
  const shown = log[SEEN - 1]?.station ?? "your station";
  if (log.length > SEEN) return `They saw you on ${shown}, but you have moved on: that is what double moves are for. You can play.`;
  return `They see you on ${shown} until you move again. A double move would have hidden you at once. You can play.`;
}
