// The names of the devices, their state, and which switches are out of order.

import { addPanel, make, renewChildren } from "../page/elements.js";
import { gettext, ngettext, pgettext } from "../wording/gettext.js";
import { withKeyNames } from "../wording/key_names.js";
import { hasPower, onSceneOrTable } from "../page/listeners.js";

/** @import { TableMessage } from "../../messages.d.ts" */
/** @import { Listeners } from "../page/listeners.js" */

/** @type {Record<string, string>} */
const DEVICES = {
  switches: pgettext("device", "switches"),
  lamps: pgettext("device", "lamps"),
  handset: pgettext("device", "handset"),
  display: pgettext("device", "display"),
  keys: pgettext("device", "keys"),
  serial: pgettext("device", "serial"),
  power: pgettext("device", "power"),
  journal: pgettext("device", "journal"),
};

/**
 * Name a device: "lamps".
 * @param {string} device such as "lamps"
 * @returns {string} its name for people
 */
export function deviceName(device) {
  return DEVICES[device] ?? device;
}

/**
 * Add the panel of the devices.
 * @param {Element} place the element for it while all devices are ok
 * @param {Element} side the element for it while a device is not
 * @returns {Listeners} its listeners
 */
export function deviceHealthPanel(place, side) {
  const { section, body } = addPanel(place, "health", gettext("Devices"));
  return onSceneOrTable(({ ailing, masked: ignored }, table) => {
    section.hidden = false;
    const devices = [...new Set([...table.devices, ...Object.keys(ailing)])];
    const rows = devices.map((device) => health(device, ailing, table));
    if (ignored.length) rows.push(switches(ignored));
    const ails = rows.some((element) => element.dataset.state !== "ok");
    if (section.toggleAttribute("data-ailing", ails) !== (section.parentElement === side)) (ails ? side : place).append(section);
    renewChildren(body, rows.length ? make("ul", {}, ...rows) : make("p", {}, gettext("All devices are well.")));
  });
}

/** @type {(device: string, ailing: Record<string, string>, table: TableMessage) => HTMLLIElement} */
function health(device, ailing, table) {
  if (!hasPower(table)) return row(device, "no power", deviceName(device), gettext("no power"));
  const why = ailing[device];
  return row(device, why ? "ill" : "ok", deviceName(device), why ?? pgettext("device", "ok"));
}

/** @param {number[]} ignored */
function switches(ignored) {
  const stations = ignored.join(", ");
  const name = ngettext("switch {stations}", "switch {stations}", ignored.length, { stations });
  return row(`switch ${stations}`, "masked", name, withKeyNames(gettext("out of order, moves there by CONFIRM")));
}

/** @type {(device: string, state: string, name: string, words: string) => HTMLLIElement} */
function row(device, state, name, words) {
  const sign = make("span", { class: "sign", "aria-hidden": "true" }, state === "ok" ? "✓" : "!");
  return make("li", { "data-device": device, "data-state": state }, sign, make("b", {}, name), ` ${words}`);
}
