// What a page lets hear of the table, a phone feel as well, and the button that silences it. Nothing is heard that the
// page does not say in words, too: the news, the prompt and the refusals are read out.

import { closest, make } from "../elements.js";
import { sameGame } from "../moments/same_game.js";
import { cues } from "./cues.js";
import { Synthesizer } from "./synthesizer.js";

/** @import { Scene } from "../../messages.d.ts" */
/** @import { Listeners } from "../listeners.js" */
/** @import { Sound } from "./synthesizer.js" */

const KEPT = "yardboard-sound"; // its name in the browser's store
const MUTE = "m";
/** @type {Partial<Record<Sound, number[]>>} */
const SHAKES = { your_turn: [60], capture: [80, 60, 160] }; // milliseconds: on, off, on

/**
 * Let the table be heard.
 * @param {Element} menu where the button is put that silences it
 * @param {() => boolean} letters tells whether letters press keys on this page, and M is the button's
 * @returns {Listeners} what it listens to
 */
export function tableSounds(menu, letters) {
  const synthesizer = new Synthesizer();
  const button = make("button", { type: "button", class: "button", click: () => set(!on()) }, "Sound");
  const on = () => button.getAttribute("aria-pressed") === "true";
  const set = (/** @type {boolean} */ audible) => {
    button.setAttribute("aria-pressed", String(audible));
    keep(audible ? "on" : "off");
  };
  set(read() !== "off");
  menu.append(button);
  addEventListener("keydown", (event) => {
    if (event.key !== MUTE || event.ctrlKey || event.altKey || event.metaKey || event.repeat) return;
    if (letters() && !closest(event.target, "input, select, textarea, dialog")) set(!on());
  });
  /** @param {Sound} sound */
  const hear = (sound) => {
    if (!on()) return;
    synthesizer.play(sound);
    const shake = SHAKES[sound];
    if (shake && "vibrate" in navigator && navigator.userActivation.hasBeenActive) navigator.vibrate(shake);
  };
  /** @type {?Scene} */
  let last = null;
  return {
    refused: () => hear("refused"),
    scene(scene) {
      const before = scene.rules === null ? null : sameGame(last, scene);
      if (before && scene.rules !== null) cues(before, scene).forEach(hear);
      last = scene;
    },
  };
}

// A browser may keep nothing at all, and says so by an error.
function read() {
  try {
    return localStorage.getItem(KEPT);
  } catch {
    return null;
  }
}

/** @param {string} value */
function keep(value) {
  try {
    localStorage.setItem(KEPT, value);
  } catch {
    // then it holds until the page is left
  }
}
