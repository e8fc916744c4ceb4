// What has happened, the newest first.

import { addPanel, make } from "../page/elements.js";
import { gettext } from "../wording/gettext.js";

/** @import { Listeners } from "../page/listeners.js" */

/**
 * Add the panel that tells what has happened.
 * @param {Element} place where it is put
 * @returns {Listeners} what it listens to
 */
export function newsPanel(place) {
  const { section, body } = addPanel(place, "news", gettext("What happened"));
  const live = { role: "log", "aria-live": "polite", "aria-relevant": "additions", "aria-labelledby": "news-title" };
  const list = make("ol");
  body.append(make("div", { ...live, tabindex: 0 }, list)); // it scrolls
  let heard = 0;

  // Return how many of the lines are new here; all of them if the table was started again meanwhile.
  /** @type {(lines: string[], told: number) => number} */
  function fresh(lines, told) {
    const count = told - heard;
    const known = count >= 0 && count < lines.length && lines.at(-1 - count) === list.firstChild?.textContent;
    return known ? count : lines.length;
  }

  return {
    news({ lines, told }) {
      const count = fresh(lines, told);
      if (count === lines.length) list.replaceChildren();
      heard = told;
      for (const line of lines.slice(lines.length - count)) list.prepend(make("li", {}, line));
      while (list.children.length > lines.length) list.lastChild?.remove();
      section.hidden = !list.children.length;
    },
  };
}
