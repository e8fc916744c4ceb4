// What Mister X's page says of how he stands: what is to be done, and when he will be seen.

import { gettext, ngettext } from "./gettext.js";
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
  if (scene.rules === null) return gettext("There is no game yet.");
  if (scene.ended) return `${scene.ended.who}. ${scene.ended.why}`;
  if (!his) return gettext("The computer plays Mister X: there is nothing to be seen here.");
  if (busy) return gettext("On your way…");
  if (!his.choices.length || scene.phase !== "play" || scene.wrong) return scene.prompt.text;
  return his.at === null ? gettext("Choose where you begin.") : yourTurn(his, scene.double, moves.length > 0);
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
