// A map on a small screen, or under a finger, comes so near to a station that a finger hits what can be reached from
// there; and it goes to whoever is to move.

import { settled } from "./moments/motion.js";

/** @import { BoardMessage, GameScene, Scene, StationOutline } from "../messages.d.ts" */
/** @import { Board } from "./board.js" */
/** @import { Listeners } from "./listeners.js" */

const SMALL = matchMedia("(max-width: 40em), (pointer: coarse)");
const PHONE = matchMedia("(max-width: 40em), (max-height: 30em)"); // on anything larger all of a map is seen well enough
const NEAR = 0.62; // pixels a unit: as near as the map goes by itself
const FINGER = 44; // pixels that stations are to be apart
const AROUND = 250; // units from there: what can be reached within is seen with it

/**
 * Come near to a station; a map that is as near already is merely moved there, if it has to be. Whoever has gone so far
 * away by hand that all of it is seen has chosen that.
 * @param {Board} board which
 * @param {BoardMessage} outline its stations
 * @param {number} at the station
 * @param {number[]} reach those that can be reached from there
 */
export function approachStation(board, { stations }, at, reach) {
  const place = stations.find(({ n }) => n === at);
  if (!place || board.zoom.all || !SMALL.matches) return;
  const far = (/** @type {StationOutline} */ one) => Math.hypot(one.x - place.x, one.y - place.y);
  const scale = Math.min(NEAR, FINGER / Math.min(...stations.filter((one) => one !== place).map(far)));
  board.zoom.reveal(place.x, place.y);
  if (board.zoom.scale < scale) board.zoom.zoomBy(scale / board.zoom.scale);
  for (const end of stations) {
    if (reach.includes(end.n) && far(end) < AROUND) board.zoom.reveal(end.x, end.y);
  }
  board.zoom.reveal(place.x, place.y);
}

/**
 * On a phone go to whoever is to move, as soon as nothing moves any more.
 * @param {Board} board which
 * @returns {Listeners} what it listens to
 */
export function followTurn(board) {
  /** @type {?BoardMessage} */
  let outline = null;
  let followed = "";

  /** @type {(at: number, scene: GameScene, turn: string) => Promise<void>} */
  async function follow(at, { moves }, turn) {
    await settled();
    const known = outline;
    if (known === null || turn !== followed || !PHONE.matches) return;
    board.zoom.glide(() => approachStation(board, known, at, moves.map(({ to }) => to)));
  }

  return {
    board: (said) => (outline = said),
    scene(scene) {
      const at = soleTurn(scene);
      const turn = at === null || scene.rules === null ? "" : `${scene.round} ${scene.turn.join()}`;
      if (turn === followed) return;
      followed = turn;
      if (at !== null && scene.rules !== null) void follow(at, scene, turn);
    },
  };
}

// Return where the one pawn stands that is to move; null if it is none, one in secret, or one of several.
/** @type {(scene: Scene) => ?number} */
function soleTurn(scene) {
  if (scene.rules === null || scene.phase !== "play") return null;
  const [pawn, ...others] = scene.turn;
  return pawn === undefined || others.length ? null : (scene.pawns[pawn] ?? null);
}
