// The help: how to move, what the lamps say, and the keys.

import { gettext } from "../wording/gettext.js";
import { dialog, openBy } from "./dialogs.js";
import { boardLegend } from "./board_legend.js";
import { shortcutsEnabled, enableShortcuts } from "../page/keyboard_shortcuts.js";
import { make } from "../page/elements.js";
import { drawnKeyName } from "../wording/key_names.js";

const PLAYING = [
  gettext("The line at the top always says what to do next."),
  gettext("Drag a pawn to a lit station, with mouse or finger. Let go where it shall stand. Put it back where it came from, and the move is taken back."),
  gettext("By keyboard: go to a station with Tab, then the arrow keys or its number, press Enter to take the pawn up, go on, and press Enter to set it down."),
  gettext("Where several tickets lead there, the table asks: press the key of the ticket."),
  gettext("Mister X opens his own map by the button that the table shows at his turn. “Play on a phone” there moves it to his phone."),
];
/** @type {[string, string][]} */
const LAMPS = [
  [gettext("breathes in a pawn's colour"), gettext("this pawn is to move")],
  [gettext("steady yellow, green, red"), gettext("a pawn may go here by taxi, bus, underground")],
  [gettext("changes colour slowly"), gettext("several tickets lead here")],
  [gettext("changes colour quickly"), gettext("the table asks: press a key")],
  [gettext("flashes twice in white, then stays white"), gettext("Mister X is in sight here")],
  [gettext("blinks in a pawn's colour"), gettext("this pawn is missing here: put it here")],
  [gettext("blinks in white"), gettext("something stands here that should not: clear it")],
  [gettext("a pink blip now and then"), gettext("the switch here is out of order; {confirm} makes moves to it", { confirm: drawnKeyName("confirm") })],
];
const LETTERS = gettext("T, B and U press the tickets' keys, C confirms, Backspace goes back, M is mute");

/**
 * Add the help.
 * @param {HTMLElement} button opens it
 * @param {boolean} plays whether this page plays, and so has moves and letters to explain
 * @returns {HTMLElement} the place in it for what is technical
 */
export function addHelp(button, plays) {
  const lamps = make("dl", {}, ...LAMPS.flatMap(([looks, means]) => [make("dt", {}, looks), make("dd", {}, means)]));
  const technical = make("div", { class: "technical" });
  const shown = dialog(
    "help",
    gettext("How it goes"),
    ...(plays ? [make("ul", {}, ...PLAYING.map((text) => make("li", {}, text)))] : []),
    make("h3", {}, gettext("What a lamp says")),
    lamps,
    make("h3", {}, gettext("What is drawn")),
    boardLegend(),
    ...(plays ? [make("h3", {}, gettext("Letters")), letters()] : []),
    technical,
  );
  openBy(button, shown);
  return technical;
}

// Make the choice whether letters press keys.
function letters() {
  const box = make("input", { type: "checkbox", checked: shortcutsEnabled() });
  box.addEventListener("change", () => enableShortcuts(box.checked));
  return make("label", { class: "choice" }, box, ` ${LETTERS}`);
}
