// What the detective's lesson says, from how the table stands. It knows what everybody knows.

import { pawnName, ticketName } from "../wording.js";

/** @import { GameScene, Scene } from "../../messages.d.ts" */
/** @import { Told } from "./lesson_card.js" */

const MOVES = 3;
const MINE = "red";

/** How a lesson follows a chase: told each scene, it says what to do next, and what has come of it. */
export class DetectiveLesson {
  #moves = 0;
  /** @type {?Record<string, number>} */
  #hand = null;
  #reaction = "";

  /**
   * What has come of what was done last.
   * @returns {string} a sentence or two, or ""
   */
  get reaction() {
    return this.#reaction;
  }

  /**
   * Follow the game.
   * @param {Scene} scene how the table stands
   * @returns {Told} what to say
   */
  tell(scene) {
    if (scene.rules === null || scene.phase === "set_up") return { step: 0, words: "You will be a detective. The pawns are just being set up…" };
    this.#follow(scene);
    if (scene.outcome) return { step: MOVES, done: true, words: caught(scene) };
    if (this.#moves >= MOVES) return { step: MOVES, done: true, words: "He got away this time. You know how a detective hunts: read his tickets, and close in where he was seen." };
    const step = this.#moves + 1;
    return { step, words: scene.turn.includes(MINE) ? yourMove(scene, step) : hisMove(step) };
  }

  // Notice which ticket was paid, or came back.
  /** @param {GameScene} scene */
  #follow({ tickets }) {
    const hand = tickets[MINE] ?? {};
    const before = this.#hand;
    this.#hand = hand;
    if (before === null) return;
    for (const [kind, left] of Object.entries(hand)) {
      const had = before[kind] ?? 0;
      if (left < had) {
        this.#moves += 1;
        this.#reaction = `Your ${ticketName(kind)} ticket goes to Mister X, who may use it: he has ${tickets.mr_x?.[kind] ?? 0} now, you have ${left}.`;
      } else if (left > had) {
        this.#moves -= 1;
        this.#reaction = "Taken back: you have your ticket again.";
      }
    }
  }
}

/**
 * Add to why something cannot be done what helps with it.
 * @param {string} why as the page says it
 * @returns {string} the same, and a hint
 */
export function withAdvice(why) {
  const hints = /** @type {const} */ ([
    [/^No line leads/, "A move goes along one line, to the very next station on it: the rings show where."],
    [/ticket left\.$/, "Each line takes its own ticket; what you have left stands in the list of tickets. Take another line."],
    [/own screen|'s turn/, "Wait until it is your turn, then move the red pawn."],
    [/cannot go/, "The rings show where red can go."],
  ]);
  const [, hint] = hints.find(([pattern]) => pattern.test(why)) ?? [];
  return hint ? `${why} ${hint}` : why;
}

/** @param {number} step */
function hisMove(step) {
  if (step === 1) return `You are ${pawnName(MINE).toLowerCase()}. Mister X hides in London, and nobody sees his pawn. He moves first: watch his log.`;
  return step === 2 ? "Mister X moves, unseen as before…" : "Now he makes his third move. After that one he has to show himself…";
}

/** @type {(scene: GameScene, step: number) => string} */
function yourMove(scene, step) {
  const [asked] = scene.asked;
  if (asked) return `More than one line leads to ${asked.to}. Press the key of the ticket that you want to pay with.`;
  const at = scene.pawns[MINE] ?? 0;
  const paid = scene.log.at(-1)?.ticket ?? "";
  if (step === 1) return `He paid one ${ticketName(paid)} ticket: that is all you learn. Your turn: drag red from ${at} along one line to a ringed station, or tap both.`;
  if (step === 2) return paid === "black" ? "A black ticket! He may have gone by anything, even by boat. Move again: yellow lines are taxis, green ones buses, which go farther." : `He paid one ${ticketName(paid)} ticket. Move again: green lines are buses, which go farther.`;
  const his = scene.pawns.mr_x;
  if (his === undefined) return "Move once more.";
  const near = scene.moves.some(({ pawn, to }) => pawn === MINE && to === his);
  return near ? `There he is, on ${his}, for all to see, and you are right beside him. Move to ${his} and you have him!` : `There he is, on ${his}, for all to see. Too far for one move: come as near as you can.`;
}

/** @param {GameScene} scene */
function caught({ outcome, pawns }) {
  if (outcome?.winner === "detectives") return `Caught on ${pawns[MINE] ?? "the spot"}! Whoever stands where he stands has won for all detectives.`;
  return "Mister X has won this one.";
}
