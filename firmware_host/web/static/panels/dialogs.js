// What the dialogs of the page have in common.

import { make } from "../page/elements.js";
import { gettext } from "../wording/gettext.js";

/**
 * Make a dialog with a heading and a button that closes it.
 * @param {string} id its id
 * @param {string} title its heading
 * @param {...(Node|string)} children what it says
 * @returns {HTMLDialogElement} the dialog, closed
 */
export function dialog(id, title, ...children) {
  const heading = make("h2", { id: `${id}-title` }, title);
  const box = make("dialog", { id, "aria-labelledby": heading.id });
  const close = make(
    "button",
    { type: "button", class: "close", "aria-label": gettext("Close"), click: () => box.close() },
    "✕",
  );
  box.append(make("header", {}, heading, close), ...children);
  document.body.append(box);
  return box;
}

/**
 * Make a button that opens a dialog.
 * @param {string} text what stands on it
 * @param {HTMLDialogElement} box the dialog
 * @param {() => void} prepare called before it opens
 * @returns {HTMLButtonElement} the button
 */
export function opener(text, box, prepare = () => {}) {
  const open = () => {
    prepare();
    box.showModal();
  };
  return make("button", { type: "button", class: "button", "aria-haspopup": "dialog", click: open }, text);
}
