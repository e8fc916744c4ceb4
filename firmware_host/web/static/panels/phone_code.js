// A link for a phone: its QR code, and the link itself.

import { make } from "../page/elements.js";
import { fetchJson } from "../page/fetch_json.js";
import { gettext } from "../wording/gettext.js";
import { svg } from "../page/svg.js";

const HERE = gettext("So far this table is open to this computer alone.");
const BY_FILE = gettext("To let phones in, set host in [web], on a network that you trust; then a phone can scan its code here.");
const BY_BUTTON = gettext("Phones can be let in: then everybody in your network can open the table's pages, until it is started again. Do so on a network that you trust.");

/**
 * The invitation of a phone.
 * @typedef {object} PhoneLink
 * @property {string} link its address
 * @property {string[]} code its QR code row by row, a character a module, "1" for dark
 * @property {boolean} here whether only this machine can open it
 * @property {boolean} opens whether this page can change that
 */

/**
 * Show a link. If no phone can open it, say so, and offer to let phones in.
 * @param {PhoneLink} invitation what invites the phone
 * @param {string} how how to use it
 * @param {() => unknown} again asks for the link again after phones are let in
 * @returns {Element[]} the elements for the page
 */
export function phoneCode({ link, code, here, opens }, how, again) {
  if (!here) return [drawn(code), make("p", {}, how), address(link)];
  return [make("p", {}, HERE), ...(opens ? letIn(again) : [make("p", {}, BY_FILE)])];
}

// Show an address that users can copy. A browser has no clipboard for a page that came by http from another machine.
// There the address is selected, and the old command copies the selection, if the browser still has that command.
/** @param {string} link */
function address(link) {
  const shown = make("code", {}, link);
  const said = make("span", { role: "status" });
  const copy = async () => {
    getSelection()?.selectAllChildren(shown);
    said.textContent = (await inClipboard(link)) ? gettext("Copied") : gettext("Marked: copy it with Ctrl C, or by a long press.");
  };
  return make("p", { class: "address" }, shown, make("button", { type: "button", class: "button", click: () => void copy() }, gettext("Copy")), said);
}

/** @type {(text: string) => Promise<boolean>} */
async function inClipboard(text) {
  const { clipboard } = /** @type {{clipboard?: Clipboard}} */ (navigator);
  const old = /** @type {{execCommand?: (command: string) => boolean}} */ (document);
  try {
    if (!clipboard) return old.execCommand?.("copy") === true;
    await clipboard.writeText(text);
    return true;
  } catch {
    return false; // the browser does not allow it
  }
}

/** @type {(again: () => unknown) => Element[]} */
function letIn(again) {
  const refusal = make("p", { role: "alert" });
  const open = () => fetchJson("/network", "POST").then(again, (/** @type {unknown} */ error) => (refusal.textContent = /** @type {Error} */ (error).message));
  return [make("p", {}, BY_BUTTON), make("p", {}, make("button", { type: "button", class: "button main", click: () => void open() }, gettext("Let phones in"))), refusal];
}

/** @param {string[]} rows */
function drawn(rows) {
  const size = rows.length;
  const dark = rows.flatMap((row, y) => row.split("").flatMap((module, x) => (module === "1" ? [`M${x} ${y}h1v1h-1z`] : [])));
  const label = { role: "img", "aria-label": gettext("The code for the phone") };
  return svg("svg", { class: "qr", viewBox: `0 0 ${size} ${size}`, ...label }, svg("rect", { width: size, height: size, fill: "#fff" }), svg("path", { d: dark.join(""), fill: "#000" }));
}
