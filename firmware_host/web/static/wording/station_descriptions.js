// The description of a station, from the table's scene: why it is lit, where its lines lead, and who can come there.
// The scene gives the reason, because a changing or flashing lamp does not always show the same colour.

import { gettext } from "./gettext.js";
import { joinWords } from "./joining.js";
import { meansName, pawnName } from "./pawn_and_ticket_names.js";

/** @import { ReplayScene, TableScene } from "../../messages.d.ts" */

/** @typedef {[number, number, string][]} Lines the lines of a board: from, to, by what */

/**
 * The action that a station waits for.
 * @typedef {object} Awaited
 * @property {string} words such as "Red is to stand here", as part of a longer line
 * @property {string} sentence the same as a whole sentence
 */

/**
 * Describe the actions that stations wait for, also while their lamps are dark.
 * @param {ReplayScene} scene the table's scene
 * @returns {Map<number, Awaited>} station -> what it waits for
 */
export function describeAwaited({ mismatch, set_down: setDown, take_off: takeOff, phase, turn, pawns }) {
  /** @type {Map<number, Awaited>} */
  const said = new Map();
  for (const pawn of phase === "play" ? turn : []) {
    const at = pawns[pawn];
    if (at) said.set(at, toMove(pawnName(pawn)));
  }
  for (const station of [...mismatch.extra, ...takeOff]) said.set(station, toBeCleared());
  for (const [pawn, station] of Object.entries({ ...mismatch.missing, ...setDown })) {
    said.set(station, toStandHere(pawnName(pawn)));
  }
  return said;
}

/** @type {(pawn: string) => Awaited} */
function toMove(pawn) {
  return { words: gettext("{pawn} is to move", { pawn }), sentence: gettext("{pawn} is to move.", { pawn }) };
}

/** @returns {Awaited} the same for every pawn that stands there */
function toBeCleared() {
  return { words: gettext("to be cleared"), sentence: gettext("To be cleared.") };
}

/** @type {(pawn: string) => Awaited} */
function toStandHere(pawn) {
  return { words: gettext("{pawn} is to stand here", { pawn }), sentence: gettext("{pawn} is to stand here.", { pawn }) };
}

/**
 * Describe how pawns may reach stations, as far as lamps show this.
 * @param {ReplayScene} scene the table's scene
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
  const ways = tickets.filter((one) => one !== "start" && one !== "stay");
  const named = ways.filter((one) => one !== "free"); // a free move names no ticket
  if (!named.length) return ways.length ? gettext("may be reached") : "";
  return gettext("may be reached by {means}", { means: joinWords(named.map(meansName), "or") });
}

/**
 * Describe where the lines of a station lead.
 * @param {number} station its number
 * @param {Lines} lines all lines of the board
 * @returns {Map<string, number[]>} kind of line -> the stations at its other ends, in order
 */
export function describeLines(station, lines) {
  /** @type {Map<string, number[]>} */
  const found = new Map();
  for (const [one, other, kind] of lines) {
    if (one !== station && other !== station) continue;
    found.set(kind, [...(found.get(kind) ?? []), one === station ? other : one].sort((a, b) => a - b));
  }
  return found;
}

/**
 * Return the detectives who can come to a station, from public knowledge. The table offers moves to those whose turn it
 * is. All others go by the lines from their stations and the tickets that they have left.
 * @param {TableScene} scene the table's scene
 * @param {number} station its number
 * @param {Lines} lines all lines of the board
 * @returns {{pawn: string, now: boolean, tickets: string[]}[]} who, whether it is to move, and by which tickets
 */
export function describeComers(scene, station, lines) {
  if (scene.rules === null || scene.phase !== "play") return [];
  const ways = describeLines(station, lines);
  const { moves, pawns, tickets } = scene;
  const { dice = null } = /** @type {{dice?: unknown}} */ (scene); // a past game has its dice elsewhere
  return Object.keys(scene.owners).flatMap((pawn) => {
    const offered = moves.filter((move) => move.pawn === pawn);
    const now = offered.length > 0;
    const hand = tickets[pawn] ?? {};
    const free = !Object.keys(hand).length && !dice; // where nobody pays
    const left = (/** @type {string} */ kind) => free || (hand[kind] ?? 0) > 0;
    const at = pawns[pawn] ?? 0;
    const found = now
      ? offered.filter(({ to }) => to === station).flatMap((move) => move.tickets)
      : [...ways].filter(([kind, ends]) => ends.includes(at) && left(kind)).map(([kind]) => (free ? "free" : kind));
    return found.length && !found.includes("stay") ? [{ pawn, now, tickets: found }] : [];
  });
}
