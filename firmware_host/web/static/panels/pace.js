// The pace of computers' pawns. A game of computers can be paused, played move by move, and slowed down.

import { make } from "../page/elements.js";
import { hasPower, onSceneOrTable } from "../page/listeners.js";
import { svg } from "../page/svg.js";
import { gettext, pgettext } from "../wording/gettext.js";

/** @import { Pace, Scene, TableMessage } from "../../messages.d.ts" */
/** @import { Send } from "../page/connection.js" */
/** @import { Listeners } from "../page/listeners.js" */

/**
 * Each speed's pace, name and sign. The waits are no multiples of one another, so no sign names a number.
 * @type {[Pace, string, string][]}
 */
const SPEEDS = [
  ["slow", pgettext("speed", "Slow"), "M9 7v10l7-5z"],
  ["usual", pgettext("speed", "Normal"), "M5.5 7v10l6.5-5zM12.5 7v10l6.5-5z"],
  ["fast", pgettext("speed", "Fast"), "M2 7v10l6.5-5zM9 7v10l6.5-5zM16 7v10l6.5-5z"],
];
const STILL = "M7 5h4v14H7zM14 5h4v14h-4z";
const GO = "M8 5v14l11-7z";
const ONE = "M6 5v14l9-7zM16 5h3v14h-3z";
const PHASES = ["set_up", "resume", "play", "carry_out"];

/**
 * Add the keys that set the pace of computers.
 * @param {Element} place the element to put them in
 * @param {Send} send sends an order
 * @returns {Listeners} its listeners
 */
export function addPace(place, send) {
  /** @type {Pace} */
  let pace = "usual";
  /** @type {Pace} */
  let before = "usual"; // the pace to go on with after a pause
  const say = (/** @type {Pace} */ wanted) => send({ do: "pace", pace: wanted });
  /** @type {(id: string, name: string, click: () => void, ...signs: SVGElement[]) => HTMLButtonElement} */
  const key = (id, name, click, ...signs) =>
    make("button", { type: "button", id, "aria-label": name, title: name, click }, sign(...signs));
  const toggle = () => say(pace === "paused" ? before : "paused");
  const [still, go] = [svg("path", { class: "still", d: STILL }), svg("path", { class: "go", d: GO })];
  const pause = key("pause", gettext("Pause"), toggle, still, go);
  const step = key("step", gettext("One step on"), () => send({ do: "step" }), svg("path", { d: ONE }));
  const speeds = SPEEDS.map(([wanted, name, d]) =>
    make("button", { type: "button", "data-pace": wanted, "aria-label": name, title: name, click: () => say(wanted) }, sign(svg("path", { d }))),
  );
  const choice = make("div", { role: "group", "aria-label": gettext("Speed") }, ...speeds);
  const group = make("div", { id: "pace", hidden: true }, pause, step, choice);
  place.append(group);
  return onSceneOrTable((scene, table) => {
    const computers = computersIn(scene, table);
    group.hidden = computers === "none";
    document.body.toggleAttribute("data-watch", computers === "all");
    if (!table.simulated) return;
    pace = table.pace;
    if (pace !== "paused") before = pace;
    const name = pace === "paused" ? gettext("Play") : gettext("Pause");
    pause.setAttribute("aria-label", name);
    pause.title = name;
    pause.toggleAttribute("data-paused", pace === "paused");
    for (const one of speeds) one.setAttribute("aria-pressed", String(one.dataset["pace"] === before));
  });
}

/** @param {...SVGElement} parts */
function sign(...parts) {
  return svg("svg", { viewBox: "0 0 24 24", "aria-hidden": "true" }, ...parts);
}

// Return for which seats the table's hands move computers' pawns: "none", "some", or "all", Mister X's included.
/** @type {(scene: Scene, table: TableMessage) => "none" | "some" | "all"} */
function computersIn(scene, table) {
  const helped = table.simulated && !table.real_hands && hasPower(table);
  if (!helped || scene.rules === null || !PHASES.includes(scene.phase)) return "none";
  const owners = [...new Set(Object.values(scene.owners))];
  const seated = owners.filter((owner) => String(owner) in scene.seats);
  if (!seated.length) return "none";
  return seated.length === owners.length && "mr_x" in scene.seats ? "all" : "some";
}
