// How a phone joins: the code and the link of the page on which a detectives' player chooses whom he plays; shown when
// it is asked for, and by itself as long as a game waits for a phone.

import { addPanel, make } from "../page/elements.js";
import { fetchJson } from "../page/fetch_json.js";
import { gettext } from "../wording/gettext.js";
import { playersOf } from "../wording/player_names.js";
import { dialog } from "./dialogs.js";
import { phoneCode } from "./phone_code.js";

/** @import { PhonesMessage, Scene } from "../../messages.d.ts" */
/** @import { Listeners } from "../page/listeners.js" */
/** @import { PhoneLink } from "./phone_code.js" */

/** What to do with the code. */
const HOW_TO_JOIN = gettext("Scan the code with each phone, or open the link there, and choose whom you play. One phone, one player.");

/**
 * Make what invites the phones of the detectives' players; the table is asked for it at once.
 * @returns {HTMLElement} an element that fills itself
 */
export function phoneInvitation() {
  const said = make("div", { class: "invitation" });
  const here = make("a", { class: "button", href: "/detective" }, gettext("Join on this device"));
  const ask = () =>
    fetchJson("/detective/link").then(
      (told) => said.replaceChildren(...phoneCode(/** @type {PhoneLink} */ (told), HOW_TO_JOIN, ask), here),
      (/** @type {unknown} */ error) => said.replaceChildren(make("p", { role: "alert" }, /** @type {Error} */ (error).message)),
    );
  void ask();
  return said;
}

/**
 * Add the button that shows it, on a page on which nothing is done but looking on.
 * @param {HTMLElement} place where it is put
 */
export function joinByPhone(place) {
  const content = make("div", {});
  const box = dialog("join", gettext("Join by phone"), content);
  const open = () => {
    content.replaceChildren(phoneInvitation());
    box.showModal();
  };
  place.append(make("button", { type: "button", class: "button", "aria-haspopup": "dialog", click: open }, gettext("Join by phone…")));
}

/**
 * Add the panel with the code that is there by itself as long as a game waits for a phone.
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
