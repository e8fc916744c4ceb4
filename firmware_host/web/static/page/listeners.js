// A listener to the table's messages: an object with a function for each kind of message.

/** @import { Messages, Scene, TableMessage } from "../../messages.d.ts" */

/** @typedef {Messages & {up: void, down: string}} Events "up" and "down": the line's state, "down" with a reason */
/** @typedef {{[Kind in keyof Events]?: (said: Events[Kind]) => void}} Listeners */

/**
 * Combine several listeners into one: each kind of message goes to all that want it.
 * @template {Listeners} Each
 * @param {...Each} listeners those to be combined
 * @returns {Listeners} the combined listener
 */
export function combineListeners(...listeners) {
  const kinds = new Set(listeners.flatMap((listener) => /** @type {(keyof Events)[]} */ (Object.keys(listener))));
  return Object.fromEntries(
    [...kinds].map((kind) => [kind, (/** @type {never} */ said) => listeners.forEach((each) => each[kind]?.(said))]),
  );
}

/**
 * Show what depends on both the scene and the table's parts, whenever either changes.
 * @param {(scene: Scene, table: TableMessage) => void} show called with the newest of both, after the first scene
 * @returns {Listeners} listeners to "scene" and "table"
 */
export function onSceneOrTable(show) {
  /** @type {TableMessage} */
  let table = { simulated: false, devices: [] };
  /** @type {?Scene} */
  let scene = null;
  const renew = () => scene && show(scene, table);
  return {
    table(said) {
      table = said;
      renew();
    },
    scene(said) {
      scene = said;
      renew();
    },
  };
}

/**
 * Return whether a table has power. Only a simulated table reports this; a real one counts as powered.
 * @param {TableMessage} table the table's message about itself
 * @returns {boolean} false while its power is cut
 */
export function hasPower(table) {
  return !table.simulated || table.power;
}
