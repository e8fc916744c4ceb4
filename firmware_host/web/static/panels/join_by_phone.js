// How a phone joins: the code and the link of the page on which a detectives' player chooses whom he plays.

import { make } from "../elements.js";
import { fetchJson } from "../fetch_json.js";
import { gettext } from "../gettext.js";
import { dialog } from "./dialogs.js";
import { phoneCode } from "./phone_code.js";

/** @import { PhoneLink } from "./phone_code.js" */

/** What to do with the code. */
export const HOW_TO_JOIN = gettext("Scan the code with each phone, or open the link there, and choose whom you play. One phone, one player.");

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
