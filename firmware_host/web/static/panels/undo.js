// Undo: a button that takes the last move back, as long as the table would. Else it is grey, and pressed has the table
// say why nothing is taken back.

import { make } from "../page/elements.js";
import { gettext } from "../wording/gettext.js";
import { pawnName } from "../wording/pawn_and_ticket_names.js";

/** @import { Send } from "../page/connection.js" */
/** @import { Listeners } from "../page/listeners.js" */

/**
 * Add the button.
 * @param {Element} place where it is put
 * @param {Send} send sends an order
 * @returns {Listeners} what it listens to
 */
export function addUndo(place, send) {
  const what = make("span", { class: "name" }, gettext("Undo"));
  const button = make(
    "button",
    { type: "button", id: "undo", "aria-disabled": "true", click: () => send({ do: "undo" }) },
    what,
    make("span", { class: "sign", "aria-hidden": "true" }, "↶"),
  );
  place.prepend(button);
  return {
    pawns({ undo }) {
      button.setAttribute("aria-disabled", String(undo === null));
      button.setAttribute("aria-label", undo === null ? gettext("Undo") : gettext("Undo {pawn}'s move", { pawn: pawnName(undo.pawn) }));
    },
    table: (said) => (button.hidden = !said.simulated || said.real_hands),
  };
}
