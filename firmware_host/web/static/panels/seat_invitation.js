// Mister X's seat on another screen: a code for a phone, and the link behind it.

import { make } from "../elements.js";
import { invite } from "../handset_seat.js";
import { gettext } from "../language.js";
import { svg } from "../svg.js";
import { dialog } from "./dialogs.js";

const HERE = gettext("So far this table is open to this computer alone. Start it with --host 0.0.0.0 (a real board: host in [web]), on a network that you trust; then a phone can scan its code here.");
const HOW = gettext("Scan the code with the phone, or open the link there. It works once, within 15 minutes; then this page closes.");

/**
 * Add the button that invites another screen.
 * @param {HTMLElement} place where it is put
 * @returns {{close: () => void}} `close` takes the code away
 */
export function seatInvitation(place) {
  const said = make("div", {});
  const box = dialog("phone", gettext("Play on a phone"), said);
  const forget = () => said.replaceChildren();
  box.addEventListener("close", forget);
  async function open() {
    const answer = await invite();
    if (!("link" in answer)) said.replaceChildren(make("p", { role: "alert" }, answer.error));
    else if (answer.here) said.replaceChildren(make("p", {}, HERE));
    else said.replaceChildren(code(answer.code), make("p", {}, HOW), make("code", {}, answer.link));
    box.showModal();
  }
  place.append(make("button", { type: "button", class: "button", id: "invite", "aria-haspopup": "dialog", click: () => void open() }, gettext("Play on a phone…")));
  return {
    close() {
      if (box.open) box.close();
      forget();
    },
  };
}

/** @param {string[]} rows */
function code(rows) {
  const size = rows.length;
  const dark = rows.flatMap((row, y) => row.split("").flatMap((module, x) => (module === "1" ? [`M${x} ${y}h1v1h-1z`] : [])));
  const label = { role: "img", "aria-label": gettext("The code for the phone") };
  return svg("svg", { class: "qr", viewBox: `0 0 ${size} ${size}`, ...label }, svg("rect", { width: size, height: size, fill: "#fff" }), svg("path", { d: dark.join(""), fill: "#000" }));
}
