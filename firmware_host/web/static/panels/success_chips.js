// The junior game: the success chips of both sides. Their lamps are those of the log.

import { addPanel, make } from "../elements.js";

const SIDES = { mr_x: "Mister X", detectives: "Detectives" };

/**
 * @param {Element} place where it is put
 * @param {import("../log_lamps.js").LogLamps} lamps those of the chips
 */
export function successChipsPanel(place, lamps) {
  const { section, body } = addPanel(place, "chips", "Success chips");
  let shown = "";
  return {
    scene({ chips: sides = {} }) {
      section.hidden = !Object.keys(sides).length;
      const next = JSON.stringify(sides);
      if (section.hidden || next === shown) return;
      shown = next;
      lamps.clear();
      let first = 1;
      const rows = Object.entries(sides).map(([side, { won, needed }]) => {
        const places = Array.from({ length: needed }, (_, n) => chip(n < won, lamps.lamp(first + n)));
        first += needed;
        return make("div", { class: "chips" }, make("p", {}, `${SIDES[side] ?? side}: ${won} of ${needed}`), ...places);
      });
      body.replaceChildren(...rows);
    },
  };
}

function chip(won, lamp) {
  return make(
    "span",
    { class: "chip", "data-won": won, "aria-hidden": "true" },
    lamp,
    ...(won ? [make("span", { class: "won" }, "★")] : []),
  );
}
