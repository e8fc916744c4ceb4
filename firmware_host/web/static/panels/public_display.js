// The small public display that stands on the table, pixel for pixel.

import { gettext } from "../wording/gettext.js";
import { drawPixels } from "../page/pixel_screen.js";
import { addPanel, make, renewChildren } from "../page/elements.js";

/** @import { Listeners } from "../page/listeners.js" */

/**
 * Add the panel that shows the display.
 * @param {Element} place the element to put it in
 * @param {Element} front the element for it while it shows the table menu, which takes all keys
 * @returns {Listeners} its listeners
 */
export function publicDisplayPanel(place, front) {
  const { section, body } = addPanel(place, "display", gettext("The table's display"));
  const canvas = make("canvas", { width: 128, height: 64, role: "img", "aria-label": gettext("The table's display") });
  const words = make("p", { class: "unseen", role: "status" });
  body.append(canvas, words);
  return {
    display({ pixels, lines, menu }) {
      section.hidden = false;
      const shown = menu ? front : place;
      if (section.parentElement !== shown) shown.append(section);
      section.toggleAttribute("data-menu", shown !== place);
      drawPixels(canvas, pixels);
      renewChildren(words, lines.join("\n") || (pixels === null ? gettext("It is dark.") : ""));
    },
  };
}
