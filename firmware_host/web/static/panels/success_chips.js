// The junior game: the success chips of both sides. Their lamps are those of the log.

import { addPanel, make } from "../page/elements.js";
import { gettext } from "../wording/gettext.js";

/** @import { TableScene } from "../../messages.d.ts" */
/** @import { LampsByWindow } from "./log_lamps.js" */

/** @type {Record<string, string>} */
const SIDES = { mr_x: gettext("Mister X"), detectives: gettext("Detectives") };

/**
 * Add the panel of the success chips.
 * @param {Element} place the element to put it in
 * @param {LampsByWindow} lamps the lamps of the chips
 * @returns {{scene(scene: TableScene): void}} its listeners
 */
export function successChipsPanel(place, lamps) {
  const { section, body } = addPanel(place, "chips", gettext("Success chips"));
  let shown = "";
  return {
    scene(scene) {
      const sides = scene.rules === null ? {} : scene.chips;
      section.hidden = !Object.keys(sides).length;
      const next = section.hidden ? "" : JSON.stringify(sides); // hidden, they have lost their lamps to the log
      if (section.hidden || next === shown) {
        shown = next;
        return;
      }
      shown = next;
      lamps.clear();
      let first = 1;
      const rows = Object.entries(sides).map(([side, { won, needed }]) => {
        const places = Array.from({ length: needed }, (_, n) => chip(n < won, lamps.lamp(first + n)));
        first += needed;
        const words = gettext("{side}: {won} of {needed}", { side: SIDES[side] ?? side, won, needed });
        return make("div", { class: "chips" }, make("p", {}, words), ...places);
      });
      body.replaceChildren(...rows);
    },
  };
}

/** @type {(won: boolean, lamp: Node | string) => HTMLSpanElement} */
function chip(won, lamp) {
  return make(
    "span",
    { class: "chip", "data-won": won, "aria-hidden": "true" },
    lamp,
    ...(won ? [make("span", { class: "won" }, "★")] : []),
  );
}
