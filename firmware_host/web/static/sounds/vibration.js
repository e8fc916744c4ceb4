// Vibrate on a phone: when its turn begins, at a capture, and at a refusal.

/** @import { Sound } from "./synthesizer.js" */

/** @type {Partial<Record<Sound, number[]>>} */
const PATTERNS = { your_turn: [90, 60, 90], capture: [80, 60, 160], refused: [60] }; // milliseconds: on, off, on

/**
 * Vibrate with a sound, if it has a vibration, the device can vibrate and the user has touched the page.
 * @param {Sound} sound which
 */
export function vibrate(sound) {
  const pattern = PATTERNS[sound];
  if (pattern && "vibrate" in navigator && navigator.userActivation.hasBeenActive) navigator.vibrate(pattern);
}
