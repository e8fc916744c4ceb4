// The pawns in this page's hands: dragged pawns, the pawn that a tap or a key has lifted, and pawns just let go.
//
// A held pawn is in the hand. The page sends its place when it is let go, and only a place where it may stand.
// With real hands the table reads every lift and every switch under a sliding pawn, as a real board does.

import { Announcer } from "./announcer.js";
import { askedByTable, TicketChooser } from "../board/ticket_chooser.js";
import { zoomToPawn } from "../board/zoom_to_station.js";
import { NO_ANSWER } from "../page/connection.js";
import { combineListeners, onSceneOrTable } from "../page/listeners.js";
import { gettext } from "../wording/gettext.js";
import { whyNotTaken, whyNotThere } from "../wording/illegal_move.js";
import { pawnName } from "../wording/pawn_and_ticket_names.js";

/** @import { Scene, StationOutline, Undoable } from "../../messages.d.ts" */
/** @import { Board } from "../board/board.js" */
/** @import { Send } from "../page/connection.js" */
/** @import { Listeners } from "../page/listeners.js" */
/** @import { Place, Point } from "../board/pawns.js" */
/** @import { Lines } from "../wording/station_descriptions.js" */

/**
 * A held pawn: its place in units, whether it was just let go, and the station that it will stand on, if any.
 * @typedef {Point & {letGo: boolean, at?: number}} Carried
 */
/** @typedef {{pawn: string, from: ?Point, noticed: boolean}} Picked a held pawn, and whether the table has noticed */

const PATIENCE = 1000; // milliseconds in which the table should report the place of a pawn that was let go

/** The hands of a page and the pawns in them. */
export class HeldPieces {
  real = false; // whether the table reads every move of a hand
  /** @type {Map<string, Carried>} */
  carried = new Map(); // pawns in these hands, or just let go
  /** @type {?Picked} */
  picked = null; // the pawn that a tap or a key has lifted
  announcer = new Announcer();
  chooser;
  movedAt = -Infinity; // the time of the last legal put-down, in milliseconds
  #board;
  #send;
  #explain;
  /** @type {?Scene} */
  #scene = null;
  /** @type {?Undoable} */
  #undo = null;
  /** @type {Lines} */
  #lines = [];
  #warned = ""; // the shown reason why a held pawn may not stand on the station below it
  /** @type {Map<number, string>} */
  #last = new Map(); // station -> the pawn that was last lifted from it

  /**
   * @param {Board} board the board
   * @param {Send} send sends an order
   * @param {(text: string, at: ?Point) => void} explain shows why a pawn goes back, and where it was let go, in units
   */
  constructor(board, send, explain) {
    this.#board = board;
    this.#send = send;
    this.#explain = explain;
    this.chooser = new TicketChooser(board);
  }

  // ---- called by other modules ----

