// What moves on a page: for little more than a second, until any key or finger ends it, and never where less motion is
// asked for.

const CALM = matchMedia("(prefers-reduced-motion: reduce)");

/** @type {Set<Animation>} */
const running = new Set();

/**
 * Let an element move; without motion it is at once as it will be.
 * @param {Element} element which
 * @param {Keyframe[]} frames what it passes through
 * @param {KeyframeAnimationOptions} options how long, and how
 * @returns {?Animation} what moves it; null where less motion is asked for
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
 * Whether less motion is asked for.
 * @returns {boolean} true if nothing is to move
 */
export function isCalm() {
  return CALM.matches;
}

/** Wait until what moves now has come to its end. */
export async function settled() {
  await Promise.allSettled([...running].map(({ finished }) => finished));
}

function skip() {
  for (const animation of running) animation.finish();
}

addEventListener("keydown", skip, { capture: true });
addEventListener("pointerdown", skip, { capture: true });
