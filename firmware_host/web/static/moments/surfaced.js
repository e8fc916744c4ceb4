// Whether Mister X has just come in sight.

/** @import { GameScene } from "../../messages.d.ts" */

/**
 * Return where Mister X has come in sight.
 * @param {GameScene} before how the table stood
 * @param {GameScene} scene how it stands now
 * @returns {?number} the station; null if he has not
 */
export function surfaced(before, scene) {
  const shown = scene.log.slice(before.log.length).findLast(({ station }) => station !== null)?.station;
  if (shown !== undefined && shown !== null) return before.pawns.mr_x === undefined ? shown : null;
  const at = scene.pawns.mr_x;
  return at !== undefined && before.pawns.mr_x === undefined ? at : null;
}
