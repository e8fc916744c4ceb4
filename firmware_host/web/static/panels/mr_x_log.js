// Mister X's log: a window for each of his moves.

import { addPanel, make, srOnly } from "../elements.js";
import { gettext, pgettext } from "../gettext.js";
import { ticketSign } from "../signs.js";
import { ticketName } from "../wording.js";

/** @import { LogEntry } from "../../messages.d.ts" */
/** @import { LampsByWindow } from "../log_lamps.js" */
/** @import { ReplayScene, TableScene } from "../replay_scene.js" */

const HALVES = ["", gettext("double move, first half"), gettext("double move, second half")];

/**
 * Add the panel of the log.
 * @param {Element} place where it is put
 * @param {LampsByWindow} lamps those of the windows
 * @returns {{scene(scene: TableScene): void}} what it listens to
 */
export function mrXLogPanel(place, lamps) {
  const { section, body } = addPanel(place, "log", gettext("Mister X's log"));
  let shown = "";
  return {
    scene(scene) {
      section.hidden = scene.rules === null || !scene.windows;
      if (scene.rules === null || !scene.windows) return;
      const { windows, surfacing, in_sight: inSight, route, outcome } = scene;
      const next = JSON.stringify([scene.log, windows, surfacing, inSight, outcome && route]);
      if (next === shown) return;
      shown = next;
      lamps.clear();
      body.replaceChildren(list(scene, lamps), legend(inSight), ...start(scene));
    },
  };
}

/** @type {(scene: ReplayScene, lamps: LampsByWindow) => HTMLOListElement} */
function list(scene, lamps) {
  const windows = Array.from({ length: scene.windows }, (_, n) => logWindow(scene, n + 1, lamps));
  return make("ol", { class: "windows", "data-short": windows.length <= 14 }, ...windows);
}

/** @type {(scene: ReplayScene, number: number, lamps: LampsByWindow) => HTMLLIElement} */
function logWindow(scene, number, lamps) {
  const entry = scene.log[number - 1];
  const marked = scene.surfacing.includes(number) !== scene.in_sight; // in sight: the others are marked, they hide him
  const attributes = {
    class: "window",
    "data-window": number,
    "data-marked": marked,
    "data-double": entry?.double || null,
  };
  return make(
    "li",
    attributes,
    make("span", { class: "number", "aria-hidden": "true" }, String(number)),
    lamps.lamp(number),
    make("span", { class: "entry", "aria-hidden": "true" }, ...face(entry, marked ? mark(scene.in_sight) : "")),
    srOnly(told(number, entry, marked ? (scene.in_sight ? "hidden" : "seen") : "")),
  );
}

/** @param {boolean} inSight */
function mark(inSight) {
  return make("span", { class: "mark" }, inSight ? "◌" : "◉");
}

// Return what lies on a window: the ticket, and the station where it is open; the mark as long as there is none.
/** @type {(entry: LogEntry | undefined, marked: HTMLElement | string) => (string | HTMLElement)[]} */
function face(entry, marked) {
  const lies = entry && entry.ticket !== "free" ? [ticketSign(entry.ticket)] : [];
  if (entry && entry.station !== null) return [...lies, make("span", { class: "station" }, String(entry.station))];
  return marked ? [...lies, marked] : lies;
}

// Tell a window in words: "Window 3, seen: taxi, on 46, double move, first half."; `note` is "seen", "hidden" or "".
/** @type {(number: number, entry: LogEntry | undefined, note: string) => string} */
function told(number, entry, note) {
  const parts = entry
    ? [ticketName(entry.ticket), entry.station !== null && gettext("on {station}", { station: entry.station }), HALVES[entry.double]]
    : [pgettext("window", "empty")];
  const values = { number, what: parts.filter(Boolean).join(", ") };
  if (note === "seen") return gettext("Window {number}, seen: {what}.", values);
  return note ? gettext("Window {number}, hidden: {what}.", values) : gettext("Window {number}: {what}.", values);
}

/** @param {boolean} inSight */
function legend(inSight) {
  const words = inSight ? gettext("this move hides him") : gettext("he shows himself");
  return make("p", { class: "legend" }, mark(inSight), ` ${words}`);
}

// Tell after the end where he began.
/** @param {ReplayScene} scene */
function start({ route, outcome }) {
  const [station] = route;
  if (!outcome || station === undefined) return [];
  return [make("p", { class: "legend" }, gettext("He began on {station}.", { station }))];
}
