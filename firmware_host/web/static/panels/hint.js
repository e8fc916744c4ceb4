// What the table's own page can tell besides the prompt: where Mister X finds his handset, and how the power comes back.

import { make } from "../elements.js";
import { FUGITIVES } from "../wording.js";

const HANDSET = "Mister X plays on his handset: link and code are in the terminal; Enter there shows a new one.";

/**
 * @param {Element} place where it is put
 * @param {function(object): boolean} send sends an order
 */
export function addHint(place, send) {
  const words = make("span", { hidden: true }, HANDSET);
  const again = () => send({ do: "power", on: true });
  const power = make("button", { type: "button", class: "button", hidden: true, click: again }, "Give it power again");
  place.append(words, power);
  let table = { simulated: false, power: true };
  let scene = null;

  function show() {
    power.hidden = !table.simulated || table.power;
    words.hidden = !table.simulated || !table.power || !waits(scene);
  }

  return {
    table(said) {
      table = said;
      show();
    },
    scene(said) {
      scene = said;
      show();
    },
  };
}

/** Whether the table waits for Mister X, and for nobody else: no key is asked for, and nothing stands wrong. */
function waits(scene) {
  return scene?.phase === "play" && FUGITIVES.includes(scene.turn[0]) && !scene.wrong && !scene.prompt.keys.length;
}
