// The card of a lesson: its progress, what to do next, and the result of the last move.

import { make } from "../page/elements.js";
import { gettext } from "../wording/gettext.js";

/**
 * @typedef {object} LessonStep
 * @property {number} step which move it is about, from 1; 0 before the first
 * @property {string} words what to do next, in a sentence or two
 * @property {boolean} [done] whether this is the end of the lesson
 */
/** @typedef {[string, string][]} Ways where to go when the lesson is over: addresses, and the texts of the links */

/** The text after a reconnection, which brings another table. */
export const RESTARTED = gettext("The line was lost, so the lesson starts again.");

/** The words of a lesson, in one place of the page. */
export class LessonCard {
  #total;
  #ways;
  #dots = make("p", { class: "steps" });
  #words = make("p", { class: "words", role: "status" });
  #answer = make("p", { class: "answer", role: "status" });
  #ends = make("nav", { class: "ends", "aria-label": gettext("After the lesson"), hidden: true });
  #said = "";

  /**
   * @param {Element} place the element to put it in
   * @param {number} total how many moves the lesson has
   * @param {Ways} ways where to go afterwards
   */
  constructor(place, total, ways) {
    this.#total = total;
    this.#ways = ways;
    place.append(this.#dots, this.#words, this.#answer, this.#ends);
  }

  /**
   * Show what to do next, unless the card shows it already.
   * @param {LessonStep} next the progress of the lesson, and its words
   */
  say({ step, words, done = false }) {
    const said = JSON.stringify([step, words, done]);
    if (said === this.#said) return;
    this.#said = said;
    const dot = (/** @type {number} */ n) => make("i", { "data-state": done || n < step ? "done" : n === step ? "now" : "later" });
    const move = step ? gettext("Move {move} of {total}", { move: step, total: this.#total }) : gettext("Two minutes");
    const count = done ? gettext("Done") : move;
    this.#dots.replaceChildren(...Array.from({ length: this.#total }, (_, n) => dot(n + 1)), count);
    this.#words.textContent = words;
    this.#ends.hidden = !done;
    if (done) this.#ends.replaceChildren(...this.#ways.map(([href, name], n) => make("a", { class: n ? "button" : "button main", href }, name)));
  }

  /**
   * Show the result of the last move.
   * @param {string} text a sentence or two, or ""
   */
  react(text) {
    if (this.#answer.textContent !== text) this.#answer.textContent = text;
  }
}
