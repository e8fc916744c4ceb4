// What a browser keeps for the pages of this table. It may keep nothing at all, and says so by an error: then what was
// chosen holds until the page is left.

/** @typedef {() => Storage} Store finds a browser's store; where stores are forbidden even this is an error */

/** @type {Store} */
const FOR_ALL = () => localStorage; // all pages of this table

/**
 * What one tab keeps, until it is closed.
 * @type {Store}
 */
export const IN_TAB = () => sessionStorage;

/** @type {Map<string, string>} */
const unkept = new Map();

/**
 * Read what was kept.
 * @param {string} name under which
 * @param {Store} [store] where
 * @returns {?string} what was kept last; null if nothing was
 */
export function readKept(name, store = FOR_ALL) {
  try {
    return store().getItem(name) ?? unkept.get(name) ?? null;
  } catch {
    return unkept.get(name) ?? null;
  }
}

/**
 * Keep something, in place of what was kept under this name.
 * @param {string} name under which
 * @param {string} value what
 * @param {Store} [store] where
 */
export function keep(name, value, store = FOR_ALL) {
  unkept.set(name, value);
  try {
    store().setItem(name, value);
  } catch {
    // it is in the page
  }
}

/**
 * Keep something no longer.
 * @param {string} name under which it was kept
 */
export function drop(name) {
  unkept.delete(name);
  try {
    FOR_ALL().removeItem(name);
  } catch {
    // it was in the page
  }
}
