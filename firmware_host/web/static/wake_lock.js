// Keeps the screen on while a game is being played. Browsers allow that on https and on the table's own machine alone.

/** @import { Scene } from "../messages.d.ts" */

/**
 * Keep the screen on from now on whenever a game is on.
 * @returns {(scene: Scene) => void} is told how the table stands
 */
export function keepAwake() {
  let playing = false;
  /** @type {?WakeLockSentinel} */
  let lock = null;
  let asking = false;

  async function renew() {
    if (!("wakeLock" in navigator) || asking) return;
    const wanted = playing && !document.hidden;
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
  }

  document.addEventListener("visibilitychange", () => void renew());
  return (scene) => {
    playing = scene.rules !== null && scene.outcome === null;
    void renew();
  };
}
