// How the pages of this table look and sound in this browser. Each open page receives the changes of other pages.

import { keep, readKept } from "../page/browser_store.js";

/** Setting -> its choices; the first one is the default. */
const CHOICES = /** @type {const} */ ({
  look: ["device", "day", "night"],
  palette: ["usual", "colour-blind"],
  contrast: ["device", "high"],
  board: ["city", "wiring"],
  sound: ["on", "off"],
  captions: ["off", "on"],
  television: ["device", "always"],
});
const PREFIX = "yardboard-"; // their names in the browser's store begin so

/** @typedef {keyof typeof CHOICES} Name the name of a setting */
/**
 * A choice of a setting.
 * @template {Name} Of
 * @typedef {(typeof CHOICES)[Of][number]} Choice
 */

/** @type {Set<() => void>} */
const listeners = new Set();

/**
 * Return the present choice of a setting.
 * @template {Name} Of
 * @param {Of} name the setting
 * @returns {Choice<Of>} the user's choice, or else the first one
 */
export function setting(name) {
  const kept = readKept(PREFIX + name);
  /** @type {readonly string[]} */
  const choices = CHOICES[name];
  const choice = kept !== null && choices.includes(kept) ? kept : CHOICES[name][0];
  return /** @type {Choice<Of>} */ (choice);
}

/**
 * Change a setting and notify the listeners.
 * @template {Name} Of
 * @param {Of} name the setting
 * @param {Choice<Of>} choice the new choice
 */
export function set(name, choice) {
  keep(PREFIX + name, choice);
  notify();
}

/**
 * Add a listener to changes of settings, on this page or another.
 * @param {() => void} listener called after each change
 */
export function onSetting(listener) {
  listeners.add(listener);
}

function notify() {
  for (const listener of listeners) listener();
}

addEventListener("storage", notify);
