// The changes between two scenes of a game. A page that was just opened has no earlier scene.

/** @import { GameScene, Scene } from "../../messages.d.ts" */

/**
 * Return the scene that a game's scene continues.
 * @param {?Scene} before the earlier scene
 * @param {GameScene} scene the present scene
 * @returns {?GameScene} the earlier scene, if it is of the same game and at most a turn ago; else null
 */
export function sameGame(before, scene) {
  if (before === null || before.rules === null || scene.rules !== before.rules) return null;
  const more = scene.log.length - before.log.length;
  return before.phase !== "set_up" && scene.round >= before.round && more >= 0 && more <= 2 ? before : null;
}

/**
 * Return the station where Mister X has surfaced.
 * @param {GameScene} before the earlier scene
 * @param {GameScene} scene the present scene
 * @returns {?number} the station; null if he has not
 */
export function surfaced(before, scene) {
  const shown = scene.log.slice(before.log.length).findLast(({ station }) => station !== null)?.station;
  if (shown !== undefined && shown !== null) return before.pawns.mr_x === undefined ? shown : null;
  const at = scene.pawns.mr_x;
  return at !== undefined && before.pawns.mr_x === undefined ? at : null;
}
