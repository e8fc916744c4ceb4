// Mister X's seat on another screen: a code for a phone, and the link behind it.

import { make } from "../page/elements.js";
import { invite } from "./mr_x_seat.js";
import { gettext } from "../wording/gettext.js";
import { dialog } from "../panels/dialogs.js";
import { phoneCode } from "../panels/phone_code.js";

const HOW = gettext("Scan the code with the phone, or open the link there. It works once, within 15 minutes; then this page closes.");

/**
 * Let a button invite another screen.
 * @param {HTMLElement} button the button
 * @returns {{close: () => void}} `close` hides the code
 */
export function playOnAPhone(button) {
  const said = make("div", {});
  const box = dialog("phone", gettext("Play on a phone"), said);
  let wanted = false; // whether the code may be shown, which comes late: not once the page is covered
  const forget = () => {
    wanted = false;
    said.replaceChildren();
  };
  box.addEventListener("close", forget);
  async function ask() {
    const answer = await invite();
    if (!wanted) return false;
    if (!("link" in answer)) said.replaceChildren(make("p", { role: "alert" }, answer.error));
    else said.replaceChildren(...phoneCode(answer, HOW, ask));
    return true;
  }
  async function open() {
    wanted = true;
    if (await ask()) box.showModal();
  }
  button.addEventListener("click", () => void open());
  return {
    close() {
      if (box.open) box.close();
      forget();
    },
  };
}
