// Moves pawns. The user drags a pawn with mouse or finger, or lifts it and puts it down by two taps or keys.

import { DragGhost } from "./drag_ghost.js";
import { closest } from "../page/elements.js";
import { HeldPieces } from "./held_pieces.js";
import { gettext } from "../wording/gettext.js";
import { pawnName } from "../wording/pawn_and_ticket_names.js";

/** @import { StationOutline } from "../../messages.d.ts" */
/** @import { Board } from "../board/board.js" */
/** @import { Send } from "../page/connection.js" */
/** @import { Point } from "../board/pawns.js" */

/** @typedef {{clientX: number, clientY: number}} Finger where a finger is on the page, in pixels */

/**
 * A pawn that a finger drags.
 * @typedef {object} Slide
 * @property {string} pawn the pawn
 * @property {Point} offset from the finger to the pawn's foot at the start, in units
 * @property {boolean} boxed whether it came out of the box
 * @property {?StationOutline} onto the station under the first touch, with the pawn in the hand: a tap chooses it
 * @property {Finger} start where the finger came down
 * @property {Finger} finger where it is now
 * @property {DragGhost} ghost shows the pawn beside the board
 * @property {boolean} moved whether it is a drag, not a tap
 * @property {?Point} at where it was drawn last, in units
 * @property {boolean} sent whether the page has sent the drag to the table
 * @property {number} due the animation frame in which it follows the finger; 0: none
 */

const STILL = 5; // pixels that a finger may slip in a tap
const SHIFT = 24; // pixels of the drag in which the pawn's foot approaches the finger
const REACH = 14; // pixels around a pawn in which a finger grips it
const AIM = 24; // the same around a station, for a tap with a pawn in the hand
const SNAP = 12; // the same around a station to which a dragged pawn snaps
const TWICE = 400; // milliseconds after a move in which a click at the same place completes a double click
const SAME = 30; // pixels within which two clicks are at the same place

/** @type {(one: Finger, other: Finger) => number} */
const distance = (one, other) => Math.hypot(other.clientX - one.clientX, other.clientY - one.clientY);

/** The hands of a page on which pawns can be moved. */
export class DragController {
  held;
  #board;
  #send;
  /** @type {Map<number, Slide>} */
  #slides = new Map(); // pointer -> the pawn that it drags
  /** @type {Finger} */
  #finger = { clientX: 0, clientY: 0 }; // the place of the last touch

