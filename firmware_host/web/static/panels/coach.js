// The coach, which is off unless the user asks for it. The panel shows its report in sentences. The table's page also
// offers the choice of how much it reports.

import { addPanel, make } from "../page/elements.js";
import { gettext, pgettext } from "../wording/gettext.js";

/** @import { CoachOrder, Scene } from "../../messages.d.ts" */
/** @import { Listeners } from "../page/listeners.js" */

/**
 * How much the coach reports: the order's word, a name, and a full description.
 * @type {[CoachOrder["tells"], string, string][]}
 */
const DEPTHS = [
  ["off", pgettext("coach", "Off"), gettext("says nothing")],
  ["stations", pgettext("coach", "Where"), gettext("where Mister X may be")],
  ["advice", pgettext("coach", "Advice"), gettext("that, and what to do")],
];
/** @typedef {(depth: CoachOrder["tells"]) => void} AskCoach sets how much the coach reports */

const LISTED = 5; // the likeliest stations
const PAUSE = 1200; // milliseconds between two orders: a coach takes its time to come, and the table refuses haste

/**
 * Add the panel.
 * @param {Element} place the element to put it in
 * @param {AskCoach} [ask] asks for the coach, on a page that is allowed to
 * @returns {Listeners} its listeners
 */
export function coachPanel(place, ask) {
  const { section, body } = addPanel(place, "coach", gettext("Coach"));
  const words = make("div", { class: "words" });
  const choices = DEPTHS.map(([value]) => make("input", { type: "radio", name: "coach", value, change: () => choose(value) }));
  const names = DEPTHS.map(([, word, full], n) => make("label", { title: full }, choices[n] ?? "", word));
  if (ask) section.insertBefore(make("div", { class: "switch", role: "radiogroup", "aria-labelledby": "coach-title" }, ...names), body);
  body.append(words);
  let depth = "off"; // how much the coach reports
  let asked = -PAUSE; // when, by the page's clock
  let due = 0; // the timer of what is still to be asked, or to be answered

  // Ask for the last choice, because arrow keys pass over other choices. It stays chosen until the table has answered.
  /** @param {CoachOrder["tells"]} wanted */
  function choose(wanted) {
    clearTimeout(due);
    due = setTimeout(() => {
      asked = performance.now();
      due = setTimeout(settle, PAUSE);
      ask?.(wanted);
    }, asked + PAUSE - performance.now());
  }

  function settle() {
    due = 0;
    for (const choice of choices) choice.checked = choice.value === depth;
  }

  return {
    scene(scene) {
      const { coach } = scene;
      section.hidden = scene.rules === null || (!ask && coach.tells === "off");
      depth = coach.tells;
      if (!due) settle();
      words.replaceChildren(...sentences(scene));
    },
  };
}

/** @param {Scene} scene */
function sentences({ coach, phase }) {
  /** @type {HTMLElement[]} */
  const words = coach.words.map((text) => make("p", {}, text));
  const likely = Object.entries(coach.stations).toSorted(([, one], [, other]) => other - one);
  if (likely.length > 1) {
    const rows = likely
      .slice(0, LISTED)
      .map(([station, weight]) => make("li", {}, make("b", {}, station), ` ${Math.round(100 * weight)} %`));
    words.splice(1, 0, make("ol", { "aria-label": gettext("The likeliest stations") }, ...rows));
  }
  const thinks = !words.length && coach.tells !== "off" && phase === "play";
  if (thinks) return [make("p", { class: "thinks" }, gettext("It is thinking…"))];
  return words;
}
