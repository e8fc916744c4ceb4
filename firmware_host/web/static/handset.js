// Mister X's handset: its screen, pixel for pixel, and its keys. Nothing of it stays where others could see it.

import { NO_ANSWER, openConnection } from "./page/connection.js";
import { byId } from "./page/elements.js";
import { isByTable, session, unlock } from "./player_pages/mr_x_seat.js";
import { makeHoldable, tapKey } from "./page/holdable_keys.js";
import { drawPixels, fitInto } from "./page/pixel_screen.js";
import { settingsDialog } from "./settings/settings_dialog.js";
import { captionRefusals, signalRefusal } from "./sounds/refusal_signal.js";
import { gettext } from "./wording/gettext.js";

/** @import { ScreenMessage } from "../messages.d.ts" */
/** @import { Listeners } from "./page/listeners.js" */

const LETTERS = new Map([
  ["ArrowUp", "handset.up"],
  ["ArrowDown", "handset.down"],
  ["ArrowRight", "handset.select"],
  ["Enter", "handset.select"],
  ["ArrowLeft", "handset.back"],
  ["Escape", "handset.back"],
  ["Backspace", "handset.back"],
  ["p", "handset.peek"],
  [" ", "handset.peek"],
]);
/** @type {ScreenMessage} */
const DARK = { pixels: null, lines: [], language: "en" };
const ASLEEP = gettext("The screen is dark. Press a key to light it.");
const WAKING = "handset.back"; // a key that lights a dark screen does nothing else

const screen = /** @type {HTMLCanvasElement} */ (byId("screen"));
const words = byId("words");
const line = byId("line");
let said = DARK;
let away = document.hidden;
let opened = false; // whether the table has sent a screen since this page was opened

/** Show what the table says, or nothing while nobody should look. */
function show() {
  const { pixels, lines, language } = away ? DARK : said;
  words.lang = language; // the table's: another than the page's, maybe
  drawPixels(screen, pixels);
  for (let row = words.children.length; row < lines.length; row += 1) words.append(document.createElement("div"));
  while (words.children.length > lines.length) words.lastChild?.remove();
  [...words.children].forEach((element, row) => {
    const ended = `${lines[row]}\n`;
    if (element.textContent !== ended) element.textContent = ended; // only what is new is read out
  });
}

/** @param {string} text */
function announce(text) {
  line.textContent = text;
}

// The page becomes visible to others, such as in a phone's list of apps, or is shown again.
/** @param {boolean} now whether it is there */
function hide(now) {
  away = now;
  show();
}

function watch() {
  document.addEventListener("visibilitychange", () => hide(document.hidden));
  addEventListener("pagehide", () => hide(true));
  addEventListener("pageshow", () => hide(document.hidden));
  if (!matchMedia("(pointer: coarse)").matches) return; // on a desk another window may be at work beside this one
  addEventListener("blur", () => hide(true));
  for (const back of ["focus", "pointerdown"]) addEventListener(back, () => hide(false));
}

captionRefusals();
settingsDialog(byId("settings"));
byId("leave").hidden = window.opener !== null || !isByTable();
show();
fitInto(byId("glass"), screen);
watch();
addEventListener("hashchange", () => location.reload()); // another token, for the page that is open already

let refusal = await unlock(announce);
/** @type {Listeners} */
const listeners = {
  up: () => {
    refusal = "";
    announce("");
    document.body.removeAttribute("data-down");
  },
  down: (why) => {
    said = DARK;
    show();
    keys.forget();
    document.body.setAttribute("data-down", "");
    announce(why ? refusal || why : NO_ANSWER);
  },
  handset: (message) => {
    said = message;
    show();
    announce(message.pixels === null ? ASLEEP : "");
    if (!opened && !away && message.pixels === null) tapKey(send, WAKING);
    opened = true;
  },
  refused: ({ text }) => {
    announce(text);
    signalRefusal();
  },
};
const send = openConnection("handset", listeners, session());
const keys = makeHoldable(byId("keys"), LETTERS, send);
