// The common parts of all dialogs.

import { make } from "../page/elements.js";
import { gettext } from "../wording/gettext.js";

/**
 * Create a dialog with a heading and a button that closes it.
 * @param {string} id its id
 * @param {string} title its heading
 * @param {...(Node|string)} children its content
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
 * Let a button of the page open a dialog.
 * @param {HTMLElement} button it is in the page's HTML already, so that nothing moves when it starts to work
 * @param {HTMLDialogElement} box the dialog
 * @param {() => void} prepare called before it opens
 */
export function openBy(button, box, prepare = () => {}) {
  button.addEventListener("click", () => {
    prepare();
    box.showModal();
  });
}
