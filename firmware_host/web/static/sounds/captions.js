// The sounds of the table in words, for users who want to read them.

import { make } from "../page/elements.js";
import { gettext } from "../wording/gettext.js";
import { setting } from "../settings/settings.js";

/** @typedef {import("./synthesizer.js").Sound} Sound */

const LASTS = 3000; // milliseconds that a caption can be read

/** @type {Record<Sound, string>} */
const CAPTIONS = {
  set_down: gettext("A pawn is set down"),
  ticket: gettext("A ticket is punched"),
  surfacing: gettext("A siren: Mister X shows himself"),
  dice: gettext("Dice rattle"),
  capture: gettext("A fanfare: the game is over"),
  your_turn: gettext("A chime: it is your turn"),
  refused: gettext("A buzz: that does not go"),
};

/**
 * Create the captions. They are hidden from screen readers, which read the same events elsewhere.
 * @returns {(sounds: Sound[]) => void} shows the names of these sounds, if the user wants captions
 */
export function soundCaptions() {
  const shown = make("p", { id: "caption", "aria-hidden": "true" });
  document.body.append(shown);
  /** @type {ReturnType<typeof setTimeout> | undefined} */
  let timer;
  return (sounds) => {
    if (!sounds.length || setting("captions") === "off") return;
    clearTimeout(timer);
    shown.textContent = sounds.map((sound) => `♪ ${CAPTIONS[sound]}`).join("  ");
    timer = setTimeout(() => (shown.textContent = ""), LASTS);
  };
}
