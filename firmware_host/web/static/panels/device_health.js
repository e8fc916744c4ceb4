// How the devices are, and which switches are out of order.

import { addPanel, make } from "../elements.js";
import { hasPower, onSceneOrTable } from "../listeners.js";

/** @import { Listeners } from "../listeners.js" */

/**
 * Add the panel of the devices.
 * @param {Element} place where it is put
 * @returns {Listeners} what it listens to
 */
export function deviceHealthPanel(place) {
  const { section, body } = addPanel(place, "health", "Devices");
  return onSceneOrTable(({ ailing, masked }, table) => {
    section.hidden = false;
    const rows = [...new Set([...table.devices, ...Object.keys(ailing)])].map((device) =>
      row(device, hasPower(table) ? ailing[device] : "no power"),
    );
    if (masked.length) rows.push(row(`switch ${masked.join(", ")}`, "out of order, moves there by CONFIRM"));
    section.toggleAttribute(
      "data-ailing",
      rows.some((element) => element.dataset.state !== "ok"),
    );
    body.replaceChildren(rows.length ? make("ul", {}, ...rows) : make("p", {}, "All devices are well."));
  });
}

/** @type {(device: string, why?: string) => HTMLLIElement} */
function row(device, why) {
  const state = why?.split(/ since |:/)[0] ?? "ok";
  const sign = make("span", { class: "sign", "aria-hidden": "true" }, why ? "!" : "✓");
  return make("li", { "data-device": device, "data-state": state }, sign, make("b", {}, device), ` ${why ?? "ok"}`);
}
