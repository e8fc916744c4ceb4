// The lines along which pawns move.

/** @import { BoardMessage, ReplayBoard, TableScene } from "../../messages.d.ts" */
/** @import { Point } from "../board/pawns.js" */

/** @typedef {{ticket: string, points: Point[]}} Way the course of a line from its lower station to its higher one */

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
   * Use another board.
   * @param {BoardMessage | ReplayBoard} board the board
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
   * Use the table's newest scene.
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
   * Return the way of a pawn: the line whose ticket it paid, or else a line that it could pay for.
   * @param {string} pawn the pawn
   * @param {number} from the station where it was
   * @param {number} to the station where it is
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
   * Return the ticket of the only line between two stations.
   * @param {number} from one station
   * @param {number} to the other station
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
