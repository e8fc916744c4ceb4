// Another game: whoever has a seat on a page of his own asks for it once a game is over.

import { make } from "../page/elements.js";
import { gettext } from "../wording/gettext.js";
import { dialog } from "../panels/dialogs.js";

/** @import { Scene } from "../../messages.d.ts" */
/** @import { Send } from "../page/connection.js" */

/**
 * Add the button, and the question before it.
 * @param {HTMLElement} place where it is put
 * @param {Send} send sends an order
 * @param {boolean} isHis whether this is Mister X's page: then he keeps his seat
 * @returns {{show: (scene: Scene | false) => void}} told how the table stands, or that no game can be begun from here
 */
export function anotherGame(place, send, isHis) {
  const seatEnds = make("p", { hidden: true }, gettext("Mister X has to open his screen again."));
  const begin = () => {
    send({ do: "again" });
    box.close();
  };
  const box = dialog(
    "another",
    gettext("Another game?"),
    make("p", {}, gettext("The same game begins for everybody at the table, with the same players.")),
    seatEnds,
    make("p", {}, make("button", { type: "button", class: "button main", click: begin }, gettext("Begin"))),
  );
  const open = () => box.showModal();
  const button = make("button", { type: "button", class: "button main", id: "again", hidden: true, "aria-haspopup": "dialog", click: open }, gettext("Another game…"));
  place.prepend(button);
  return {
    show(scene) {
      button.hidden = !scene || scene.phase !== "over";
      seatEnds.hidden = isHis || !scene || "mr_x" in scene.seats;
      if (button.hidden && box.open) box.close();
    },
  };
}
