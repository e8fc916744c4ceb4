// How the devices are, and which switches are out of order.

import { addPanel, make } from "../elements.js";

/** @param {Element} place where it is put */
export function deviceHealthPanel(place) {
  const { section, body } = addPanel(place, "health", "Devices");
  let devices = [];
  let power = true;
  let scene = null;

  function show() {
    if (!scene) return;
    section.hidden = false;
    const rows = [...new Set([...devices, ...Object.keys(scene.ailing)])].map((device) =>
      row(device, power ? scene.ailing[device] : "no power"),
    );
    if (scene.masked.length)
      rows.push(row(`switch ${scene.masked.join(", ")}`, "out of order, moves there by CONFIRM"));
    section.toggleAttribute(
      "data-ailing",
      rows.some((element) => element.dataset.state !== "ok"),
    );
    body.replaceChildren(rows.length ? make("ul", {}, ...rows) : make("p", {}, "All devices are well."));
  }

  return {
    table(said) {
      devices = said.devices;
      power = said.power ?? true;
      show();
    },
    scene(said) {
      scene = said;
      show();
    },
  };
}

function row(device, why) {
  const state = why ? why.split(/ since |:/)[0] : "ok";
  const sign = make("span", { class: "sign", "aria-hidden": "true" }, why ? "!" : "✓");
  return make("li", { "data-device": device, "data-state": state }, sign, make("b", {}, device), ` ${why ?? "ok"}`);
}
