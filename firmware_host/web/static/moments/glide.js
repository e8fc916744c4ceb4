// Animates a pawn from its old place to its new one. With reduced motion the pawn is at its new place at once.

import { move } from "../page/motion.js";

/** @import { Point } from "../board/pawns.js" */

const MS = 350;
const ALONG = 500; // milliseconds that a pawn is on its way along a line

/**
 * Show a pawn on its way.
 * @param {SVGElement} pawn which, drawn where it is
 * @param {string} from its transform where it was; "" for a pawn that was not there
 */
export function glide(pawn, from) {
  const to = pawn.style.getPropertyValue("transform");
  if (from === to) return;
  const before = from ? { transform: from } : { transform: `translateY(-40px) ${to}`, opacity: 0 };
  move(pawn, [before, { transform: to }], { duration: MS, easing: "ease-in-out" });
}

/**
 * Show a pawn on its way along a line.
 * @param {SVGElement} pawn which, drawn where it is
 * @param {Point} from where its foot was, in units
 * @param {Point[]} bends the points that the line is drawn through between its stations
 * @param {Point} to where its foot is
 * @param {number} size how large it is drawn
 */
export function glideAlong(pawn, from, bends, to, size) {
  const points = [from, ...bends, to];
  const far = [0];
  for (const [n, point] of points.entries()) {
    const before = points[n - 1];
    if (before) far.push((far[n - 1] ?? 0) + Math.hypot(point.x - before.x, point.y - before.y));
  }
  const length = far.at(-1) || 1;
  const frames = points.map(({ x, y }, n) => ({
    transform: `translate(${x}px, ${y}px) scale(${size})`,
    offset: (far[n] ?? 0) / length,
  }));
  move(pawn, frames, { duration: ALONG, easing: "ease-in-out" });
}
