// A ring of light over a station: somebody has come in sight there.

import { svg } from "../page/svg.js";
import { isCalm, move } from "../page/motion.js";

/** @import { Board } from "../board/board.js" */

const MS = 1100;

/**
 * Let light fall on a station.
 * @param {Board} board on which
 * @param {number} at the station
 */
export function showSightingRing(board, at) {
  const station = board.layers?.stations.byNumber.get(at);
  if (!station || isCalm()) return;
  const { x, y } = station;
  const beam = `M${x - 14} ${y - 420}H${x + 14}L${x + 60} ${y}A60 22 0 0 1 ${x - 60} ${y}Z`;
  const cone = svg("path", { class: "cone", d: beam });
  const ring = svg("circle", { class: "wave", cx: x, cy: y, r: 44 });
  const group = svg("g", { class: "moment", "aria-hidden": "true" }, cone, ring);
  board.overlay.append(group);
  ring.style.setProperty("transform-origin", `${x}px ${y}px`);
  const wave = [{ transform: "scale(0.2)", opacity: 1 }, { transform: "scale(2.2)", opacity: 0 }];
  move(ring, wave, { duration: MS / 2, iterations: 2, easing: "ease-out" });
  const shine = [{ opacity: 0 }, { opacity: 1, offset: 0.25 }, { opacity: 1, offset: 0.7 }, { opacity: 0 }];
  move(cone, shine, { duration: MS })?.addEventListener("finish", () => group.remove());
}
