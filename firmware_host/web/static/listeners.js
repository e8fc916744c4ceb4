// What listens to the table: an object with a function for each kind of message that it wants.

/** @import { Messages } from "../messages.d.ts" */

/** @typedef {Messages & {up: void, down: string}} Events "up" and "down" tell how the line is; "down" why, or "" */
/** @typedef {{[Kind in keyof Events]?: (said: Events[Kind]) => void}} Listeners */

/**
 * Combine several listeners into one: each kind of message goes to all that want it.
 * @template {Listeners} Each
 * @param {...Each} listeners those to be combined
 * @returns {Listeners} one that tells all of them
 */
export function combineListeners(...listeners) {
  const kinds = new Set(listeners.flatMap((listener) => /** @type {(keyof Events)[]} */ (Object.keys(listener))));
  return Object.fromEntries(
    [...kinds].map((kind) => [kind, (/** @type {never} */ said) => listeners.forEach((each) => each[kind]?.(said))]),
  );
}
