// A link for a phone: its code to be scanned, and the link itself.

import { make } from "../elements.js";
import { gettext } from "../language.js";
import { svg } from "../svg.js";

const HERE = gettext("So far this table is open to this computer alone. Start it with --host 0.0.0.0 (a real board: host in [web]), on a network that you trust; then a phone can scan its code here.");

/**
 * What invites a phone.
 * @typedef {object} PhoneLink
 * @property {string} link its address
 * @property {string[]} code its QR code row by row, a character a module, "1" for dark
 * @property {boolean} here whether only this machine can open it
 */

/**
 * Show a link, or say why no phone could open it.
 * @param {PhoneLink} invitation what invites the phone
 * @param {string} how what to do with it
 * @returns {Element[]} what is to be put on the page
 */
export function phoneCode({ link, code, here }, how) {
  if (here) return [make("p", {}, HERE)];
  return [drawn(code), make("p", {}, how), make("code", {}, link)];
}

/** @param {string[]} rows */
function drawn(rows) {
  const size = rows.length;
  const dark = rows.flatMap((row, y) => row.split("").flatMap((module, x) => (module === "1" ? [`M${x} ${y}h1v1h-1z`] : [])));
  const label = { role: "img", "aria-label": gettext("The code for the phone") };
  return svg("svg", { class: "qr", viewBox: `0 0 ${size} ${size}`, ...label }, svg("rect", { width: size, height: size, fill: "#fff" }), svg("path", { d: dark.join(""), fill: "#000" }));
}
