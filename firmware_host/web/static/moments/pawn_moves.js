// Along which lines pawns move.

/** @import { BoardMessage, ReplayBoard, TableScene } from "../../messages.d.ts" */
/** @import { Point } from "../board/pawns.js" */

/** @typedef {{ticket: string, points: Point[]}} Way how a line goes from its lower station to its higher */

/** The moves on a board. */
export class PawnMoves {
  /** @type {Map<string, Way[]>} */
  #ways = new Map();
  /** @type {?TableScene} */
  #scene = null;
  /** @type {Record<string, Record<string, number>>} */
  #before = {}; // tickets, before the newest move
  /** @type {Record<string, Record<string, number>>} */
  #tickets = {};

  /**
   * Another board lies on the table.
   * @param {BoardMessage | ReplayBoard} board which
   */
  setBoard(board) {
    this.#ways.clear();
    for (const [n, [a, b, ticket]] of board.lines.entries()) {
      if (!board.drawn.includes(ticket)) continue;
      const key = `${a}-${b}`;
      const points = inPairs(board.bends[n] ?? []);
      this.#ways.set(key, [...(this.#ways.get(key) ?? []), { ticket, points }]);
    }
  }

  /**
   * Take the table's newest scene.
   * @param {TableScene} scene the scene
   */
  setScene(scene) {
    this.#scene = scene;
    const tickets = scene.rules === null ? {} : scene.tickets;
    if (JSON.stringify(tickets) === JSON.stringify(this.#tickets)) return;
    this.#before = this.#tickets;
    this.#tickets = tickets;
  }

  /**
   * Return the way of a pawn, along the line whose ticket it gave, or else by one that it may give for this move.
   * @param {string} pawn which
   * @param {number} from the station where it was
   * @param {number} to the one where it is
   * @returns {Point[] | undefined} the points of the line between both; undefined if no line joins them
   */
  way(pawn, from, to) {
    const moves = this.#scene?.rules ? this.#scene.moves : [];
    const offered = moves.find((move) => move.pawn === pawn && move.to === to)?.tickets ?? [];
    const spent = (/** @type {string} */ ticket) =>
      (this.#before[pawn]?.[ticket] ?? 0) > (this.#tickets[pawn]?.[ticket] ?? 0);
    return this.line(from, to, (ticket) => (offered.length ? offered.includes(ticket) : spent(ticket)));
  }

  /**
   * Return by what alone a pawn can go between two stations.
   * @param {number} from the one
   * @param {number} to the other
   * @returns {?string} such as "bus"; null if several lines join them, or none
   */
  only(from, to) {
    const [way, ...others] = this.#ways.get(`${Math.min(from, to)}-${Math.max(from, to)}`) ?? [];
    return way && !others.length ? way.ticket : null;
  }

  /**
   * Return the points of a line between two stations.
   * @param {number} from its first station
   * @param {number} to its other
   * @param {(ticket: string) => boolean} wanted returns whether a line of this ticket is the wanted one
   * @returns {Point[] | undefined} the points between both, in units; undefined if no line joins them
   */
  line(from, to, wanted) {
    const ways = this.#ways.get(`${Math.min(from, to)}-${Math.max(from, to)}`) ?? [];
    const points = (ways.find(({ ticket }) => wanted(ticket)) ?? ways[0])?.points;
    return from < to ? points : points?.toReversed();
  }
}

/** @type {(values: number[]) => Point[]} */
function inPairs(values) {
  return Array.from({ length: values.length / 2 }, (_, n) => ({ x: values[2 * n] ?? 0, y: values[2 * n + 1] ?? 0 }));
}
