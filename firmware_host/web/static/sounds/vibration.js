// Vibrate on a phone: when its turn begins, at a capture, and at a refusal.

/** @import { Sound } from "./synthesizer.js" */

/** @type {Partial<Record<Sound, number[]>>} */
const PATTERNS = { your_turn: [90, 60, 90], capture: [80, 60, 160], refused: [60] }; // milliseconds: on, off, on

/**
 * Have the device vibrate with a sound, if that one is felt, the device can, and somebody has touched the page.
 * @param {Sound} sound which
 */
export function vibrate(sound) {
  const pattern = PATTERNS[sound];
  if (pattern && "vibrate" in navigator && navigator.userActivation.hasBeenActive) navigator.vibrate(pattern);
}
