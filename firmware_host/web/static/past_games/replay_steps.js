// The list of all steps of a game, line by line and by rounds. A click goes to a step.

import { addPanel, make } from "../page/elements.js";
import { gettext } from "../wording/gettext.js";
import { pawnDisc } from "../wording/signs.js";

/** @import { GameRecord, GameStep } from "../../messages.d.ts" */

/**
 * Add the panel that lists the game's steps, one a line.
 * @param {Element} place the element to put it in
 * @param {GameRecord} game the game
 * @param {(step: number) => void} go goes to a step
 * @returns {(step: number) => void} shows which step it is now
 */
export function replayStepsPanel(place, game, go) {
  const { section, body } = addPanel(place, "story", gettext("What happened"));
  const list = make("ol", { class: "rounds" });
  let lines = make("ol"); // of a round
  let title = "";
  const buttons = game.steps.map((step, number) => {
    if (step.round !== game.steps[number - 1]?.round) {
      lines = make("ol");
      title = step.round ? gettext("Round {round}", { round: step.round }) : gettext("The starts");
      list.append(make("li", {}, make("h3", {}, title), lines));
    }
    const button = line(title, step, number, go);
    lines.append(make("li", {}, button));
    return button;
  });
  body.append(list);
  section.hidden = false;
  let shown = buttons[0];
  return (number) => {
    shown?.removeAttribute("aria-current");
    shown = buttons[number];
    if (!shown) return;
    shown.setAttribute("aria-current", "step");
    const [here, box] = [shown.getBoundingClientRect(), list.getBoundingClientRect()];
    if (here.top < box.top) list.scrollTop += here.top - box.top - 8; // never the page: that would take the board away
    else if (here.bottom > box.bottom) list.scrollTop += here.bottom - box.bottom + 8;
  };
}

// Create the button of a step. Its name includes the round, because several rounds may have the same step.
/** @type {(title: string, step: GameStep, number: number, go: (step: number) => void) => HTMLButtonElement} */
function line(title, { who, words }, number, go) {
  const [action = "", ...details] = words;
  const parts = [make("span", { class: "deed" }, action), ...details.map((text) => make("small", {}, text))];
  const sign = who ? pawnDisc(who) : make("span", { class: "disc none", "aria-hidden": "true" }, "·");
  const name = gettext("{title}: {text}", { title, text: words.join(" ") });
  const attributes = { type: "button", "data-step": number, "aria-label": name, click: () => go(number) };
  return make("button", attributes, sign, make("span", {}, ...parts));
}
