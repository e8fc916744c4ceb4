// The spectators' page on a television: large enough to be read from across the room, and without anything to press.

import { onSetting, setting } from "./settings.js";

const TELEVISION = matchMedia("(min-width: 1920px) and (min-height: 1080px) and (any-pointer: none)");

/** Show this page as a television does, where it is one or is set to be; television.css has how. */
export function showOnTelevision() {
  const apply = () => {
    const large = setting("television") === "always" || TELEVISION.matches;
    document.documentElement.toggleAttribute("data-television", large);
  };
  apply();
  onSetting(apply);
  TELEVISION.addEventListener("change", apply);
}
