// How the devices are, and which switches are out of order.

import { addPanel, make } from "../elements.js";

/** @import { Scene } from "../../messages.d.ts" */
/** @import { Listeners } from "../listeners.js" */

/**
 * Add the panel of the devices.
 * @param {Element} place where it is put
 * @returns {Listeners} what it listens to
 */
export function deviceHealthPanel(place) {
  const { section, body } = addPanel(place, "health", "Devices");
  /** @type {string[]} */
  let devices = [];
  let power = true;
  /** @type {?Scene} */
  let scene = null;

  function show() {
    if (!scene) return;
    const { ailing, masked } = scene;
    section.hidden = false;
    const rows = [...new Set([...devices, ...Object.keys(ailing)])].map((device) =>
      row(device, power ? ailing[device] : "no power"),
    );
    if (masked.length) rows.push(row(`switch ${masked.join(", ")}`, "out of order, moves there by CONFIRM"));
    section.toggleAttribute(
      "data-ailing",
      rows.some((element) => element.dataset.state !== "ok"),
    );
    body.replaceChildren(rows.length ? make("ul", {}, ...rows) : make("p", {}, "All devices are well."));
  }

  return {
    table(said) {
      devices = said.devices;
      power = !said.simulated || said.power;
      show();
    },
    scene(said) {
      scene = said;
      show();
    },
  };
}

/**
 * @param {string} device
 * @param {string} [why] what is wrong with it
 */
function row(device, why) {
  const state = why?.split(/ since |:/)[0] ?? "ok";
  const sign = make("span", { class: "sign", "aria-hidden": "true" }, why ? "!" : "✓");
  return make("li", { "data-device": device, "data-state": state }, sign, make("b", {}, device), ` ${why ?? "ok"}`);
}
