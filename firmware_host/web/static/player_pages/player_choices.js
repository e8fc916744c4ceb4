// A player's choices, step by step: single moves, Mister X's double moves of two steps, and others. Pure.

import { gettext } from "../wording/gettext.js";
import { ticketName } from "../wording/pawn_and_ticket_names.js";

/** @import { BoardMessage, Choice, Secrets } from "../../messages.d.ts" */

/** @typedef {{choice: Choice, to: number, ticket: string}} Step a move: where it leads and by what */

/** The kinds of choices that are moves: Mister X's, his ticket alone, a detective's pawn. */
export const MOVES = ["move", "commit", "pawn"];

/** The kind of the choice that announces a double move. */
export const DOUBLE = "double";

/**
 * Return the moves among choices, each with where it leads.
 * @param {Choice[]} choices the possible choices
 * @param {Secrets} secrets what the player knows
 * @param {?BoardMessage} board the board; it shows where a ticket without a station leads
 * @returns {Step[]} the moves
 */
function movesOf(choices, secrets, board) {
  return choices.flatMap((choice) => {
    const ticket = choice.ticket ?? "";
    if (MOVES.includes(choice.kind) && choice.to !== undefined) return [{ choice, to: choice.to, ticket }];
    const to = choice.kind === "commit" ? endOf(secrets.at, ticket, board) : null;
    return to === null ? [] : [{ choice, to, ticket }];
  });
}

// Return where a ticket without a named station leads: at a station each ticket has one line.
/** @type {(at: ?number, ticket: string, board: ?BoardMessage) => ?number} */
function endOf(at, ticket, board) {
  if (at === null || ticket === "stay") return at;
  const line = board?.lines.find(([a, b, way]) => way === ticket && (a === at || b === at));
  return line ? (line[0] === at ? line[1] : line[0]) : null;
}

/** A move that is being planned. The page sends it only when the player makes it. */
export class Plan {
  /** @type {Step[]} */
  steps = [];
  double = false;
  complete = false; // whether `next` has found nothing left to be planned

  /**
   * Return the possible next steps.
   * @param {Secrets} secrets what the player knows
   * @param {?BoardMessage} board the board
   * @returns {Step[]} moves; none if the plan is complete
   */
  next(secrets, board) {
    const found = this.#next(secrets, board);
    this.complete = this.steps.length > 0 && !found.length;
    return found;
  }

  // The second half of a double move may have to wait: after the first he may have to take tickets (US-10).
  /** @type {(secrets: Secrets, board: ?BoardMessage) => Step[]} */
  #next(secrets, board) {
    const [first, second] = this.steps;
    if (second || (first && !this.double)) return [];
    if (!this.double) return movesOf(secrets.choices, secrets, board);
    if (!first) return movesOf(secrets.doubles.map((one) => one.first), secrets, board);
    const found = secrets.doubles.find((one) => same(one.first, first.choice));
    return movesOf(found?.second ?? [], secrets, board);
  }

  /**
   * The choices to send to the table.
   * @returns {Choice[]} choices, in order
   */
  get choices() {
    const moves = this.steps.map(({ choice }) => choice);
    return this.double ? [{ kind: DOUBLE }, ...moves] : moves;
  }

  /**
   * Return how many tickets of a kind the plan takes.
   * @param {string} kind such as "black"
   * @returns {number} their number
   */
  uses(kind) {
    return this.steps.filter(({ ticket }) => ticket === kind).length;
  }

  /** Drop the whole plan. */
  clear() {
    this.steps = [];
    this.double = this.complete = false;
  }
}

/**
 * Describe a step in few words, such as "taxi to 58".
 * @param {Step} step the step
 * @returns {string} the ticket and the destination
 */
export function stepWords({ to, ticket }) {
  if (ticket === "stay") return gettext("stay here");
  if (ticket === "start") return gettext("begin on {station}", { station: to });
  if (ticket === "free") return gettext("to {station}", { station: to });
  return gettext("{ticket} to {station}", { ticket: ticketName(ticket), station: to });
}

/**
 * Return whether two choices are the same.
 * @param {Choice} one a choice
 * @param {Choice} other another
 * @returns {boolean} true if they are
 */
export function same(one, other) {
  return one.kind === other.kind && one.to === other.to && one.ticket === other.ticket && one.pawn === other.pawn;
}
