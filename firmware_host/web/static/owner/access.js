// The way in: a code that the table shows to people in front of it, or the owner's password.

import { make } from "../page/elements.js";
import { fetchJson } from "../page/fetch_json.js";
import { gettext } from "../wording/gettext.js";
import { logIn, reasonOf } from "./owner_session.js";

const DIGITS = 6;

/**
 * Ask for the code that opens the owner's page.
 * @param {HTMLElement} place the element that asks for it
 * @param {string} why the reason why the page asks again, or ""
 */
export function askForAccess(place, why) {
  const refused = make("p", { class: "warning", role: "alert" }, why);
  const code = make("input", {
    id: "code", name: "code", inputmode: "numeric", autocomplete: "one-time-code", maxlength: DIGITS + 1, required: true,
    "aria-describedby": "how",
  });
  const form = secretForm(code, gettext("The code on the table's display"), refused, () => ({ code: code.value.replaceAll(/\s/g, "") }));
  form.querySelector("button")?.classList.add("main");
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
  void offerPassword(place, refused);
}

// Add the form for a password, if the table has one.
/** @type {(place: HTMLElement, refused: HTMLElement) => Promise<void>} */
async function offerPassword(place, refused) {
  try {
    const ways = /** @type {{password: boolean}} */ (await fetchJson("/owner/ways-in"));
    if (ways.password) place.append(byPassword(refused));
  } catch (error) {
    refused.textContent = reasonOf(error);
  }
}

/** @param {HTMLElement} refused */
function byPassword(refused) {
  const password = make("input", { id: "password", type: "password", autocomplete: "current-password", required: true, maxlength: 200 });
  const form = secretForm(password, gettext("The owner's password"), refused, () => ({ password: password.value }));
  return make("details", {}, make("summary", {}, gettext("Use the password instead")), form);
}

// Create a form that logs in with its input.
/** @typedef {() => {code: string} | {password: string}} ReadSecret */
/** @type {(input: HTMLInputElement, label: string, refused: HTMLElement, read: ReadSecret) => HTMLFormElement} */
function secretForm(input, label, refused, read) {
  const open = make("button", { type: "submit", class: "button" }, gettext("Open"));
  const form = make("form", { class: input.id }, make("label", { for: input.id }, label), make("div", { class: "row" }, input, open));
  let sent = ""; // what the table has refused, or not answered yet: the same again would only count as another try
  form.addEventListener("submit", (event) => {
    event.preventDefault();
    const secret = read();
    const text = JSON.stringify(secret);
    if (text === sent) return;
    sent = text;
    void logIn(secret).then(({ why, again }) => {
      refused.textContent = why;
      if (again) sent = "";
    });
  });
  return form;
}
