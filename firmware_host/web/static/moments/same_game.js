// Whether a scene continues the scene before it. On a page just opened, nothing has just happened.

/** @import { GameScene, Scene } from "../../messages.d.ts" */

/**
 * Return the scene that a game's scene continues.
 * @param {?Scene} before how the table stood
 * @param {GameScene} scene how it stands now
 * @returns {?GameScene} how it stood, if that was in the same game and at most a turn ago; else null
 */
export function sameGame(before, scene) {
  if (before === null || before.rules === null || scene.rules !== before.rules) return null;
  const more = scene.log.length - before.log.length;
  return before.phase !== "set_up" && scene.round >= before.round && more >= 0 && more <= 2 ? before : null;
}
