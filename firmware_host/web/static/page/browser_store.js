// The browser's stores for the pages of this table. A browser may forbid stores, by an error. Then the choices are kept
// until the user leaves the page.

/** @typedef {() => Storage} Store returns a browser's store; fails in a browser that forbids stores */

/** @type {Store} */
const FOR_ALL = () => localStorage; // all pages of this table

/**
 * The store of one tab, which lasts until the tab is closed.
 * @type {Store}
 */
export const IN_TAB = () => sessionStorage;

/** @type {Map<string, string>} */
const unkept = new Map();

/**
 * Read a stored value.
 * @param {string} name under which
 * @param {Store} [store] where
 * @returns {?string} the stored value; null if there is none
 */
export function readKept(name, store = FOR_ALL) {
  try {
    return store().getItem(name) ?? unkept.get(name) ?? null;
  } catch {
    return unkept.get(name) ?? null;
  }
}

/**
 * Store a value in place of the previous one of this name.
 * @param {string} name under which
 * @param {string} value the value
 * @param {Store} [store] where
 */
export function keep(name, value, store = FOR_ALL) {
  unkept.set(name, value);
  try {
    store().setItem(name, value);
  } catch {
    // it is kept in the page
  }
}

/**
 * Delete a stored value.
 * @param {string} name its name
 */
export function drop(name) {
  unkept.delete(name);
  try {
    FOR_ALL().removeItem(name);
  } catch {
    // it was kept in the page
  }
}
