// The names of the table's keys: the printed ones, which the table's texts use, or those that pages draw.

import { pgettext } from "./gettext.js";

/** @import { Listeners } from "../page/listeners.js" */

/**
 * Key -> the word printed on it at a real board.
 * @type {Record<string, string>}
 */
const PRINTED = {
  taxi: pgettext("key", "TAXI"),
  bus: pgettext("key", "BUS"),
  underground: pgettext("key", "UNDERGROUND"),
  confirm: pgettext("key", "CONFIRM"),
  back: pgettext("key", "BACK"),
};
/**
 * Key -> the word that pages write on it.
 * @type {Record<string, string>}
 */
const DRAWN = {
  taxi: pgettext("drawn key", "TAXI"),
  bus: pgettext("drawn key", "BUS"),
  underground: pgettext("drawn key", "UNDERGROUND"),
  confirm: pgettext("drawn key", "CONFIRM"),
  back: pgettext("drawn key", "BACK"),
};
const KEYS = new Map(Object.entries(PRINTED).map(([key, printed]) => [printed, key]));
const ANY_KEY = new RegExp(`(?<!\\p{L})(${[...KEYS.keys()].join("|")})(?!\\p{L})`, "u");

let names = PRINTED;

/**
 * Listeners that choose the keys' names for this table. A simulated table has its keys on its pages.
 * @type {Listeners}
 */
export const keyNames = {
  table: ({ simulated }) => (names = simulated ? DRAWN : PRINTED),
  seat: ({ small }) => (names = small ? DRAWN : PRINTED), // only a simulated table has a small handset
};

/**
 * Name a key.
 * @param {string} key such as "confirm"
 * @returns {string} its name at this table; the same word if it is no key
 */
export function keyName(key) {
  return names[key] ?? key;
}

/**
 * Return whether the table's keys are drawn on its pages, and pressed there.
 * @returns {boolean} false at a real board
 */
export function keysAreDrawn() {
  return names === DRAWN;
}

/**
 * Name a key that a page draws.
 * @param {string} key such as "confirm"
 * @returns {string} what the page writes on it
 */
export function drawnKeyName(key) {
  return DRAWN[key] ?? key;
}

/**
 * Split a text of the table at the names of keys.
 * @param {string} text a text with the printed names of keys
 * @returns {{words: string, key: ?string}[]} its parts; the words of a key are its name at this table
 */
export function splitAtKeys(text) {
  return text.split(ANY_KEY).map((words) => {
    const key = KEYS.get(words) ?? null;
    return { words: key === null ? words : keyName(key), key };
  });
}

/**
 * Replace the printed names of keys in a text by their names at this table.
 * @param {string} text a text with the printed names
 * @returns {string} the text with the other names
 */
export function withKeyNames(text) {
  return splitAtKeys(text).map(({ words }) => words).join("");
}