  /**
   * The listeners to the table's scene and its parts.
   * @returns {Listeners} listeners
   */
  get listeners() {
    /** @type {Listeners} */
    const parts = {
      table: (said) => (this.real = !said.simulated || said.real_hands),
      pawns: ({ undo }) => (this.#undo = undo),
      board: ({ lines }) => (this.#lines = lines),
      scene: (scene) => (this.#scene = scene),
    };
    const asked = onSceneOrTable((scene, table) => this.chooser.ask(askedByTable(scene, table, this.#send)));
    return combineListeners(parts, asked);
  }

  /**
   * Compare these hands with the table's report. A pawn that the table has placed leaves the hands.
   * @param {Map<string, Place>} places pawn -> where it is
   */
  reconcile(places) {
    for (const [pawn, { letGo }] of this.carried) {
      if (letGo && !places.get(pawn)?.lifted) this.carried.delete(pawn);
    }
    if (!this.picked) return;
    if (!places.has(this.picked.pawn)) {
      this.picked.noticed = true;
    } else if (this.picked.noticed) {
      this.carried.delete(this.picked.pawn);
      this.picked = null;
      this.#board.setHand(null);
      this.say("");
    }
  }

  /** Empty the hands for another board: their pawns are in the box. */
  reset() {
    this.carried.clear();
    this.picked = null;
    this.#board.setHand(null);
    this.say("");
    this.#last.clear();
  }

  // ---- a tap or a key lifts a pawn, and another puts it down ----

  /**
   * Handle Enter on a station: put down the pawn in the hand, or lift a pawn that stands there.
   * @param {StationOutline} station the station
   */
  activateStation(station) {
    if (this.picked) {
      if (!this.real) this.#board.focusNextTurn();
      this.put(this.picked, station);
      return;
    }
    if (this.redirect(station)) return;
    const pawns = this.#board.layers?.stations.pawnsOn(station.n) ?? [];
    const pawn = pawns[(pawns.indexOf(this.#last.get(station.n) ?? "") + 1) % pawns.length];
    if (pawn === undefined) {
      if (this.start(station)) return;
      this.say(gettext("No pawn stands on {station}.", { station: station.n }));
      return;
    }
    this.#last.set(station.n, pawn);
    this.#lift(pawn);
  }

  /**
   * Handle a tap on a station with an empty hand: set down a pawn that may start there.
   * @param {StationOutline} station the station
   * @returns {boolean} whether a pawn may start there
   */
  start(station) {
    const scene = this.#scene;
    if (this.real || scene === null || scene.rules === null || scene.phase !== "play") return false;
    const start = scene.moves.find(({ to, tickets }) => to === station.n && tickets.includes("start"));
    if (start) this.drop(start.pawn, station);
    return start !== undefined;
  }

  /**
   * Handle a tap on a station with a pawn in the hand. If a pawn that may move stands there, take that pawn instead.
   * Otherwise set the held pawn down there.
   * @type {(picked: Picked, station: StationOutline) => void}
   */
  tapStation(picked, station) {
    const there = this.#board.layers?.stations.pawnsOn(station.n) ?? [];
    const other = there.find((pawn) => pawn !== picked.pawn && this.#isToMove(pawn));
    if (other !== undefined && this.#whyNot(picked.pawn, station)) this.activatePawn(other);
    else this.put(picked, station);
  }

  /**
   * Handle a tap on a pawn: lift it, or put the held pawn beside it. A pawn whose move is over stays.
   * @param {string} pawn the pawn
   */
  activatePawn(pawn) {
    const place = this.#board.places.get(pawn) ?? null;
    const station = this.#board.layers?.stations.byNumber.get(place?.at ?? 0);
    const why = this.real ? "" : whyNotTaken(this.#scene, pawn);
    if (this.picked?.pawn === pawn) {
      this.putBack();
    } else if (this.#isToMove(pawn)) {
      this.putBack();
      this.#lift(pawn);
    } else if (this.picked && station) {
      this.put(this.picked, station);
    } else if (why) {
      this.#refuse(why, place);
    } else {
      this.#lift(pawn);
    }
  }

  // Show why a pawn stays where it is.
  /** @type {(why: string, place: ?Place) => void} */
  #refuse(why, place) {
    this.#explain(why, place);
    this.#board.refuse(place?.at ?? 0);
  }

  // Return whether it is a pawn's turn and the page moves it, not a hand on the board.
  /** @param {string} pawn */
  #isToMove(pawn) {
    const scene = this.#scene;
    return !this.real && scene !== null && scene.rules !== null && scene.phase === "play" && scene.turn.includes(pawn);
  }

  /**
   * Handle a tap on a pawn in the box: take it into the hand, or put it back.
   * @param {string} pawn the pawn
   */
  activateBoxed(pawn) {
    const back = this.picked?.pawn === pawn;
    this.putBack();
    if (back) return;
    this.picked = { pawn, from: null, noticed: true };
    this.#show(pawn);
    this.sayPicked(this.picked);
    this.#board.redraw();
  }

  /**
   * Put the held pawn on a station.
   * @type {(picked: Picked, station: StationOutline) => void}
   */
  put({ pawn }, station) {
    this.picked = null;
    if (!this.real) {
      this.drop(pawn, station);
      return;
    }
    this.#sayPut(pawn, station, this.letGo(pawn, station));
  }

  /**
   * Whether a pawn with an open ticket question may go to a station instead: by another move, or back.
   * @param {StationOutline} station the station
   * @returns {boolean} true if a tap there means that
   */
  redirects({ n }) {
    const scene = this.#scene;
    const [asked] = scene?.asked ?? [];
    if (!asked || !scene || scene.rules === null || n === asked.to) return false;
    if (this.#board.places.get(asked.pawn)?.at !== asked.to || scene.pawns[asked.pawn] === asked.to) return false;
    return n === scene.pawns[asked.pawn] || scene.moves.some(({ pawn, to }) => pawn === asked.pawn && to === n);
  }

  /**
   * Move the pawn with an open ticket question to another station, if it may go there.
   * @param {StationOutline} station the station
   * @returns {boolean} whether it may
   */
  redirect(station) {
    const [asked] = this.#scene?.asked ?? [];
    if (!asked || !this.redirects(station)) return false;
    this.#sayPut(asked.pawn, station, this.letGo(asked.pawn, station, station.n));
    return true;
  }

  /** Put the held pawn back. */
  putBack() {
    if (!this.picked) return;
    const { pawn, from } = this.picked;
    this.picked = null;
    if (!this.real) this.#glideBack(pawn, "");
    else if (from) this.letGo(pawn, from);
    this.sayBack(pawn);
    this.#board.redraw();
  }

  /** Drop the question about a move, or take a move back that the table has not answered yet. */
  takeBack() {
    if (this.chooser.drop()) return;
    const pawn = this.#moving;
    if (pawn !== undefined && this.#send({ do: "undo" })) this.sayBack(pawn);
  }

  // Return the pawn with a move that the table has not answered: it is not where the scene has it. There may be none.
  get #moving() {
    const scene = this.#scene;
    if (scene === null || scene.rules === null) return undefined;
    return scene.turn.find((pawn) => {
      const at = this.carried.get(pawn)?.at ?? this.#board.places.get(pawn)?.at ?? null;
      return this.#isToMove(pawn) && at !== null && at !== scene.pawns[pawn];
    });
  }

  /** @param {string} pawn */
  #lift(pawn) {
    const place = this.#board.places.get(pawn);
    const pawns = this.#board.layers?.pawns;
    if (!place || !pawns || place.lifted) return;
    if (this.real && !this.#send({ do: "lift", pawn })) {
      this.#explain(NO_ANSWER, place);
      return;
    }
    const { x, y } = (place.at !== null && pawns.stations.get(place.at)) || place;
    this.picked = { pawn, from: { x, y }, noticed: false };
    this.carried.set(pawn, { ...pawns.footOf(pawn), letGo: false });
    this.#show(pawn);
    this.sayPicked(this.picked);
    this.#board.redraw();
    this.#zoomTo(pawn);
  }

  // One of several pawns that may move is lifted: show the stations in its reach.
  /** @param {string} pawn */
  #zoomTo(pawn) {
    const { layers } = this.#board;
    const scene = this.#scene;
    if (!layers || !scene || scene.rules === null || !scene.turn.includes(pawn)) return;
    zoomToPawn(this.#board, layers.outline, scene, pawn);
  }

  // ---- dragging and letting go ----

  /**
   * Draw a dragged pawn.
   * @param {string} pawn the pawn
   * @param {Point} at where its foot is, in units
   * @param {?StationOutline} station the station to which it has snapped
   */
  carry(pawn, { x, y }, station) {
    this.carried.set(pawn, { x, y, letGo: false });
    this.#show(pawn, station?.n ?? null);
    if (!this.real) this.#warn(station ? this.#whyNot(pawn, station) : "");
    this.#board.redraw();
  }

  // Show why a held pawn may not stand on the station below it, while it is over that station.
  /** @param {string} why */
  #warn(why) {
    if (why === this.#warned) return;
    this.#warned = why;
    this.announcer.say(why, true);
  }

  // Return why a pawn may not stand on a station; "" if it may, or if it is there already.
  /** @type {(pawn: string, station: StationOutline) => string} */
  #whyNot(pawn, { n }) {
    if (this.#board.places.get(pawn)?.at === n) return "";
    return this.#undo?.pawn === pawn && this.#undo.to === n ? "" : whyNotThere(this.#scene, this.#lines, pawn, n);
  }

  /**
   * Let go of a pawn whose lift the table has not read. Where it may not stand, it goes back and the page says why.
   * @type {(pawn: string, station: StationOutline) => void}
   */
  drop(pawn, station) {
    if (station.n === this.#board.places.get(pawn)?.at) {
      this.#glideBack(pawn, "");
      this.sayBack(pawn);
      return;
    }
    const why = this.#whyNot(pawn, station);
    if (why) {
      this.#glideBack(pawn, why, station);
      this.#board.refuse(station.n);
      return;
    }
    this.#sayPut(pawn, station, this.letGo(pawn, station, station.n));
  }

  // Announce that a pawn stands on a station, or why it went back: while the line is down the table accepts nothing.
  /** @type {(pawn: string, station: StationOutline, sent: boolean) => void} */
  #sayPut(pawn, station, sent) {
    if (sent) this.say(gettext("{pawn} stands on {station}.", { pawn: pawnName(pawn), station: station.n }));
    else this.#explainInstead(NO_ANSWER, station);
  }

  // Show why a pawn went back, instead of the words about the pawn in the hand.
  /** @type {(why: string, at: ?Point) => void} */
  #explainInstead(why, at) {
    this.say("");
    this.#explain(why, at);
  }

  /**
   * Send the last order for a pawn. Until the table reports its place, draw it where it was let go.
   * @type {(pawn: string, at: Point, station?: number) => boolean} says whether the order could be sent
   */
  letGo(pawn, { x, y }, station) {
    this.#board.setHand(null);
    /** @type {Carried} */
    const place = station === undefined ? { x, y, letGo: true } : { x, y, letGo: true, at: station };
    const sent = this.#send({ do: "put", pawn, ...this.#board.toShares(place) });
    if (sent) this.carried.set(pawn, place);
    else this.carried.delete(pawn);
    if (sent) this.movedAt = performance.now();
    setTimeout(() => {
      if (this.carried.get(pawn) !== place) return;
      this.carried.delete(pawn);
      this.#board.redraw();
    }, PATIENCE);
    this.#board.redraw();
    return sent;
  }

  /**
   * Put back a pawn whose hand was taken away.
   * @param {string} pawn the pawn
   * @param {string} [why] the reason to show, if any
   */
  forget(pawn, why = "") {
    this.#glideBack(pawn, why, this.carried.get(pawn));
  }

  /** @type {(pawn: string, why: string, at?: ?Point) => void} */
  #glideBack(pawn, why, at = null) {
    this.#board.setHand(null);
    this.#warn("");
    this.carried.delete(pawn);
    this.#board.redraw();
    if (why) this.#explainInstead(why, at);
  }

  // Show where a held pawn may go, unless the table itself senses the hand: then its lamps show this.
  /** @type {(pawn: string, over?: ?number) => void} */
  #show(pawn, over = null) {
    if (!this.real) this.#board.setHand(pawn, over);
  }

  // ---- words ----

  /**
   * Show what to do with the pawn in the hand.
   * @param {Picked} picked the held pawn
   */
  sayPicked({ pawn }) {
    this.say(gettext("{pawn} is in the hand; choose a station.", { pawn: pawnName(pawn) }));
  }

  /**
   * Announce that a pawn is back.
   * @param {string} pawn the pawn
   */
  sayBack(pawn) {
    this.say(gettext("{pawn} is back where it was.", { pawn: pawnName(pawn) }));
  }

  /**
   * Announce a text to screen readers, and show it beside the board while a pawn is in the hand.
   * @param {string} text the text; "" clears the last one
   */
  say(text) {
    this.announcer.say(text, this.picked !== null);
  }
}
