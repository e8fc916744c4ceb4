// The latest events, the newest first.

import { addPanel, make, srOnly } from "../page/elements.js";
import { gettext } from "../wording/gettext.js";
import { pawnDisc, ticketSign } from "../wording/signs.js";

/** @import { NewsLine } from "../../messages.d.ts" */
/** @import { Listeners } from "../page/listeners.js" */

/**
 * Add the panel with the latest events.
 * @param {Element} place the element to put it in
 * @returns {Listeners} its listeners
 */
export function newsPanel(place) {
  const { section, body } = addPanel(place, "news", gettext("What happened"));
  const live = { role: "log", "aria-live": "polite", "aria-relevant": "additions", "aria-labelledby": "news-title" };
  const list = make("ol");
  body.append(make("div", { ...live, tabindex: 0 }, list)); // it scrolls
  let received = 0; // lines since the table started
  let newest = "";

  // Return how many of the lines are new on this page; after a restart of the table, all of them.
  /** @type {(lines: NewsLine[], total: number) => number} */
  function fresh(lines, total) {
    const count = total - received;
    const known = count >= 0 && count < lines.length && lines.at(-1 - count)?.text === newest;
    return known ? count : lines.length;
  }

  return {
    news({ lines, told: total }) {
      const count = fresh(lines, total);
      if (count === lines.length) list.replaceChildren();
      received = total;
      newest = lines.at(-1)?.text ?? "";
      for (const line of lines.slice(lines.length - count)) list.prepend(row(line));
      while (list.children.length > lines.length) list.lastChild?.remove();
      section.hidden = !list.children.length;
    },
  };
}

// Return a line as a row: the pawn's disc, the words, and its ticket. Screen readers get the whole sentence.
/** @param {NewsLine} line */
function row({ text, short, pawn, ticket }) {
  const words = ticket
    ? [make("span", { class: "words", "aria-hidden": "true" }, short), srOnly(text), ticketSign(ticket)]
    : [make("span", { class: "words" }, text)];
  return make("li", {}, ...(pawn ? [pawnDisc(pawn)] : []), ...words);
}
