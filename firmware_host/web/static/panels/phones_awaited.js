// The code by which detectives' players join with their phones: it is there by itself as long as a game waits for one.

import { addPanel } from "../elements.js";
import { fetchJson } from "../fetch_json.js";
import { gettext } from "../gettext.js";
import { playersOf } from "../player_names.js";
import { HOW_TO_JOIN } from "./join_by_phone.js";
import { phoneCode } from "./phone_code.js";

/** @import { PhonesMessage, Scene } from "../../messages.d.ts" */
/** @import { Listeners } from "../listeners.js" */
/** @import { PhoneLink } from "./phone_code.js" */

/**
 * Add the panel of the code.
 * @param {Element} place where it is put
 * @returns {Listeners} what it listens to
 */
export function phonesAwaited(place) {
  const { section, body } = addPanel(place, "awaited", gettext("Join by phone"));
  place.prepend(section);
  /** @type {?Scene} */
  let scene = null;
  /** @type {PhonesMessage} */
  let phones = { seats: {} };
  let asked = false;

  function show() {
    const waits = scene !== null && waitsForPhones(scene, phones);
    section.hidden = !waits || !body.hasChildNodes();
    if (waits && !asked) ask();
  }

  function ask() {
    asked = true;
    fetchJson("/detective/link").then(
      (told) => {
        const link = /** @type {PhoneLink} */ (told);
        if (link.here) return; // no phone could open it
        body.append(...phoneCode(link, HOW_TO_JOIN, ask));
        show();
      },
      () => (asked = false), // it is asked for again with the next scene
    );
  }

  return {
    scene(said) {
      scene = said;
      show();
    },
    phones(said) {
      phones = said;
      show();
    },
  };
}

// Tell whether players may still take their phones: as a game begins, and later where others have done so.
/** @type {(scene: Scene, phones: PhonesMessage) => boolean} */
function waitsForPhones(scene, { seats }) {
  if (scene.rules === null || scene.ended) return false;
  const free = [...playersOf(scene).keys()].some((player) => !seats[player]?.here);
  return free && (scene.phase === "set_up" || scene.round <= 1 || Object.keys(seats).length > 0);
}
