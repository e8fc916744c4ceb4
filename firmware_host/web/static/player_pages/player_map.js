// A player's own map: taps choose stations, and reachable stations are marked.

import { zoomToStation } from "../board/zoom_to_station.js";
import { Board } from "../board/board.js";
import { NOTHING } from "../board/move_targets.js";
import { TicketChooser } from "../board/ticket_chooser.js";
import { dangersOf, MoveMarks } from "./move_marks.js";

/** @import { BoardMessage, Scene, Secrets } from "../../messages.d.ts" */
/** @import { Reach } from "../board/move_targets.js" */
/** @import { TicketQuestion } from "../board/ticket_chooser.js" */
/** @import { PlayerMovePanel } from "./player_move.js" */

const REACH = 30; // pixels from a station in which a tap is meant for it, where it can be reached
const FINGER = 22; // the same of any other, on a map that is near enough for fingers

/** The map beside the panel in which a player chooses a move. */
export class PlayerMap {
  board;
  chooser;
  /** @type {?BoardMessage} */
  outline = null;
  #move;
  #marks = new MoveMarks();

  /**
   * @param {HTMLElement} place the element that the map fills
   * @param {PlayerMovePanel} move the panel with the choices
   * @param {(station: number, precise: boolean) => boolean} pick called with a tapped station, and true if a mouse
   *   tapped it (fingers also tap twice to zoom in); returns whether the tap had an effect
   */
  constructor(place, move, pick) {
    this.#move = move;
    this.board = new Board(place, undefined, {
      tap: (x, y, by) => {
        const station = this.#stationNear(x, y);
        return station !== null && pick(station, by === "mouse");
      },
      activateStation: ({ n }) => void pick(n, false),
    });
    this.board.onMoved(() => this.#marks.setScale(this.board.zoom.scale));
    this.chooser = new TicketChooser(this.board);
  }

  /**
   * Put a board on the table.
   * @param {BoardMessage} board the table's message about the board
   */
  setBoard(board) {
    this.outline = board;
    this.board.setBoard(board);
    this.board.overlay.insertBefore(this.#marks.layer, this.board.layers?.pawns.layer ?? null);
  }

  /**
   * Show a scene, and the stations that can be reached.
   * @param {Scene} scene the scene
   * @param {?Secrets} knowledge what the player knows; null while that is covered
   * @param {?TicketQuestion} asked the ticket question of the table that this player may answer
   */
  show(scene, knowledge, asked = null) {
    const { moves, plan, threats } = this.#move;
    this.board.setScene(scene, knowledge ? this.#reach(knowledge, asked) : NOTHING);
    const { layers } = this.board;
    if (!layers) return;
    const can = new Set(knowledge ? moves.map(({ to }) => to) : []);
    for (const n of layers.stations.byNumber.keys()) layers.stations.setLamp(n, can.has(n) ? "#fad032" : "");
    this.chooser.ask(knowledge && (this.#move.question ?? asked));
    if (!knowledge) {
      this.#marks.clear();
      return;
    }
    this.#marks.draw(layers, { secrets: knowledge, moves, steps: plan.steps, threats });
    this.#move.setDangers(dangersOf(knowledge));
  }

  // Return where the player may go by the next step of the plan.
  /** @type {(knowledge: Secrets, asked: ?TicketQuestion) => Reach} */
  #reach({ actor: pawn, at }, asked) {
    const from = this.#move.from ?? at;
    const moves = this.#move.moves.map(({ to, ticket }) => ({ pawn, from, to, tickets: [ticket] }));
    const to = this.#move.chosen ?? asked?.station ?? null;
    return { moves, asked: to === null ? null : { pawn, from, to }, over: null };
  }

  /**
   * On a small screen, zoom in on a station so far that a finger can hit the stations in reach.
   * @param {number} at the station
   */
  zoomTo(at) {
    if (this.outline) zoomToStation(this.board, this.outline, at, this.#move.moves.map(({ to }) => to));
  }

  /** Show all of the map again, and remove every trace of where a pawn was. */
  leave() {
    this.board.zoom.showAll();
    this.board.layers?.stations.resetTabStop();
  }

  // Return the station that a tap means: a reachable one if it is near, else the station at that place.
  /** @type {(x: number, y: number) => ?number} */
  #stationNear(x, y) {
    const can = new Set(this.#move.moves.map(({ to }) => to));
    const far = (/** @type {{x: number, y: number}} */ at) => Math.hypot(at.x - x, at.y - y);
    const radius = this.outline?.radius ?? 0;
    const { near: isNear, scale } = this.board.zoom;
    const within = Math.max(REACH / (scale || 1), radius);
    const near = this.outline?.stations.filter((one) => can.has(one.n) && far(one) <= within) ?? [];
    const [best] = near.sort((one, other) => far(one) - far(other));
    return (best ?? this.board.stationAt(x, y, isNear ? Math.max(FINGER / scale, radius) : radius + 2))?.n ?? null;
  }
}
