// The parts of a simulated table that users can break: cables, switches, rest and power. Also: real hands.

import { addPanel, make } from "../page/elements.js";
import { gettext, ngettext, pgettext } from "../wording/gettext.js";
import { withSpaces } from "../wording/pawn_and_ticket_names.js";
import { deviceName } from "./device_health.js";

/** @import { BoardMessage } from "../../messages.d.ts" */
/** @import { Send } from "../page/connection.js" */
/** @import { Listeners } from "../page/listeners.js" */

const LINES = ["switches", "serial"]; // their cables can carry rubbish, too
/** @type {Record<string, string[]>} */
const DEVICES = {
  switches: ["unplug", "slow", "garbage", "ones", "zeros", "shift_early"],
  power: ["under_voltage", "throttled"],
};
const USUAL = ["unplug", "slow"];
/** @type {Record<string, string>} */
const ACTS = {
  unplug: gettext("Pull"),
  slow: gettext("Slow"),
  garbage: gettext("Garbage"),
  ones: gettext("All ones"),
  zeros: gettext("All zeros"),
  shift_early: gettext("Shift"),
  under_voltage: gettext("Too weak"),
  throttled: gettext("Too hot"),
};
/** @type {Record<string, string>} */
const STATES = {
  unplug: gettext("unplugged"),
  slow: gettext("slow"),
  garbage: gettext("sends garbage"),
  ones: gettext("all ones"),
  zeros: gettext("all zeros"),
  shift_early: gettext("out of step"),
  under_voltage: gettext("under-voltage"),
  throttled: gettext("slowed down"),
};
/** @type {Record<string, string>} */
const SWITCH = {
  stuck_closed: gettext("stuck closed"),
  stuck_open: gettext("stuck open"),
  chatter: gettext("chatters"),
  worn: gettext("bounces long"),
  ok: gettext("works"),
};
const REAL = gettext("Real hands: magnets are sensed as they slide, and nobody helps to set up");

/**
 * Add the panel in which users break and repair devices.
 * @param {Element} place the element to put it in
 * @param {Send} send sends an order
 * @returns {Listeners} its listeners
 */
export function breakSomethingPanel(place, send) {
  const { section, body } = addPanel(place, "faults", gettext("Break something"));
  const cables = make("ul", { class: "cables" });
  const broken = make("ul", { class: "broken" });
  const cut = () => send({ do: "power", on: false });
  const power = make("button", { type: "button", class: "button", click: cut }, gettext("Cut the power"));
  const shake = make(
    "button",
    { type: "button", class: "button", click: () => send({ do: "shake" }) },
    gettext("Shake the table"),
  );
  const intro = make("p", {}, gettext("A table must live with all of this. See what it says and does."));
  const real = make("input", { type: "checkbox", id: "real-hands" });
  real.addEventListener("change", () => send({ do: "hands", real: real.checked }));
  const hands = make("label", { class: "choice", for: real.id }, real, REAL);
  const count = make("b", {});
  const { form, board } = switches(send);
  const details = make(
    "details",
    {},
    make("summary", {}, gettext("What can go wrong"), " ", count),
    hands,
    intro,
    cables,
    form,
    broken,
    make("p", { class: "row" }, shake, power),
  );
  body.append(details);

  return {
    board,
    table(said) {
      section.hidden = !said.simulated;
      if (!said.simulated) return;
      real.checked = said.real_hands;
      document.body.dataset.hands = said.real_hands ? "real" : "helped";
      power.hidden = !said.power; // the head of the page has the button that gives it back
      const out = Object.entries(said.broken);
      keeping(cables, () =>
        cables.replaceChildren(...said.devices.map((device) => cable(device, said.broken[device], send))),
      );
      broken.replaceChildren(
        ...out.filter(([device]) => device.startsWith("switch:")).map(([device, kind]) => mended(device, kind, send)),
      );
      count.textContent = out.length ? ngettext("({count} broken)", "({count} broken)", out.length) : "";
    },
  };
}

// Redraw a list without losing the focus of a keyboard user.
/** @type {(list: HTMLElement, renew: () => void) => void} */
function keeping(list, renew) {
  const focused = document.activeElement;
  const act = list.contains(focused) && focused?.getAttribute("data-act");
  renew();
  /** @type {?HTMLElement} */
  const again = act ? list.querySelector(`[data-act="${act}"]`) : null;
  again?.focus();
}

// Create the row of a device, with a switch for each fault of its cable; `kind` is its present fault.
/** @type {(device: string, kind: string | undefined, send: Send) => HTMLLIElement} */
function cable(device, kind, send) {
  const acts = DEVICES[LINES.includes(device) ? "switches" : device] ?? USUAL;
  const buttons = acts.map((act) => {
    const now = kind === act;
    const words = now && act === "unplug" ? gettext("Put back") : (ACTS[act] ?? withSpaces(act));
    const change = () => send({ do: "fault", device, kind: now ? "ok" : act });
    const attributes = {
      type: "button",
      class: "button",
      "aria-label": gettext("{title}: {text}", { title: deviceName(device), text: words }),
      "aria-pressed": String(now),
      "data-act": `${device}.${act}`,
      click: change,
    };
    return make("button", attributes, words);
  });
  const state = make("small", {}, kind ? (STATES[kind] ?? withSpaces(kind)) : pgettext("device", "ok"));
  const name = make("span", { class: "device" }, make("b", {}, deviceName(device)), state);
  return make("li", { "data-broken": Boolean(kind) }, name, make("span", { class: "row" }, ...buttons));
}

// Create the form for a station's switch. Its listener `board` sets the stations to choose from.
/** @param {Send} send */
function switches(send) {
  /** @type {number[]} */
  let stations = [];
  const station = make("input", {
    id: "fault-station",
    inputmode: "numeric",
    size: 3,
    autocomplete: "off",
  });
  const kind = make(
    "select",
    { id: "fault-kind", "aria-label": gettext("What is wrong with it") },
    ...Object.entries(SWITCH).map(([value, words]) => make("option", { value }, words)),
  );
  const form = make(
    "form",
    { class: "row" },
    make("label", { for: "fault-station" }, gettext("Switch at"), " "),
    station,
    kind,
    make("button", { class: "button" }, gettext("Do it")),
  );
  const check = () => {
    const known = stations.includes(Number(station.value));
    const range = { station: station.value, first: Math.min(...stations), last: Math.max(...stations) };
    const some = gettext("There is no station {station} ({first} to {last})", range);
    station.setCustomValidity(known ? "" : station.value.trim() ? some : gettext("Which station?"));
  };
  station.addEventListener("input", check);
  form.addEventListener("submit", (event) => {
    event.preventDefault();
    send({ do: "fault", device: `switch:${Number(station.value)}`, kind: kind.value });
  });
  const board = (/** @type {BoardMessage} */ said) => {
    stations = said.stations.map(({ n }) => n);
    check();
  };
  return { form, board };
}

/** @type {(device: string, kind: string, send: Send) => HTMLLIElement} */
function mended(device, kind, send) {
  const mend = () => send({ do: "fault", device, kind: "ok" });
  const values = { station: device.slice("switch:".length), fault: SWITCH[kind] ?? withSpaces(kind) };
  const words = gettext("Switch at {station}: {fault}", values);
  return make("li", {}, words, " ", make("button", { type: "button", class: "button", click: mend }, gettext("Mend")));
}