  /**
   * @param {Board} board the board
   * @param {Send} send sends an order
   * @param {(text: string, at: ?Point) => void} explain shows why a pawn goes back, and where it was let go, in units
   */
  constructor(board, send, explain) {
    this.held = new HeldPieces(board, send, explain);
    this.#board = board;
    this.#send = send;
    const { view } = board;
    view.addEventListener("pointerdown", (event) => this.#down(event));
    view.addEventListener("pointermove", (event) => this.#move(event));
    view.addEventListener("pointerup", (event) => this.#up(event));
    view.addEventListener("pointercancel", (event) => this.#cancel(event));
    view.addEventListener("keydown", (event) => this.#key(event));
    document.addEventListener("keydown", ({ key }) => key === "Escape" && this.giveUp());
    view.addEventListener("click", ({ target, detail }) => {
      const pawn = detail === 0 && pawnOf(target);
      if (pawn) this.held.activatePawn(pawn); // a screen reader's
    });
  }

  // ---- called by other modules ----

  /**
   * Put the pawn in the hand, or the pawn with an open ticket question, on the tapped station.
   * @param {number} x in units
   * @param {number} y in units
   * @returns {boolean} whether the tap had an effect
   */
  tap(x, y) {
    const { layers } = this.#board;
    const { picked } = this.held;
    if (!layers) return false;
    const station = this.#board.stationAt(x, y, this.#units(AIM) + layers.outline.radius);
    if (!picked) return station !== null && (this.held.redirect(station) || this.held.start(station));
    if (station) this.held.tapStation(picked, station);
    else this.held.sayPicked(picked);
    return true;
  }

  /**
   * Handle Enter on a station: put down the pawn in the hand, or lift a pawn that stands there.
   * @param {StationOutline} station the station
   */
  activateStation(station) {
    this.held.activateStation(station);
  }

  /**
   * Take a pawn from the box by key. The focus moves to the board: to the pawn's station or to a lit one.
   * @param {string} pawn the pawn
   */
  pickByKey(pawn) {
    this.held.activateBoxed(pawn);
    const { scene, layers } = this.#board;
    if (!this.held.picked || !layers) return;
    const { stations } = layers;
    const wanted = scene?.set_down[pawn] ?? scene?.mismatch.missing[pawn];
    stations.focus(wanted ?? stations.highlighted[0] ?? stations.tabStop);
  }

  /** Give up the latest action: a drag, a pawn in the hand, an open ticket question or an unanswered move. */
  giveUp() {
    if (this.#slides.size) this.#giveUpAll();
    else if (this.held.picked) this.held.putBack();
    else if (!document.querySelector("dialog[open]")) this.held.takeBack();
  }

  /** Empty the hands for another board: their pawns are in the box. */
  reset() {
    this.held.reset();
    this.#slides.forEach(stop);
    this.#slides.clear();
  }

  /**
   * Handle a touch on a pawn in the box.
   * @param {string} pawn the pawn
   * @param {PointerEvent} event the finger's
   */
  startFromBox(pawn, event) {
    this.#slide(event, pawn, { x: 0, y: 0 }, true, null);
  }

  // ---- fingers on the board ----

  /** @param {PointerEvent} event */
  #down(event) {
    const { layers, zoom } = this.#board;
    if (event.button !== 0 || !layers || closest(event.target, "button")) return;
    const again = performance.now() - this.held.movedAt < TWICE && distance(this.#finger, event) < SAME;
    if (again) {
      event.stopImmediatePropagation(); // nor may it zoom
      return;
    }
    this.held.movedAt = -Infinity; // a press at another place or later begins something new
    this.#finger = { clientX: event.clientX, clientY: event.clientY };
    const { x, y } = zoom.toUnits(event.clientX, event.clientY);
    const near = this.#units(event.pointerType === "mouse" ? 3 : REACH);
    const found = layers.pawns.at(x, y, near, this.#turn) ?? this.#standing(x, y);
    const onto = this.#meant(x, y);
    if (!found || (onto && this.held.picked?.pawn !== found.pawn)) return; // the tap puts down the pawn in the hand
    event.stopImmediatePropagation(); // the zoom must not get it
    this.#slide(event, found.pawn, { x: found.foot.x - x, y: found.foot.y - y }, false, onto);
  }

  // Return the station at a point as the target of the pawn in the hand, unless the pawn came from there. If the hand
  // is empty, a pawn with an open ticket question may go there instead.
  /** @type {(x: number, y: number) => ?StationOutline} */
  #meant(x, y) {
    const { picked } = this.held;
    const radius = this.#board.layers?.outline.radius ?? 0;
    const station = this.#board.stationAt(x, y, radius);
    if (!picked) return station && this.held.redirects(station) ? station : null;
    const { from } = picked;
    return station && !(from && Math.hypot(from.x - station.x, from.y - station.y) < radius) ? station : null;
  }

  // Return a pawn on the station at a point and the place of its foot. Pawns that may move come first.
  /** @type {(x: number, y: number) => ?{pawn: string, foot: Point}} */
  #standing(x, y) {
    const { layers } = this.#board;
    const station = layers && this.#board.stationAt(x, y, layers.outline.radius);
    if (!station) return null;
    const pawns = layers.stations.pawnsOn(station.n);
    const pawn = pawns.find((one) => this.#turn.includes(one)) ?? pawns[0];
    return pawn === undefined ? null : { pawn, foot: layers.pawns.footOf(pawn) };
  }

  // Return the pawns that have to move.
  get #turn() {
    const { scene } = this.#board;
    return scene === null || scene.rules === null ? [] : scene.turn;
  }

  /** @type {(event: PointerEvent, pawn: string, offset: Point, boxed: boolean, onto: ?StationOutline) => void} */
  #slide(event, pawn, offset, boxed, onto) {
    const finger = { clientX: event.clientX, clientY: event.clientY };
    const ghost = new DragGhost(pawn);
    const begun = { moved: false, at: null, sent: false, due: 0 };
    const slide = { pawn, offset, boxed, onto, start: finger, finger, ghost, ...begun };
    this.#slides.set(event.pointerId, slide);
    this.#board.view.setPointerCapture(event.pointerId);
  }

  /** @param {PointerEvent} event */
  #move(event) {
    const slide = this.#slides.get(event.pointerId);
    if (!slide) return;
    event.stopImmediatePropagation();
    if (!slide.moved && distance(slide.start, event) < STILL) return;
    if (!slide.moved && this.held.picked?.pawn === slide.pawn) {
      this.held.picked = null;
      this.held.say("");
      slide.sent = this.held.real; // it was lifted
    }
    slide.moved = true;
    slide.finger = { clientX: event.clientX, clientY: event.clientY };
    slide.due ||= requestAnimationFrame(() => this.#follow(slide));
  }

  // Draw the pawn at the finger, once a frame. With real hands its magnet slides there.
  /** @param {Slide} slide */
  #follow(slide) {
    const { clientX, clientY } = slide.finger;
    const over = this.#overBoard(slide.finger);
    const pushed = over && this.#board.zoom.scrollAtEdge(clientX, clientY);
    slide.due = pushed ? requestAnimationFrame(() => this.#follow(slide)) : 0;
    const station = over && !this.held.real ? this.#under(slide.finger) : null;
    const at = station ?? this.#aim(slide, slide.finger);
    slide.at = at;
    this.held.carry(slide.pawn, at, station);
    if (!over) {
      slide.ghost.show(clientX, clientY);
      return;
    }
    slide.ghost.hide();
    if (!this.held.real) return;
    slide.sent = true;
    this.#send({ do: "drag", pawn: slide.pawn, ...this.#board.toShares(at) });
  }

  // Return the station under a finger, to which a pawn snaps.
  /** @param {Finger} finger */
  #under({ clientX, clientY }) {
    const { x, y } = this.#board.zoom.toUnits(clientX, clientY);
    return this.#board.stationAt(x, y, this.#units(SNAP) + (this.#board.layers?.outline.radius ?? 0));
  }

  /** @param {PointerEvent} event */
  #up(event) {
    const slide = this.#end(event);
    if (!slide) return;
    if (!slide.moved) {
      this.#tapped(slide);
    } else if (!this.held.real) {
      this.#drop(slide.pawn, event);
    } else if (this.#overBoard(event)) {
      this.held.letGo(slide.pawn, this.#aim(slide, event));
    } else {
      this.#putAway(slide);
    }
  }

  /** @type {(pawn: string, finger: Finger) => void} */
  #drop(pawn, finger) {
    const over = this.#overBoard(finger);
    const station = over ? this.#under(finger) : null;
    if (station) this.held.drop(pawn, station);
    else this.held.forget(pawn, this.#board.places.has(pawn) ? gettext("There is no station there.") : "");
  }

  /** @param {Slide} slide */
  #tapped({ pawn, boxed, onto }) {
    const { picked } = this.held;
    if (boxed) this.held.activateBoxed(pawn);
    else if (onto && picked) this.held.tapStation(picked, onto);
    else this.held.activatePawn(pawn);
  }

  /** @param {PointerEvent} event */
  #cancel(event) {
    const slide = this.#end(event);
    if (slide) this.#giveUp(slide);
  }

  // End all drags: each pawn goes back. A magnet that has slid stays at its place, or goes into the box.
  #giveUpAll() {
    const slides = [...this.#slides.values()];
    this.#slides.clear();
    slides.forEach(stop);
    for (const slide of slides) this.#giveUp(slide);
  }

  /** @param {Slide} slide */
  #giveUp(slide) {
    const { pawn, moved, sent, at, finger } = slide;
    if (!moved) return;
    if (sent && at && this.#overBoard(finger)) {
      this.held.letGo(pawn, at);
    } else if (sent) {
      this.#putAway(slide);
    } else {
      this.held.forget(pawn);
      this.held.sayBack(pawn);
    }
  }

