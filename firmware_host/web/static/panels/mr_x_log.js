// Mister X's log: a window for each of his moves.

import { addPanel, make, srOnly } from "../elements.js";
import { ticketSign, ticketName } from "../wording.js";

const HALVES = { 1: "double move, first half", 2: "double move, second half" };

/**
 * @param {Element} place where it is put
 * @param {import("../log_lamps.js").LogLamps} lamps those of the windows
 */
export function mrXLogPanel(place, lamps) {
  const { section, body } = addPanel(place, "log", "Mister X's log");
  let shown = "";
  return {
    scene(scene) {
      section.hidden = !scene.windows;
      if (section.hidden) return;
      const { windows, surfacing, in_sight: inSight, route, outcome } = scene;
      const next = JSON.stringify([scene.log, windows, surfacing, inSight, outcome && route]);
      if (next === shown) return;
      shown = next;
      lamps.clear();
      body.replaceChildren(list(scene, lamps), legend(inSight), ...start(scene));
    },
  };
}

function list(scene, lamps) {
  const windows = Array.from({ length: scene.windows }, (_, n) => window_(scene, n + 1, lamps));
  return make("ol", { class: "windows", "data-short": windows.length <= 14 }, ...windows);
}

function window_(scene, number, lamps) {
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
    srOnly(told(number, entry, marked && (scene.in_sight ? "hidden" : "seen"))),
  );
}

function mark(inSight) {
  return make("span", { class: "mark" }, inSight ? "◌" : "◉");
}

/** What lies on a window: the ticket, and the station where it is open; the mark as long as there is none. */
function face(entry, marked) {
  const lies = entry && entry.ticket !== "free" ? [ticketSign(entry.ticket)] : [];
  if (entry && entry.station !== null) return [...lies, make("span", { class: "station" }, String(entry.station))];
  return marked ? [...lies, marked] : lies;
}

/** A window in words: "Window 3, seen: taxi, on 46, double move, first half." */
function told(number, entry, mark) {
  const parts = entry
    ? [ticketName(entry.ticket), entry.station !== null && `on ${entry.station}`, HALVES[entry.double]]
    : ["empty"];
  return `Window ${number}${mark ? `, ${mark}` : ""}: ${parts.filter(Boolean).join(", ")}.`;
}

function legend(inSight) {
  return make("p", { class: "legend" }, mark(inSight), inSight ? " this move hides him" : " he shows himself");
}

/** After the end: where he began. */
function start({ route, outcome }) {
  return outcome && route.length ? [make("p", { class: "legend" }, `He began on ${route[0]}.`)] : [];
}
