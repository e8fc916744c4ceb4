// A map on a small or touch screen zooms in on a station until a finger can hit the stations that it reaches.
// It also follows the pawn that has to move.

import { settled } from "../page/motion.js";

/** @import { BoardMessage, GameScene, Outline } from "../../messages.d.ts" */
/** @import { Board } from "./board.js" */
/** @import { Listeners } from "../page/listeners.js" */
/** @import { Point } from "./pawns.js" */

const SMALL = matchMedia("(max-width: 40em), (pointer: coarse)");
const PHONE = matchMedia("(max-width: 40em), (max-height: 30em)"); // on anything larger all of a map is seen well enough
const NEAR = 0.62; // pixels a unit: the largest automatic scale, except to part stations
const NEAREST = 1.4; // the largest automatic scale to part reachable stations
const FINGER = 44; // pixels that stations are to be apart
const MARGIN = 60; // pixels around several pawns

/** @type {(one: Point, other: Point) => number} */
const distance = (one, other) => Math.hypot(one.x - other.x, one.y - other.y);

/**
 * Zoom in on a station. If the user has already zoomed in as far, the map only moves, and only if it must.
 * If the user has zoomed out to the whole map, it stays as it is.
 * @param {Board} board the board
 * @param {Outline} outline its stations
 * @param {number} at the station
 * @param {number[]} reach the stations that can be reached from there
 */
export function zoomToStation(board, { stations }, at, reach) {
  const place = stations.find(({ n }) => n === at);
  if (!place || board.zoom.all || !SMALL.matches) return;
  const near = FINGER / closest([place], stations);
  const ends = stations.filter(({ n }) => n !== at && reach.includes(n));
  const parted = FINGER / closest([place, ...ends], [place, ...ends]);
  const filled = PHONE.matches ? board.zoom.filling : 0;
  const scale = Math.max(filled, Math.min(NEAR, near), Math.min(NEAREST, parted));
  board.zoom.reveal(place.x, place.y);
  if (board.zoom.scale < scale || !board.zoom.chosen) board.zoom.zoomBy(scale / board.zoom.scale);
  const byDistance = ends.sort((one, other) => distance(other, place) - distance(one, place));
  for (const { x, y } of [...byDistance, place]) board.zoom.reveal(x, y); // what is nearest is seen in any case
}

// Return the smallest distance between a station of the first list and one of the second, in units.
/** @type {(some: Point[], others: Point[]) => number} */
function closest(some, others) {
  const pairs = some.flatMap((one) => others.filter((other) => other !== one).map((other) => distance(one, other)));
  return Math.min(...pairs);
}

/**
 * On a phone, zoom in on a pawn that has to move.
 * @param {Board} board the board
 * @param {Outline} outline its stations
 * @param {GameScene} scene the table's scene
 * @param {string} pawn the pawn
 */
export function zoomToPawn(board, outline, { pawns, moves }, pawn) {
  const at = pawns[pawn];
  if (at === undefined || !PHONE.matches) return;
  const reach = moves.filter((move) => move.pawn === pawn).map(({ to }) => to);
  board.glide(() => zoomToStation(board, outline, at, reach));
}

/**
 * On a phone, show the pawns that have to move, as soon as all motion ends: zoom in on one pawn, or frame several.
 * Until then the map fills its place and shows all pawns.
 * @param {Board} board the board
 * @returns {Listeners} its listeners
 */
export function followTurn(board) {
  /** @type {?BoardMessage} */
  let outline = null;
  let followed = "";

  /** @type {(scene: GameScene, turn: string) => Promise<void>} */
  async function follow(scene, turn) {
    await settled();
    const known = outline;
    if (known === null || turn !== followed || !PHONE.matches || board.zoom.all) return;
    const [pawn = "", ...others] = turn ? scene.turn : Object.keys(scene.pawns);
    if (turn && !others.length) {
      zoomToPawn(board, known, scene, pawn);
      return;
    }
    const places = [pawn, ...others].map((one) => known.stations.find(({ n }) => n === scene.pawns[one]));
    const seen = places.filter((place) => place !== undefined);
    if (seen.length) board.glide(() => board.zoom.frame(seen, MARGIN, turn ? NEAR : board.zoom.filling));
  }

  return {
    board: (said) => (outline = said),
    scene(scene) {
      const turn = scene.rules === null ? "" : turnOf(scene);
      if (turn === followed && (turn || board.zoom.near)) return;
      followed = turn;
      if (scene.rules !== null && (turn || !board.zoom.near)) void follow(scene, turn);
    },
  };
}

// Return a text that identifies a turn; "" if nobody has to move, or only a hidden pawn.
/** @param {GameScene} scene */
function turnOf({ phase, round, turn, pawns }) {
  const known = phase === "play" && turn.every((pawn) => pawn in pawns);
  return known && turn.length ? `${round} ${turn.join()}` : "";
}
