// The texts of the detective's lesson, from the public scene.

import { gettext } from "../wording/gettext.js";
import { ticketName } from "../wording/pawn_and_ticket_names.js";

/** @import { GameScene, Scene } from "../../messages.d.ts" */
/** @import { LessonStep } from "./lesson_card.js" */

const MOVES = 3;
const MINE = "red";

const WAIT = gettext("Wait until it is your turn, then move the red pawn.");
/**
 * The page's text why something is impossible -> a hint that helps.
 * @type {[string, string][]}
 */
const HINTS = [
  [
    gettext("No line leads from {from} to {to}."),
    gettext("A move goes along one line, to the very next station on it: the rings show where."),
  ],
  [
    gettext("{pawn} has no {tickets} ticket left."),
    gettext("Each line takes its own ticket; the list of tickets shows what you have left. Take another line."),
  ],
  [gettext("Mister X moves on his own screen."), WAIT],
  [gettext("It is {pawns}'s turn."), WAIT],
  [gettext("{pawn} cannot go from {from} to {to} now."), gettext("The rings show where red can go.")],
];

/** A lesson that follows a chase. For each scene it says what to do next, and what the last move achieved. */
export class DetectiveLesson {
  #moves = 0;
  /** @type {?Record<string, number>} */
  #hand = null;
  #reaction = "";

  /**
   * The result of the last move.
   * @returns {string} a sentence or two, or ""
   */
  get reaction() {
    return this.#reaction;
  }

  /**
   * Follow the game.
   * @param {Scene} scene the table's scene
   * @returns {LessonStep} what to say
   */
  follow(scene) {
    if (scene.rules === null || scene.phase === "set_up") return { step: 0, words: gettext("You will be a detective. The pawns are just being set up…") };
    this.#countTickets(scene);
    if (scene.outcome) return { step: MOVES, done: true, words: caught(scene) };
    if (this.#moves >= MOVES) return { step: MOVES, done: true, words: gettext("He got away this time. You know how a detective hunts: read his tickets, and close in where he was seen.") };
    const step = this.#moves + 1;
    return { step, words: scene.turn.includes(MINE) ? yourMove(scene, step) : mrXMove(scene, step) };
  }

  // Note which ticket was paid or returned.
  /** @param {GameScene} scene */
  #countTickets({ tickets }) {
    const hand = tickets[MINE] ?? {};
    const before = this.#hand;
    this.#hand = hand;
    if (before === null) return;
    for (const [kind, left] of Object.entries(hand)) {
      const had = before[kind] ?? 0;
      if (left < had) {
        this.#moves += 1;
        const values = { ticket: ticketName(kind), his: tickets.mr_x?.[kind] ?? 0, left };
        this.#reaction = gettext("Your {ticket} ticket goes to Mister X, who may use it: he has {his} now, you have {left}.", values);
      } else if (left > had) {
        this.#moves -= 1;
        this.#reaction = gettext("Taken back: you have your ticket again.");
      }
    }
  }
}

/**
 * Add a hint to a text why something is impossible.
 * @param {string} why the page's text
 * @returns {string} the same, and a hint
 */
export function withAdvice(why) {
  const [, hint] = HINTS.find(([said]) => says(why, said)) ?? [];
  return hint ? `${why} ${hint}` : why;
}

// Return whether a text is this one, with any values in its braces.
/** @type {(text: string, said: string) => boolean} */
function says(text, said) {
  const pattern = said.replace(/[.*+?^${}()|[\]\\]/g, "\\$&").replace(/\\\{\w+\\\}/g, ".+");
  return new RegExp(`^${pattern}$`, "u").test(text);
}

/** @type {(scene: GameScene, step: number) => string} */
function mrXMove({ log, surfacing }, step) {
  if (step === 1) return gettext("You are red. Mister X hides in London, and nobody sees his pawn. He moves first: watch his log.");
  if (step === 2 || !surfacing.includes(log.length + 1)) return gettext("Mister X moves, unseen as before…");
  return gettext("Now he makes his third move. After that one he has to show himself…");
}

/** @type {(scene: GameScene, step: number) => string} */
function yourMove(scene, step) {
  const [asked] = scene.asked;
  if (asked) return gettext("More than one line leads to {station}. Press the ticket that you want to pay with.", { station: asked.to });
  const paid = scene.log.at(-1)?.ticket ?? "";
  const ticket = ticketName(paid);
  if (step === 1) return gettext("He paid one {ticket} ticket: that is all you learn. Your turn: drag red from {station} along one line to a ringed station, or tap both.", { ticket, station: scene.pawns[MINE] ?? 0 });
  if (step === 2 && paid === "black") return gettext("A black ticket! He may have gone by anything, even by boat. Move again: yellow lines are taxis, green ones buses, which go farther.");
  if (step === 2) return gettext("He paid one {ticket} ticket. Move again: green lines are buses, which go farther.", { ticket });
  const mrX = scene.pawns.mr_x;
  if (mrX === undefined) return gettext("Move once more.");
  const near = scene.moves.some(({ pawn, to }) => pawn === MINE && to === mrX);
  if (near) return gettext("There he is, on {station}, for all to see, and you are right beside him. Move to {station} and you have him!", { station: mrX });
  return gettext("There he is, on {station}, for all to see. Too far for one move: come as near as you can.", { station: mrX });
}

/** @param {GameScene} scene */
function caught({ outcome, pawns }) {
  if (outcome?.winner !== "detectives") return gettext("Mister X has won this one.");
  const station = pawns[MINE];
  if (station === undefined) return gettext("Caught on the spot! A detective on his station wins for all detectives.");
  return gettext("Caught on {station}! A detective on his station wins for all detectives.", { station });
}
