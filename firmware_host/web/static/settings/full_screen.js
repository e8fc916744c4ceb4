// The page on all of the screen, and back.

import { make } from "../page/elements.js";
import { gettext } from "../wording/gettext.js";

/**
 * Make the button that fills the screen with the page, or leaves it again.
 * @returns {HTMLElement[]} the button alone; nothing where the browser does not let pages do that
 */
export function fullScreenButton() {
  if (!document.fullscreenEnabled) return [];
  const { documentElement } = document;
  const go = () => (document.fullscreenElement ? document.exitFullscreen() : documentElement.requestFullscreen());
  const button = make("button", { type: "button", class: "button", click: () => void go() });
  const show = () => (button.textContent = document.fullscreenElement ? gettext("Leave full screen") : gettext("Full screen"));
  show();
  document.addEventListener("fullscreenchange", show);
  return [button];
}
