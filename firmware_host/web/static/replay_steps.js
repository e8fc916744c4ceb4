// Everything that was done in a game, line by line, by rounds; a click goes there.

import { addPanel, make } from "./elements.js";
import { pawnDisc } from "./wording.js";

/**
 * @param {Element} place where it is put
 * @param {Object} game a game as /games/{n}.json gives it
 * @param {function(number): void} go goes to a step
 * @returns {function(number): void} shows which step it is now
 */
export function replayStepsPanel(place, game, go) {
  const { section, body } = addPanel(place, "story", "What happened");
  const buttons = game.steps.map((step, number) => line(game, number, go));
  const rounds = [];
  game.steps.forEach(({ round }, number) => {
    if (!number || round !== game.steps[number - 1].round) {
      rounds.push(make("li", {}, make("h3", {}, round ? `Round ${round}` : "The starts"), make("ol", {})));
    }
    rounds.at(-1).lastChild.append(make("li", {}, buttons[number]));
  });
  const list = make("ol", { class: "rounds" }, ...rounds);
  body.append(list);
  section.hidden = false;
  let shown = 0;
  return (number) => {
    buttons[shown].removeAttribute("aria-current");
    shown = number;
    buttons[number].setAttribute("aria-current", "step");
    const [here, box] = [buttons[number].getBoundingClientRect(), list.getBoundingClientRect()];
    if (here.top < box.top) list.scrollTop += here.top - box.top - 8; // never the page: that would take the board away
    else if (here.bottom > box.bottom) list.scrollTop += here.bottom - box.bottom + 8;
  };
}

function line(game, number, go) {
  const { who, words } = game.steps[number];
  const [deed, ...told] = words;
  const parts = [make("span", { class: "deed" }, deed), ...told.map((text) => make("small", {}, text))];
  const sign = who ? pawnDisc(who) : make("span", { class: "disc none", "aria-hidden": "true" }, "·");
  const attributes = { type: "button", "data-step": number, click: () => go(number) };
  return make("button", attributes, sign, make("span", {}, ...parts));
}
