// The five keys at the table. The user holds them with a pointer, with the keyboard, or by a letter for each. A key
// that the prompt names can also be pressed by its word there.

import { makeHoldable, tapKey } from "../page/holdable_keys.js";
import { shortcuts } from "../page/keyboard_shortcuts.js";
import { byId, closest, make, renewChildren } from "../page/elements.js";
import { hasPower, onSceneOrTable } from "../page/listeners.js";
import { gettext, pgettext } from "../wording/gettext.js";
import { diceKeys } from "../wording/dice_words.js";
import { drawnKeyName } from "../wording/key_names.js";

/** @import { Send } from "../page/connection.js" */
/** @import { Listeners } from "../page/listeners.js" */

const KEYS = [
  { name: "taxi", shortcut: "T", cap: "T" },
  { name: "bus", shortcut: "B", cap: "B" },
  { name: "underground", shortcut: "U", cap: "U" },
  { name: "confirm", shortcut: "C", cap: "C" },
  { name: "back", shortcut: "Backspace", cap: "⌫" },
];

/**
 * Add the five keys, and before them a key that puts back the pawn in the hand.
 * @param {Element} place the element to put them in
 * @param {Send} send sends an order
 * @param {() => void} [drop] puts back the pawn in the hand, or drops the question, on a page that moves pawns
 * @param {(key: string) => string} [nameOf] returns a key's name on this page
 * @returns {Listeners} its listeners
 */
export function addTableKeys(place, send, drop, nameOf = drawnKeyName) {
  const buttons = KEYS.map((key) => face(key, nameOf(key.name)));
  place.append(...(drop ? [dropIt(drop)] : []), ...buttons);
  const { forget } = makeHoldable(place, shortcuts, send);
  byId("prompt").addEventListener("click", ({ target }) => {
    const key = closest(target, ".keyword")?.getAttribute("data-key");
    if (key) tapKey(send, key);
  });
  const marked = onSceneOrTable((scene, table) => {
    const wanted = hasPower(table) ? scene.prompt.keys : [];
    const doing = diceKeys(scene);
    for (const button of buttons) {
      const { key = "", ticket = "" } = button.dataset;
      button.toggleAttribute("data-wanted", wanted.includes(key));
      const name = button.querySelector(".name");
      if (name) renewChildren(name, doing.get(key) ?? nameOf(ticket));
    }
  });
  return { ...marked, down: forget }; // the table lets go of what a page held that is gone
}

/** @param {() => void} drop */
function dropIt(drop) {
  return make(
    "button",
    { type: "button", id: "drop", "aria-keyshortcuts": "Escape", click: drop },
    make("span", { class: "name" }, gettext("Drop it")),
    make("kbd", { "aria-hidden": "true" }, pgettext("keyboard", "Esc")),
  );
}

/** @type {(key: {name: string, shortcut: string, cap: string}, called: string) => HTMLButtonElement} */
function face({ name, shortcut, cap }, called) {
  return make(
    "button",
    { type: "button", "data-key": `table.${name}`, "data-ticket": name, "aria-keyshortcuts": shortcut },
    make("span", { class: "name" }, called),
    make("kbd", { "aria-hidden": "true" }, cap),
  );
}
