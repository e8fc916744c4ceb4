// The settings: how the pages look and sound in this browser.

import { make } from "../page/elements.js";
import { LANGUAGES } from "../languages/names.js";
import { LANGUAGE, gettext, pgettext } from "../wording/gettext.js";
import { dialog, openBy } from "../panels/dialogs.js";
import { onSetting, set, setting } from "./settings.js";
import "./page_theme.js";

/** @import { Name } from "./settings.js" */

/** @typedef {"board" | "sound" | "television" | "install"} Extra what some pages have besides */

const YEAR = 31536000; // seconds

/** @type {["device" | "day" | "night", string][]} */
const LOOKS = [
  ["device", gettext("As this device")],
  ["day", gettext("Day")],
  ["night", gettext("Night")],
];

/**
 * Add the settings.
 * @param {HTMLElement} button opens them
 * @param {Extra[]} [extras] what this page has besides colours
 */
export function settingsDialog(button, extras = []) {
  const box = dialog(
    "settings-dialog",
    gettext("Settings"),
    languages(),
    looks(),
    option("palette", "colour-blind", "usual", gettext("Colours for the colour-blind")),
    option("contrast", "high", "device", gettext("High contrast")),
    ...(extras.includes("board") ? [option("board", "wiring", "city", gettext("Board as it is wired, without the city"))] : []),
    ...(extras.includes("sound")
      ? [option("sound", "on", "off", gettext("Sound")), option("captions", "on", "off", gettext("Captions for sounds"))]
      : []),
    ...(extras.includes("television") ? [option("television", "always", "device", gettext("Large, for a television"))] : []),
    make("p", { class: "kept" }, gettext("This browser keeps what you choose.")),
    make(
      "p",
      { class: "ways-out" },
      ...fullScreenButton(),
      ...(extras.includes("install") ? [make("a", { class: "button", href: "/install" }, gettext("Put it on this device…"))] : []),
    ),
  );
  openBy(button, box);
}

// Create the button that switches full screen on and off. None if the browser does not allow full screen.
function fullScreenButton() {
  if (!document.fullscreenEnabled) return [];
  const { documentElement } = document;
  const go = () => (document.fullscreenElement ? document.exitFullscreen() : documentElement.requestFullscreen());
  const button = make("button", { type: "button", class: "button", click: () => void go() });
  const show = () => (button.textContent = document.fullscreenElement ? gettext("Leave full screen") : gettext("Full screen"));
  show();
  document.addEventListener("fullscreenchange", show);
  return [button];
}

function languages() {
  return make("div", { class: "language" }, make("label", { for: "language" }, gettext("Language")), languageChoice("language", false));
}

/**
 * Create the choice of the page's language.
 * @param {string} id its id
 * @param {boolean} [named] whether it has its own name, because there is no label beside it
 * @returns {HTMLSelectElement} the choice
 */
export function languageChoice(id, named = true) {
  const choices = Object.entries(LANGUAGES).map(([code, name]) =>
    make("option", { value: code, lang: code, selected: code === LANGUAGE }, name),
  );
  const chosen = make("select", { id, change: () => speak(chosen.value) }, ...choices);
  if (named) chosen.setAttribute("aria-label", gettext("Language"));
  return chosen;
}

// Make the table answer in another language from now on, beginning with this page.
/** @param {string} code */
function speak(code) {
  document.cookie = `language=${code}; path=/; max-age=${YEAR}; samesite=strict`;
  location.reload();
}

function looks() {
  const choices = LOOKS.map(([value, text]) => {
    const input = make("input", { type: "radio", name: "look", value, change: () => set("look", value) });
    showAs(input, () => setting("look") === value);
    return make("label", { class: "choice" }, input, text);
  });
  return make("fieldset", { class: "looks" }, make("legend", {}, pgettext("appearance", "Look")), ...choices);
}

/**
 * Create a choice between two.
 * @template {Name} Of
 * @param {Of} name the setting
 * @param {import("./settings.js").Choice<Of>} ticked its choice with a tick
 * @param {import("./settings.js").Choice<Of>} clear its choice without one
 * @param {string} text its label
 */
function option(name, ticked, clear, text) {
  const input = make("input", { type: "checkbox", change: () => set(name, input.checked ? ticked : clear) });
  showAs(input, () => setting(name) === ticked);
  return make("label", { class: "choice", "data-sets": name }, input, text);
}

/** @type {(input: HTMLInputElement, so: () => boolean) => void} */
function showAs(input, so) {
  const show = () => (input.checked = so());
  show();
  onSetting(show);
}
