// What a page lets hear of the table, a phone feel as well, unless it is to be mute. Nothing is heard that the
// page does not say in words, too: the news, the prompt and the refusals are read out.

import { closest } from "../page/elements.js";
import { gettext } from "../wording/gettext.js";
import { sameGame } from "../moments/same_game.js";
import { onSetting, set, setting } from "../settings/settings.js";
import { soundCaptions } from "./captions.js";
import { cues } from "./cues.js";
import { onRefusal } from "./refusal_signal.js";
import { Synthesizer } from "./synthesizer.js";
import { vibrate } from "./vibration.js";

/** @import { GameScene, Scene } from "../../messages.d.ts" */
/** @import { Listeners } from "../page/listeners.js" */
/** @import { Sound } from "./synthesizer.js" */

const MUTE = "m";

/**
 * Let the table be heard.
 * @param {HTMLElement} mark gets the attribute "data-mute" while nothing is to be heard
 * @param {() => boolean} letters tells whether letters press keys on this page, and M silences it
 * @param {(before: GameScene, scene: GameScene) => Sound[]} [heard] tells what of a change is to be heard on this page
 * @returns {Listeners} what it listens to
 */
export function tableSounds(mark, letters, heard = cues) {
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
  const hear = (sounds) => {
    caption(sounds);
    if (on()) sounds.forEach(play);
  };
  onRefusal(() => hear(["refused"]));
  /** @type {?Scene} */
  let last = null;
  return {
    scene(scene) {
      const before = scene.rules === null ? null : sameGame(last, scene);
      if (before && scene.rules !== null) hear(heard(before, scene));
      last = scene;
    },
  };
}
