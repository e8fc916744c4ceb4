// The letters that press the table's keys. Users whom they disturb, such as in a screen reader, can switch them off.

import { keep, readKept } from "./browser_store.js";

const STORED = "letters";
const ALL = { t: "table.taxi", b: "table.bus", u: "table.underground", c: "table.confirm", Backspace: "table.back" };

/**
 * A key of the keyboard -> the table's key that it presses; empty while shortcuts are off.
 * @type {Map<string, string>}
 */
export const shortcuts = new Map();

/**
 * Return whether letters press keys. The browser stores the choice.
 * @returns {boolean} true unless the user has switched it off
 */
export function shortcutsEnabled() {
  return readKept(STORED) !== "off";
}

/**
 * Set whether letters press keys.
 * @param {boolean} on whether they do from now on
 */
export function enableShortcuts(on) {
  keep(STORED, on ? "on" : "off");
  shortcuts.clear();
  if (on) for (const [letter, key] of Object.entries(ALL)) shortcuts.set(letter, key);
}

enableShortcuts(shortcutsEnabled());
