// What a browser keeps for the pages of this table. It may keep nothing at all, and says so by an error: then what was
// chosen holds until the page is left.

/** @type {Map<string, string>} */
const unkept = new Map();

/**
 * Read what was kept.
 * @param {string} name under which
 * @returns {?string} what was kept last; null if nothing was
 */
export function readKept(name) {
  try {
    return localStorage.getItem(name) ?? unkept.get(name) ?? null;
  } catch {
    return unkept.get(name) ?? null;
  }
}

/**
 * Keep something, in place of what was kept under this name.
 * @param {string} name under which
 * @param {string} value what
 */
export function keep(name, value) {
  unkept.set(name, value);
  try {
    localStorage.setItem(name, value);
  } catch {
    // it is in the page
  }
}
