// Mister X's log: a window for each of his moves.

import { addPanel, make, renewChildren, srOnly } from "../page/elements.js";
import { gettext, pgettext } from "../wording/gettext.js";
import { FUGITIVES, ticketName } from "../wording/pawn_and_ticket_names.js";
import { ticketSign } from "../wording/signs.js";

/** @import { LogEntry, ReplayScene, TableScene } from "../../messages.d.ts" */
/** @import { LampsByWindow } from "./log_lamps.js" */

const HALVES = ["", gettext("double move, first half"), gettext("double move, second half")];

/** @typedef {{element: HTMLLIElement, lamp: Node | string, shows: string}} LogWindow */

/**
 * Add the panel of the log.
 * @param {Element} place the element to put it in
 * @param {LampsByWindow} lamps the lamps of the windows
 * @returns {{scene(scene: TableScene): void}} its listeners
 */
export function mrXLogPanel(place, lamps) {
  const { section, body } = addPanel(place, "log", gettext("Mister X's log"));
  let list = make("ol");
  /** @type {LogWindow[]} */
  let windows = [];
  let now = 0; // the window that counts

  /** @param {number} count */
  function layOut(count) {
    lamps.clear();
    windows = Array.from({ length: count }, (_, n) => ({ element: make("li"), lamp: lamps.lamp(n + 1), shows: "" }));
    const elements = windows.map(({ element }) => element);
    list = make("ol", { class: "windows", "aria-labelledby": "log-title" }, ...elements);
    body.replaceChildren(list);
    new ResizeObserver(showNow).observe(list);
  }

  // If there is no space for all windows, scroll to the present one.
  function showNow() {
    list.toggleAttribute("tabindex", false);
    const at = list.querySelector("[data-now]");
    if (list.scrollWidth <= list.clientWidth || !(at instanceof HTMLElement)) return;
    list.tabIndex = 0; // it scrolls, by keys as well
    list.scrollLeft = at.offsetLeft - list.offsetLeft - (list.clientWidth - at.offsetWidth) / 2;
  }

  // Mark the window of the present move, or of the last one. Return whether it is another window than before.
  /** @param {ReplayScene} scene */
  function markNow({ phase, turn, log }) {
    const moves = phase === "play" && turn.some((pawn) => FUGITIVES.includes(pawn));
    const next = Math.min(windows.length, log.length + (moves ? 1 : 0));
    for (const [n, { element }] of windows.entries()) element.toggleAttribute("data-now", n + 1 === next);
    const other = next !== now;
    now = next;
    return other;
  }

  return {
    scene(scene) {
      const count = scene.rules === null ? 0 : scene.windows;
      section.hidden = !count;
      if (scene.rules === null || !count) {
        [windows, now] = [[], 0]; // the lamps are the success chips' now
        return;
      }
      if (count !== windows.length) layOut(count);
      for (const [n, window] of windows.entries()) renewWindow(window, scene, n + 1);
      renewChildren(body, list, start(scene) ?? legend(scene.in_sight));
      if (markNow(scene)) showNow();
    },
  };
}

// Update a window. An unchanged window is not touched.
/** @type {(window: LogWindow, scene: ReplayScene, number: number) => void} */
function renewWindow(window, scene, number) {
  const entry = scene.log[number - 1];
  const marked = scene.surfacing.includes(number) !== scene.in_sight; // in sight: the others are marked, they hide him
  const shows = JSON.stringify([entry, marked, scene.in_sight]);
  if (shows === window.shows) return;
  const element = make(
    "li",
    { class: "window", "data-window": number, "data-marked": marked, "data-double": entry?.double || null },
    make("span", { class: "number", "aria-hidden": "true" }, String(number)),
    window.lamp,
    make("span", { class: "entry", "aria-hidden": "true" }, ...face(entry, marked ? mark(scene.in_sight) : "")),
    srOnly(moveWords(number, entry, marked ? (scene.in_sight ? "hidden" : "seen") : "")),
  );
  window.element.replaceWith(element);
  Object.assign(window, { element, shows });
}

/** @param {boolean} inSight */
function mark(inSight) {
  return make("span", { class: "mark" }, inSight ? "◌" : "◉");
}

// Return the content of a window: the ticket, and the station if it is public; before the move, the mark.
/** @type {(entry: LogEntry | undefined, marked: HTMLElement | string) => (string | HTMLElement)[]} */
function face(entry, marked) {
  const lies = entry && entry.ticket !== "free" ? [ticketSign(entry.ticket)] : [];
  if (entry && entry.station !== null) return [...lies, make("span", { class: "station" }, String(entry.station))];
  return marked ? [...lies, marked] : lies;
}

// Return a move in words: "Move 3, seen: taxi, on 46, double move, first half."; `note` is "seen", "hidden" or "".
/** @type {(number: number, entry: LogEntry | undefined, note: string) => string} */
function moveWords(number, entry, note) {
  const parts = entry
    ? [entry.ticket !== "free" && ticketName(entry.ticket), entry.station !== null && gettext("on {station}", { station: entry.station }), HALVES[entry.double]]
    : [pgettext("move", "not made yet")];
  const values = { number, what: parts.filter(Boolean).join(", ") };
  if (note === "seen") return gettext("Move {number}, seen: {what}.", values);
  return note ? gettext("Move {number}, hidden: {what}.", values) : gettext("Move {number}: {what}.", values);
}

/** @param {boolean} inSight */
function legend(inSight) {
  const words = inSight ? gettext("this move hides him") : gettext("he shows himself");
  return make("p", { class: "legend" }, mark(inSight), ` ${words}`);
}

// After the end, show where Mister X began.
/** @param {ReplayScene} scene */
function start({ route, outcome }) {
  const [station] = route;
  if (!outcome || station === undefined) return null;
  return make("p", { class: "legend" }, gettext("He began on {station}.", { station }));
}
