// What the table's page tells besides the prompt: where Mister X finds his handset, and how the power comes back.

import { make } from "../elements.js";
import { hasPower, onSceneOrTable } from "../listeners.js";
import { FUGITIVES } from "../wording.js";

/** @import { Scene } from "../../messages.d.ts" */
/** @import { Send } from "../connection.js" */
/** @import { Listeners } from "../listeners.js" */

const HANDSET = "Mister X plays on his handset: link and code are in the terminal; Enter there shows a new one.";

/**
 * Add what is told besides the prompt.
 * @param {Element} place where it is put
 * @param {Send} send sends an order
 * @returns {Listeners} what it listens to
 */
export function addHint(place, send) {
  const words = make("span", { hidden: true }, HANDSET);
  const again = () => send({ do: "power", on: true });
  const power = make("button", { type: "button", class: "button", hidden: true, click: again }, "Give it power again");
  place.append(words, power);
  return onSceneOrTable((scene, table) => {
    power.hidden = hasPower(table);
    words.hidden = !table.simulated || !table.power || !waits(scene);
  });
}

// Return whether the table waits for Mister X, and for nobody else: no key is asked for, and nothing stands wrong.
/** @param {Scene} scene */
function waits(scene) {
  if (scene.rules === null || scene.phase !== "play") return false;
  return FUGITIVES.includes(scene.turn[0] ?? "") && !scene.wrong && !scene.prompt.keys.length;
}
