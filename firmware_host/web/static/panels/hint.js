// What the table's page offers besides the prompt: Mister X's screen on his turn, and the power after a power cut.

import { make, renewChildren } from "../page/elements.js";
import { isAlone, isOwnMachine, openSeat, session, takeSeat } from "../player_pages/mr_x_seat.js";
import { gettext } from "../wording/gettext.js";
import { hasPower, onSceneOrTable } from "../page/listeners.js";
import { FUGITIVES } from "../wording/pawn_and_ticket_names.js";

/** @import { Scene } from "../../messages.d.ts" */
/** @import { Send } from "../page/connection.js" */
/** @import { Listeners } from "../page/listeners.js" */

const HANDSET = gettext("“Mister X's screen” is opened at the table's own machine.");

/**
 * Add the hints and buttons beside the prompt.
 * @param {Element} place the element for the words
 * @param {Element} keys the element for the buttons, which come first in it
 * @param {Send} send sends an order
 * @param {(text: string) => void} say shows why something is not possible
 * @returns {Listeners} its listeners
 */
export function addHint(place, keys, send, say) {
  const again = () => send({ do: "power", on: true });
  const power = make("button", { type: "button", class: "button main", id: "power", hidden: true, click: again }, gettext("Give it power again"));
  const here = isOwnMachine();
  let alone = false; // he is the only person

  async function open() {
    const why = here || session() === null ? await takeSeat() : ""; // a phone that was given the seat goes back to it
    if (why) say(why);
    else if (!alone || !here || !openSeat()) location.assign("/seat"); // some browsers open no window
  }
  const seat = make("button", { type: "button", class: "button main", id: "seat", hidden: true }, gettext("Mister X's screen"));
  seat.addEventListener("click", () => void open());
  keys.append(seat, power);
  return onSceneOrTable((scene, table) => {
    const waiting = table.simulated && table.power && waits(scene);
    alone = isAlone(scene);
    power.hidden = hasPower(table);
    const isMrX = here || alone || session() !== null;
    renewChildren(place, ...(waiting && !isMrX ? [HANDSET] : []));
    seat.hidden = !waiting || !isMrX;
    renewChildren(seat, alone ? gettext("Open your screen") : gettext("Mister X's screen"));
  });
}

// Return whether the table waits only for Mister X: it asks for no key, and no pawn is misplaced.
/** @param {Scene} scene */
function waits(scene) {
  if (scene.rules === null || scene.phase !== "play" || "mr_x" in scene.seats) return false;
  return FUGITIVES.includes(scene.turn[0] ?? "") && !scene.wrong && !scene.prompt.keys.length;
}
