// What the dialogs of the page have in common.

import { make } from "../elements.js";

/**
 * A dialog with a heading and a button that closes it.
 * @param {string} id
 * @param {string} title
 * @param {...(Node|string)} children what it says
 * @returns {HTMLDialogElement}
 */
export function dialog(id, title, ...children) {
  const heading = make("h2", { id: `${id}-title` }, title);
  const close = make(
    "button",
    { type: "button", class: "close", "aria-label": "Close", click: () => box.close() },
    "✕",
  );
  const box = make("dialog", { id, "aria-labelledby": heading.id }, make("header", {}, heading, close), ...children);
  document.body.append(box);
  return box;
}

/** A button that opens a dialog. */
export function opener(text, box, prepare = () => {}) {
  const open = () => {
    prepare();
    box.showModal();
  };
  return make("button", { type: "button", class: "button", "aria-haspopup": "dialog", click: open }, text);
}
