// Animations on a page. They take little more than a second, end with any key or finger, and are off if the user wants
// reduced motion.

const CALM = matchMedia("(prefers-reduced-motion: reduce)");

/** @type {Set<Animation>} */
const running = new Set();

/**
 * Animate an element. With reduced motion, it changes at once.
 * @param {Element} element the element
 * @param {Keyframe[]} frames what it passes through
 * @param {KeyframeAnimationOptions} options how long, and how
 * @returns {?Animation} the animation; null with reduced motion
 */
export function move(element, frames, options) {
  if (CALM.matches) return null;
  const animation = element.animate(frames, options);
  running.add(animation);
  const forget = () => running.delete(animation);
  animation.addEventListener("finish", forget);
  animation.addEventListener("cancel", forget);
  return animation;
}

/**
 * Return whether the user wants reduced motion.
 * @returns {boolean} true if nothing should move
 */
export function isCalm() {
  return CALM.matches;
}

/** Wait until all running animations have ended. */
export async function settled() {
  await Promise.allSettled([...running].map(({ finished }) => finished));
}

function skip() {
  for (const animation of running) animation.finish();
}

addEventListener("keydown", skip, { capture: true });
addEventListener("pointerdown", skip, { capture: true });
