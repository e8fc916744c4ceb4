// The help for players: how to move, what everyone can look up, and the letters that press keys.

import { gettext } from "../wording/gettext.js";
import { addLegend } from "./board_legend.js";
import { shortcutsEnabled, enableShortcuts } from "../page/keyboard_shortcuts.js";
import { make } from "../page/elements.js";

const PLAYING = [
  gettext("The large sentence always says what to do next."),
  gettext("Drag a pawn to a lit station, with mouse or finger. Let go where it shall stand. Put it back where it came from, and the move is taken back."),
  gettext("By keyboard: go to a station with Tab, then the arrow keys or its number, press Enter to take the pawn up, go on, and press Enter to set it down."),
  gettext("Where several tickets lead there, the table asks: press the key of the ticket."),
  gettext("Mister X opens his own map by the button that the table shows at his turn. “Play on a phone” there moves it to his phone."),
];
const LETTERS = gettext("T, B and U press the tickets' keys, C confirms, Backspace goes back, M is mute");

/**
 * Add the help of a page on which people play, with moves and shortcuts to explain.
 * @param {HTMLElement} button opens it
 * @returns {HTMLElement} the place in it for technical content
 */
export function addHelp(button) {
  const playing = make("ul", {}, ...PLAYING.map((text) => make("li", {}, text)));
  return addLegend(button, [playing], [make("h3", {}, gettext("Letters")), letters()]);
}

// Create the choice whether letters press keys.
function letters() {
  const box = make("input", { type: "checkbox", checked: shortcutsEnabled() });
  box.addEventListener("change", () => enableShortcuts(box.checked));
  return make("label", { class: "choice" }, box, ` ${LETTERS}`);
}
