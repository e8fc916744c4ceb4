// Keeps the screen on while a game is being played. Browsers allow that on https and on the table's own machine alone.

/** @import { Scene } from "../messages.d.ts" */

/**
 * Keep the screen on from now on whenever a game is on.
 * @returns {{scene: (scene: Scene) => void, down: () => void}} what it listens to
 */
export function keepAwake() {
  let playing = false;
  /** @type {?WakeLockSentinel} */
  let lock = null;
  let asking = false;

  const isWanted = () => playing && !document.hidden;

  async function renew() {
    if (!("wakeLock" in navigator) || asking) return;
    const wanted = isWanted();
    if (wanted === (lock !== null && !lock.released)) return;
    asking = true;
    try {
      if (wanted) lock = await navigator.wakeLock.request("screen");
      else await lock?.release();
    } catch {
      // a device that saves its battery says no; it is asked again with the next scene
    } finally {
      asking = false;
    }
    if (wanted !== isWanted()) await renew(); // otherwise than when it was asked for
  }

  document.addEventListener("visibilitychange", () => void renew());
  return {
    scene(scene) {
      playing = scene.rules !== null && scene.outcome === null;
      void renew();
    },
    down() {
      playing = false; // for all that is known
      void renew();
    },
  };
}
