// The way in: a code that the table shows to people in front of it, or the owner's password.

import { make } from "../page/elements.js";
import { fetchJson } from "../page/fetch_json.js";
import { gettext } from "../wording/gettext.js";
import { forgetSession, logIn } from "./owner_session.js";

const DIGITS = 6;

/**
 * Ask for the code that opens the owner's page.
 * @param {HTMLElement} place where it is asked for
 * @param {string} why why the page is asked again, or ""
 */
export function askForAccess(place, why) {
  forgetSession();
  const refused = make("p", { class: "warning", role: "alert" }, why);
  const code = make("input", {
    id: "code", name: "code", inputmode: "numeric", autocomplete: "one-time-code", maxlength: DIGITS + 1, required: true,
    "aria-describedby": "how",
  });
  const form = make(
    "form",
    { class: "code" },
    make("label", { for: "code" }, gettext("The code on the table's display")),
    make("div", { class: "row" }, code, make("button", { type: "submit", class: "button main" }, gettext("Open"))),
  );
  form.addEventListener("submit", (event) => {
    event.preventDefault();
    void logIn({ code: code.value }).then((said) => (refused.textContent = said));
  });
  code.addEventListener("input", () => {
    if (code.value.replaceAll(/\D/g, "").length === DIGITS) form.requestSubmit();
  });
  const item = gettext("Code for the owner");
  place.replaceChildren(
    make("h2", { id: "access-title" }, gettext("Whose table is this?")),
    make("p", { id: "how" }, gettext("Hold BACK at the table for five seconds, and choose “{item}” in the menu on its display.", { item })),
    form,
    refused,
  );
  place.hidden = false;
  code.focus();
  void fetchJson("/owner/ways-in").then((ways) => {
    if (/** @type {{password: boolean}} */ (ways).password) place.append(byPassword(refused));
  });
}

/** @param {HTMLElement} refused */
function byPassword(refused) {
  const password = make("input", { id: "password", type: "password", autocomplete: "current-password", required: true, maxlength: 200 });
  const form = make(
    "form",
    {},
    make("label", { for: "password" }, gettext("The owner's password")),
    make("div", { class: "row" }, password, make("button", { type: "submit", class: "button" }, gettext("Open"))),
  );
  form.addEventListener("submit", (event) => {
    event.preventDefault();
    void logIn({ password: password.value }).then((said) => (refused.textContent = said));
  });
  return make("details", {}, make("summary", {}, gettext("Use the password instead")), form);
}
