// The spectators' page on a television: large enough to be read from across the room, and without anything to press.

import { onSetting, setting } from "./settings.js";

const TELEVISION = matchMedia("(min-width: 1920px) and (min-height: 1080px) and (any-pointer: none)");

const ROOM = matchMedia("(min-width: 60em) and (orientation: landscape)"); // the setting is offered there alone; see television.css

/** Show this page as a television does, where it is one or is set to be; television.css has how. */
export function showOnTelevision() {
  const apply = () => {
    const large = TELEVISION.matches || (ROOM.matches && setting("television") === "always");
    document.documentElement.toggleAttribute("data-television", large);
  };
  apply();
  onSetting(apply);
  for (const screen of [TELEVISION, ROOM]) screen.addEventListener("change", apply);
}