  /** @param {PointerEvent} event */
  #end(event) {
    const slide = this.#slides.get(event.pointerId);
    if (!slide) return null;
    event.stopImmediatePropagation();
    this.#slides.delete(event.pointerId);
    stop(slide);
    return slide;
  }

  // Handle a pawn that is let go beside the board.
  /** @param {Slide} slide */
  #putAway({ pawn, sent }) {
    this.held.forget(pawn);
    if (sent || this.#board.places.has(pawn)) this.#send({ do: "lift", pawn });
    this.held.say(gettext("{pawn} is off the board.", { pawn: pawnName(pawn) }));
  }

  // Return the foot of a sliding pawn. If the finger grips its head, the foot approaches the finger during the drag.
  /** @type {(slide: Slide, finger: Finger) => Point} */
  #aim({ offset, start }, finger) {
    const { x, y } = this.#board.zoom.toUnits(finger.clientX, finger.clientY);
    const left = Math.max(0, 1 - distance(start, finger) / SHIFT);
    return { x: x + left * offset.x, y: y + left * offset.y };
  }

  /** @param {Finger} finger */
  #overBoard({ clientX, clientY }) {
    const { left, right, top, bottom } = this.#board.view.getBoundingClientRect();
    if (clientX < left || clientX > right || clientY < top || clientY > bottom) return false;
    if (document.elementFromPoint(clientX, clientY)?.closest("#box")) return false;
    const { x, y } = this.#board.toShares(this.#board.zoom.toUnits(clientX, clientY));
    return x >= -0.01 && x <= 1.01 && y >= -0.01 && y <= 1.01;
  }

  // Convert pixels to units of the drawing.
  /** @param {number} pixels */
  #units(pixels) {
    return pixels / this.#board.zoom.scale;
  }

  /** @param {KeyboardEvent} event */
  #key(event) {
    const pawn = pawnOf(event.target);
    if (!pawn || event.repeat || (event.key !== "Enter" && event.key !== " ")) return;
    event.preventDefault();
    this.held.activatePawn(pawn);
  }
}

/** @param {?EventTarget} target */
function pawnOf(target) {
  return closest(target, "[data-pawn]")?.getAttribute("data-pawn");
}

/** @param {Slide} slide */
function stop({ due, ghost }) {
  cancelAnimationFrame(due);
  ghost.hide();
}
