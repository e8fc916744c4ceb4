// The spectators' page on a television: large enough to read from across the room, and without buttons.

import { onSetting, setting } from "./settings.js";

const TELEVISION = matchMedia("(min-width: 1920px) and (min-height: 1080px) and (any-pointer: none)");

const ROOM = matchMedia("(min-width: 60em) and (orientation: landscape)"); // the setting is offered there alone; see television.css

/** Give this page its look for televisions if it runs on one, or if the user has chosen it; see television.css. */
export function showOnTelevision() {
  const apply = () => {
    const large = TELEVISION.matches || (ROOM.matches && setting("television") === "always");
    document.documentElement.toggleAttribute("data-television", large);
  };
  apply();
  onSetting(apply);
  for (const screen of [TELEVISION, ROOM]) screen.addEventListener("change", apply);
}
