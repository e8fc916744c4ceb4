// What a station is lit for, in words, out of the table's scene: a lamp that changes has one colour at a time, and one
// that flashes none for half of it.

import { joinWords, pawnName, ticketName } from "./wording.js";

/** @import { ReplayScene } from "./replay_scene.js" */

/**
 * Describe what stations wait for, however their lamps shine at the moment.
 * @param {ReplayScene} scene how the table stands
 * @returns {Map<number, string>} station -> such as "Red is to stand here"
 */
export function describeAwaited({ mismatch, set_down: setDown, take_off: takeOff, phase, turn, pawns }) {
  /** @type {Map<number, string>} */
  const said = new Map();
  for (const pawn of phase === "play" ? turn : []) {
    const at = pawns[pawn];
    if (at) said.set(at, `${pawnName(pawn)} is to move`);
  }
  for (const station of [...mismatch.extra, ...takeOff]) said.set(station, "to be cleared");
  for (const [pawn, station] of Object.entries({ ...mismatch.missing, ...setDown })) {
    said.set(station, `${pawnName(pawn)} is to stand here`);
  }
  return said;
}

/**
 * Describe how stations may be reached, as far as lamps show it.
 * @param {ReplayScene} scene how the table stands
 * @returns {Map<number, string>} station -> such as "may be reached by taxi or bus"
 */
export function describeReachable({ moves, in_hand: inHand, phase }) {
  /** @type {Map<number, string[]>} */
  const ways = new Map();
  if (phase !== "play") return new Map();
  for (const { pawn, to, tickets } of moves) {
    if (inHand.length && !inHand.includes(pawn)) continue;
    ways.set(to, [...(ways.get(to) ?? []), ...tickets]);
  }
  return new Map([...ways].map(([to, tickets]) => [to, by([...new Set(tickets)])]));
}

/** @param {string[]} tickets */
function by(tickets) {
  const named = tickets.filter((one) => one !== "start" && one !== "stay");
  return named.length ? `may be reached by ${joinWords(named.map(ticketName), "or")}` : "";
}
