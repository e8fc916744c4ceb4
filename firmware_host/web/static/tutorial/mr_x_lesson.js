// The words of Mister X's lesson, from the messages to his page.

import { gettext } from "../wording/gettext.js";
import { ticketName } from "../wording/pawn_and_ticket_names.js";

/** @import { GameScene, Secrets, SeatMessage } from "../../messages.d.ts" */
/** @import { LessonStep } from "./lesson_card.js" */

const MOVES = 3;
const SEEN = 3; // the move after which he is seen

/**
 * Return what to do next.
 * @param {?SeatMessage} seat the table's message to Mister X; null before the first
 * @returns {LessonStep} the step to show
 */
export function lessonStep(seat) {
  const secrets = seat?.mr_x ?? null;
  if (!seat || !secrets || seat.scene.rules === null || seat.scene.phase === "set_up") return { step: 0, words: gettext("You will be Mister X. The detectives are just being set up…") };
  return stepOf(seat.scene, secrets);
}

/** @type {(scene: GameScene, secrets: Secrets) => LessonStep} */
function stepOf(scene, secrets) {
  if (scene.outcome) return { step: MOVES, done: true, words: scene.outcome.winner === "mr_x" ? gettext("You got away!") : gettext("They caught you! It happens to the best. Try once more, and keep away from their dotted rings.") };
  const made = scene.log.length;
  if (made > SEEN || (made === SEEN && !scene.double)) return { step: MOVES, done: true, words: ending(scene) };
  const step = made + 1;
  if (!secrets.choices.length) return { step: Math.min(step, MOVES), words: gettext("Now the detectives move. They know your tickets, not your station.") };
  return { step: Math.min(step, MOVES), words: yourMove(scene, secrets.at ?? 0, step) };
}

/**
 * Return the result of Mister X's last move.
 * @param {GameScene} scene the public scene
 * @returns {string} a sentence or two; "" before his first move
 */
export function reactionTo(scene) {
  const last = scene.log.at(-1);
  if (!last) return "";
  const station = scene.log[SEEN - 1]?.station ?? null;
  const ticket = ticketName(last.ticket);
  if (station !== null && scene.log.length === SEEN) return gettext("They see you on {station} now: every few moves you have to surface.", { station });
  if (station !== null) return gettext("They saw you on {station}, and one {ticket} ticket after it.", { station, ticket });
  const [first] = last.double === 2 ? scene.log.slice(-2) : [];
  if (first) return gettext("All they saw is two tickets, {first} and {second}: your pawn stays hidden.", { first: ticketName(first.ticket), second: ticket });
  if (last.ticket === "black") return gettext("All they saw is one black ticket: it goes by everything, boats too, and reveals nothing.");
  const saw = gettext("All they saw is one {ticket} ticket: your pawn stays hidden.", { ticket });
  return scene.log.length > 1 ? [saw, gettext("A black ticket would have shown them nothing.")].join(" ") : saw;
}

/** @type {(scene: GameScene, at: number, step: number) => string} */
function yourMove(scene, at, step) {
  if (scene.double === 2 || step > SEEN) return gettext("Now the second half: vanish to any ringed station, then “Go”.");
  if (step === 1) return gettext("You are Mister X, on {station}, and nobody else sees you. Tap a ringed station; its letters are the tickets that lead there. Then press “Go”.", { station: at });
  if (step === 2) return gettext("Now leave them guessing: tap a station, and pay with the black ticket where you are asked.");
  if (!scene.tickets.mr_x?.double) return gettext("After this move they will see you. Go where you can run on from. A double move would hide you again at once, but it is used up.");
  return gettext("After this move they will see you. So press “Double move”, choose two stations, and “Make both moves”: seen, and gone again.");
}

/** @param {GameScene} scene */
function ending({ log, tickets }) {
  const station = log[SEEN - 1]?.station ?? "";
  if (log.length > SEEN && log[SEEN - 1]?.double === 1) return gettext("They saw you on {station}, but you have moved on: that is what double moves are for. You can play.", { station });
  if (log.length > SEEN) return gettext("They saw you on {station} until you moved on. A double move would have hidden you at once. You can play.", { station });
  if (!tickets.mr_x?.double) return gettext("They see you on {station} until you move again. A double move that you had kept would have hidden you at once. You can play.", { station });
  return gettext("They see you on {station} until you move again. A double move would have hidden you at once. You can play.", { station });
}
