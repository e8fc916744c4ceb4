// A map on a small screen comes so near to a station that a finger hits what can be reached from there.

/** @import { BoardMessage, StationOutline } from "../messages.d.ts" */
/** @import { Board } from "./board.js" */

const NEAR = 0.62; // pixels a unit: as near as the map goes by itself
const FINGER = 44; // pixels that stations are to be apart
const AROUND = 250; // units from there: what can be reached within is seen with it

/**
 * Come near to a station; a map that is as near already is merely moved there, if it has to be.
 * @param {Board} board which
 * @param {BoardMessage} outline its stations
 * @param {number} at the station
 * @param {number[]} reach those that can be reached from there
 */
export function approachStation(board, { stations }, at, reach) {
  const place = stations.find(({ n }) => n === at);
  if (!place) return;
  const far = (/** @type {StationOutline} */ one) => Math.hypot(one.x - place.x, one.y - place.y);
  const scale = Math.min(NEAR, FINGER / Math.min(...stations.filter((one) => one !== place).map(far)));
  board.zoom.reveal(place.x, place.y);
  if (board.zoom.scale < scale) board.zoom.zoomBy(scale / board.zoom.scale);
  for (const end of stations) {
    if (reach.includes(end.n) && far(end) < AROUND) board.zoom.reveal(end.x, end.y);
  }
  board.zoom.reveal(place.x, place.y);
}
