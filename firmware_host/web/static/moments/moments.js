// The great moments of a game, which the table has published. Each is shown for little more than a second.

import { sameGame, surfaced } from "./scene_changes.js";
import { isCalm, move } from "../page/motion.js";
import { svg } from "../page/svg.js";

/** @import { GameScene, Scene } from "../../messages.d.ts" */
/** @import { Board } from "../board/board.js" */
/** @import { Listeners } from "../page/listeners.js" */

const TURN = 600; // milliseconds
const SHINE = 1100; // milliseconds
const FLIP = [{ transform: "perspective(12rem) rotateY(-180deg) scale(1.6)" }, { transform: "none" }];
const TUMBLE = [
  { transform: "translateY(-2.5rem) rotate(-540deg) scale(1.5)" },
  { transform: "translateY(0) rotate(20deg)", offset: 0.6 },
  { transform: "translateY(-0.5rem) rotate(-8deg)", offset: 0.8 },
  { transform: "none" },
];

/**
 * Show the moments of a game on its page.
 * @param {Board} board the board
 * @returns {Listeners} its listeners; call them after those of the panels
 */
export function showMoments(board) {
  /** @type {?Scene} */
  let before = null;
  return {
    scene(scene) {
      if (scene.rules !== null) show(board, sameGame(before, scene), scene);
      before = scene;
    },
  };
}

/** @type {(board: Board, before: ?GameScene, scene: GameScene) => void} */
function show(board, before, scene) {
  if (before === null) return; // of a page just opened nothing has just happened
  for (const { window } of scene.log.slice(before.log.length)) turnOver(window);
  const seen = surfaced(before, scene);
  if (seen !== null && !scene.outcome) showSightingRing(board, seen);
  if (before.dice?.to_roll && scene.dice && !scene.dice.to_roll && scene.dice.rolled.length) roll();
}

/** @param {number} window */
function turnOver(window) {
  const entry = document.querySelector(`#log [data-window="${window}"] .entry`);
  if (entry) move(entry, FLIP, { duration: TURN, easing: "cubic-bezier(0.2, 0.8, 0.3, 1)" });
}

function roll() {
  for (const [n, die] of [...document.querySelectorAll("#dice .fact:first-child .die")].entries()) {
    move(die, TUMBLE, { duration: TURN, delay: 70 * n, easing: "ease-out", fill: "backwards" });
  }
}

// Let light fall on the station where Mister X has surfaced.
/** @type {(board: Board, at: number) => void} */
function showSightingRing(board, at) {
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
  move(ring, wave, { duration: SHINE / 2, iterations: 2, easing: "ease-out" });
  const shine = [{ opacity: 0 }, { opacity: 1, offset: 0.25 }, { opacity: 1, offset: 0.7 }, { opacity: 0 }];
  move(cone, shine, { duration: SHINE })?.addEventListener("finish", () => group.remove());
}
