// Whether what the table says goes on from what it said before: of a page just opened nothing has just happened.

/** @import { GameScene, Scene } from "../../messages.d.ts" */

/**
 * Tell what a scene of a game goes on from.
 * @param {?Scene} before how the table stood
 * @param {GameScene} scene how it stands now
 * @returns {?GameScene} how it stood, if that was in the same game and at most a turn ago; else null
 */
export function sameGame(before, scene) {
  if (before === null || before.rules === null || scene.rules !== before.rules) return null;
  const more = scene.log.length - before.log.length;
  return before.phase !== "set_up" && scene.round >= before.round && more >= 0 && more <= 2 ? before : null;
}
