// The coach: off unless asked for. What it tells, in sentences; on the table's own page also the choice of how much.

import { addPanel, make } from "../page/elements.js";
import { gettext } from "../wording/gettext.js";

/** @import { CoachOrder, Scene } from "../../messages.d.ts" */
/** @import { Listeners } from "../page/listeners.js" */

/** @type {[CoachOrder["tells"], string][]} */
const TELLS = [
  ["off", gettext("tells nothing")],
  ["stations", gettext("where Mister X may be")],
  ["advice", gettext("that, and what to do")],
];
/** @typedef {(tells: CoachOrder["tells"]) => void} AskCoach is told how much the coach is to tell */

const LISTED = 5; // the likeliest stations
const PAUSE = 1200; // milliseconds between two orders: a coach takes its time to come, and the table refuses haste

/**
 * Add the panel.
 * @param {Element} place where it is put
 * @param {AskCoach} [ask] asks for the coach, on a page that may
 * @returns {Listeners} what it listens to
 */
export function coachPanel(place, ask) {
  const { section, body } = addPanel(place, "coach", gettext("Coach"));
  const words = make("div", { class: "words" });
  const choice = make(
    "select",
    { "aria-label": gettext("The coach"), change: () => choose(choice.value) },
    ...TELLS.map(([value, name]) => make("option", { value }, name)),
  );
  body.append(...(ask ? [choice] : []), words);
  let told = choice.value; // how much it tells
  let asked = -PAUSE; // when, by the page's clock
  let due = 0; // the timer of what is still to be asked, or to be answered

  // Ask for what was chosen last: arrow keys pass over what lies between. It stays chosen until the table has answered.
  /** @param {string} value */
  function choose(value) {
    clearTimeout(due);
    due = setTimeout(() => {
      asked = performance.now();
      due = setTimeout(settle, PAUSE);
      const tells = TELLS.find(([each]) => each === value)?.[0];
      if (tells) ask?.(tells);
    }, asked + PAUSE - performance.now());
  }

  function settle() {
    due = 0;
    choice.value = told;
  }

  return {
    scene(scene) {
      const { coach } = scene;
      section.hidden = scene.rules === null || (!ask && coach.tells === "off");
      told = coach.tells;
      if (!due) settle();
      words.replaceChildren(...sentences(scene));
    },
  };
}

/** @param {Scene} scene */
function sentences({ coach, phase }) {
  /** @type {HTMLElement[]} */
  const told = coach.words.map((text) => make("p", {}, text));
  const likely = Object.entries(coach.stations).toSorted(([, one], [, other]) => other - one);
  if (likely.length > 1) {
    const rows = likely
      .slice(0, LISTED)
      .map(([station, weight]) => make("li", {}, make("b", {}, station), ` ${Math.round(100 * weight)} %`));
    told.splice(1, 0, make("ol", { "aria-label": gettext("The likeliest stations") }, ...rows));
  }
  const thinks = !told.length && coach.tells !== "off" && phase === "play";
  if (thinks) return [make("p", { class: "thinks" }, gettext("It is thinking…"))];
  return told;
}
