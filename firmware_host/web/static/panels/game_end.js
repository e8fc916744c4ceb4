// The end of a game: who won, why, and where it can be looked at again.

import { make } from "../page/elements.js";
import { gettext } from "../wording/gettext.js";

/** @import { Listeners } from "../page/listeners.js" */

/**
 * Add what tells the end.
 * @param {Element} place where it is put
 * @returns {Listeners} what it listens to
 */
export function gameEndPanel(place) {
  const who = make("h2", { id: "end-title" });
  const why = make("p", {});
  const again = make("a", { class: "button", hidden: true }, gettext("Look at it again"));
  const section = make(
    "section",
    { id: "end", class: "part", "aria-labelledby": "end-title", hidden: true },
    who,
    why,
    again,
  );
  place.append(section);
  return {
    scene({ ended }) {
      section.hidden = !ended;
      if (!ended) return;
      who.textContent = ended.who;
      why.textContent = ended.why;
    },
    games({ newest }) {
      again.hidden = newest === null;
      again.href = `/games/${newest}`;
    },
  };
}
