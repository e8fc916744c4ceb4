// The texts of Mister X's page, from his knowledge. Pure.

import { gettext, ngettext } from "../wording/gettext.js";
import { withKeyNames } from "../wording/key_names.js";
import { FUGITIVES, pawnName } from "../wording/pawn_and_ticket_names.js";
import { stepWords } from "./player_choices.js";

/** @import { Scene, SeatMessage, Secrets } from "../../messages.d.ts" */
/** @import { Step } from "./player_choices.js" */

/**
 * Return what Mister X has to do now.
 * @param {SeatMessage} message the table's last messages to Mister X
 * @param {{moves: unknown[], busy: boolean, plan: {steps: Step[], double: boolean}}} choice the possible moves, whether
 *   a choice is on its way, and the plan
 * @returns {string} a sentence
 */
export function headline({ scene, mr_x: secrets }, { moves, busy, plan }) {
  if (scene.rules === null) return gettext("There is no game yet.");
  if (scene.ended) return `${scene.ended.who}. ${scene.ended.why}`;
  if (!secrets) return gettext("The computer plays Mister X: there is nothing to be seen here.");
  if (busy) return gettext("On your way…");
  if (!secrets.choices.length || scene.phase !== "play" || scene.wrong) return withKeyNames(scene.prompt.text);
  if (secrets.at === null) return gettext("Choose where you begin.");
  return plan.double ? doubleMove(plan.steps) : yourTurn(secrets, scene.double, moves.length > 0);
}

/** @param {Step[]} steps the planned steps */
function doubleMove([first, second]) {
  if (!first) return gettext("Double move: where to first?");
  if (!second) return gettext("First move: {move}; second: where to from {station}?", { move: stepWords(first), station: first.to });
  return gettext("First move: {first}; second: {second}.", { first: stepWords(first), second: stepWords(second) });
}

/** @type {(his: Secrets, half: number, goes: boolean) => string} */
function yourTurn({ at, actor }, half, goes) {
  const station = at ?? "";
  const where =
    actor === "mr_x"
      ? gettext("You are on {station}.", { station })
      : gettext("{pawn} is on {station}.", { pawn: pawnName(actor), station });
  if (half === 2) return `${where} ${gettext("Now the second move.")}`;
  return goes ? `${where} ${gettext("Where to?")}` : where;
}

/**
 * Return when Mister X will be seen, or out of sight.
 * @param {Scene} scene the table's scene
 * @param {Secrets} secrets what he knows
 * @returns {string} a sentence, or "" if there is nothing to say
 */
export function whenSeen(scene, { shows }) {
  if (scene.rules === null || scene.outcome || !scene.windows) return "";
  const next = scene.log.length + 1;
  const left = Array.from({ length: scene.last_window - scene.log.length }, (_, n) => next + n);
  const marked = left.find((window) => scene.surfacing.includes(window) !== scene.in_sight);
  if (scene.in_sight) return marked === undefined ? "" : vanishing(marked, next);
  const now = FUGITIVES.some((pawn) => pawn in scene.pawns) ? `${gettext("They see you now.")} ` : "";
  if (shows) return `${now}${gettext("You are seen after your next move.")}`;
  return marked === undefined ? now : `${now}${surfacing(marked, next)}`;
}

/** @type {(window: number, next: number) => string} */
function surfacing(window, next) {
  return ngettext(
    "You are seen after move {window}; {count} move until then.",
    "You are seen after move {window}; {count} moves until then.",
    window - next,
    { window },
  );
}

/** @type {(window: number, next: number) => string} */
function vanishing(window, next) {
  if (window === next) return gettext("Your next move is hidden.");
  return ngettext(
    "Move {window} will be hidden; {count} move until then.",
    "Move {window} will be hidden; {count} moves until then.",
    window - next,
    { window },
  );
}
