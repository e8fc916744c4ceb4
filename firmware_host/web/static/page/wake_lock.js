// Keeps the screen on while a game is being played. Browsers allow that on https and on the table's own machine alone.

/** @import { Scene } from "../../messages.d.ts" */

/**
 * Keep the screen on from now on whenever a game is on.
 * @returns {{scene: (scene: Scene) => void, down: () => void}} its listeners
 */
export function keepAwake() {
  let playing = false;
  /** @type {?WakeLockSentinel} */
  let lock = null;
  let asking = false;
  let refused = false;

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
      refused = true; // by a device that saves its battery
    } finally {
      asking = false;
    }
    if (wanted !== isWanted()) await renew(); // otherwise than when it was asked for
  }

  // If the browser has refused, ask it again with the next game, or when the page becomes visible again.
  function askAgain() {
    refused = false;
    void renew();
  }

  /** @param {boolean} plays */
  function follow(plays) {
    const changed = plays !== playing;
    playing = plays;
    if (changed) askAgain();
    else if (!refused) void renew();
  }

  document.addEventListener("visibilitychange", askAgain);
  return {
    scene: (scene) => follow(scene.rules !== null && scene.outcome === null),
    down: () => follow(false), // for all that is known
  };
}
