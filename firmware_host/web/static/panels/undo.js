// Undo: a button, and the letter Z, that take back the last move if the table allows it. Otherwise the button is grey,
// and when pressed makes the table say why nothing can be taken back.

import { make } from "../page/elements.js";
import { isForPage } from "../page/holdable_keys.js";
import { shortcutsEnabled } from "../page/keyboard_shortcuts.js";
import { svg } from "../page/svg.js";
import { gettext } from "../wording/gettext.js";
import { pawnName } from "../wording/pawn_and_ticket_names.js";

/** @import { Send } from "../page/connection.js" */
/** @import { Listeners } from "../page/listeners.js" */

const LETTER = "z";

/**
 * Add the button.
 * @param {Element} place the element to put it in
 * @param {Send} send sends an order
 * @param {boolean} [real] whether the board is real; it reports only whether a move can be taken back
 * @returns {Listeners} its listeners
 */
export function addUndo(place, send, real = false) {
  const undo = () => send({ do: "undo" });
  const button = make(
    "button",
    { type: "button", id: "undo", "aria-disabled": String(!real), "aria-keyshortcuts": LETTER, click: undo },
    svg("svg", { viewBox: "0 0 24 24", "aria-hidden": "true" }, svg("path", { d: "M8 5 3.5 9.5 8 14M4 9.5h10a5.5 5.5 0 0 1 0 11h-2" })),
    make("span", { class: "name" }, gettext("Undo")),
    make("kbd", { "aria-hidden": "true" }, LETTER.toUpperCase()),
  );
  place.append(button);
  addEventListener("keydown", (event) => {
    if (event.key.toLowerCase() !== LETTER || event.ctrlKey || event.altKey || event.metaKey || event.repeat) return;
    if (shortcutsEnabled() && !isForPage(event) && button.checkVisibility()) undo();
  });
  return {
    pawns({ undo: last }) {
      button.setAttribute("aria-disabled", String(last === null));
      button.setAttribute("title", last === null ? gettext("Undo") : gettext("Undo {pawn}'s move", { pawn: pawnName(last.pawn) }));
    },
    table: (said) => (button.hidden = !real && (!said.simulated || said.real_hands)),
  };
}
