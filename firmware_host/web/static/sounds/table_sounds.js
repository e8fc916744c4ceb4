// The sounds of a page, and the vibration of a phone, unless the page is mute. Each event is also on the page in words:
// screen readers read the news, the prompt and the refusals.

import { closest } from "../page/elements.js";
import { gettext } from "../wording/gettext.js";
import { sameGame } from "../moments/scene_changes.js";
import { onSetting, set, setting } from "../settings/settings.js";
import { soundCaptions } from "./captions.js";
import { cues } from "./cues.js";
import { onRefusal } from "./refusal_signal.js";
import { Synthesizer } from "./synthesizer.js";

/** @import { GameScene, Scene } from "../../messages.d.ts" */
/** @import { Listeners } from "../page/listeners.js" */
/** @import { Sound } from "./synthesizer.js" */

const MUTE = "m";

/** @type {Partial<Record<Sound, number[]>>} */
const PATTERNS = { your_turn: [90, 60, 90], capture: [80, 60, 160], refused: [60] }; // milliseconds: on, off, on

/**
 * Play the sounds of the table.
 * @param {HTMLElement} mark gets the attribute "data-mute" while the sound is off
 * @param {() => boolean} letters returns whether letters press keys on this page, and M switches the sound
 * @param {(before: GameScene, scene: GameScene) => Sound[]} [soundsOf] returns the sounds of a change on this page
 * @returns {Listeners} its listeners
 */
export function tableSounds(mark, letters, soundsOf = cues) {
  const synthesizer = new Synthesizer();
  const caption = soundCaptions();
  const on = () => setting("sound") === "on";
  const show = () => {
    mark.toggleAttribute("data-mute", !on());
    mark.title = on() ? "" : gettext("The sound is off");
  };
  show();
  onSetting(show);
  addEventListener("keydown", (event) => {
    if (event.key !== MUTE || event.ctrlKey || event.altKey || event.metaKey || event.repeat) return;
    if (letters() && !closest(event.target, "input, select, textarea, dialog")) set("sound", on() ? "off" : "on");
  });
  /** @param {Sound} sound */
  const play = (sound) => {
    synthesizer.play(sound);
    vibrate(sound);
  };
  /** @param {Sound[]} sounds */
  const playAll = (sounds) => {
    caption(sounds);
    if (on()) sounds.forEach(play);
  };
  onRefusal(() => playAll(["refused"]));
  /** @type {?Scene} */
  let last = null;
  return {
    scene(scene) {
      const before = scene.rules === null ? null : sameGame(last, scene);
      if (before && scene.rules !== null) playAll(soundsOf(before, scene));
      last = scene;
    },
  };
}

// Vibrate with a sound, if it has a vibration, the device can vibrate and the user has touched the page.
/** @param {Sound} sound */
function vibrate(sound) {
  const pattern = PATTERNS[sound];
  if (pattern && "vibrate" in navigator && navigator.userActivation.hasBeenActive) navigator.vibrate(pattern);
}
