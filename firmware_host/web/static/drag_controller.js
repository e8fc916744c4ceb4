// Moves pawns: slid over the board with mouse or finger, or lifted by a tap or a key and put down by another.

import { Announcer } from "./announcer.js";
import { DragGhost } from "./drag_ghost.js";
import { closest } from "./elements.js";
import { pawnName } from "./wording.js";

/** @import { StationOutline } from "../messages.d.ts" */
/** @import { Board } from "./board.js" */
/** @import { Send } from "./connection.js" */
/** @import { Place, Point } from "./pawns.js" */

/** @typedef {{clientX: number, clientY: number}} Finger where a finger is on the page, in pixels */
/** @typedef {Point & {letGo: boolean}} Carried where a pawn is drawn, in units; whether it was just let go */
/** @typedef {{pawn: string, from: ?Point, noticed: boolean}} Picked a pawn in the hand; the table has noticed */

/**
 * A pawn that a finger slides.
 * @typedef {object} Slide
 * @property {string} pawn which
 * @property {Point} offset from the finger to the pawn's foot at the start, in units
 * @property {boolean} boxed whether it came out of the box
 * @property {Finger} start where the finger came down
 * @property {Finger} finger where it is now
 * @property {DragGhost} ghost shows the pawn beside the board
 * @property {boolean} moved whether it is more than a tap
 * @property {?Point} at where it was drawn last, in units
 * @property {boolean} sent whether the table knows that it is on its way
 * @property {number} due the animation frame in which it follows the finger; 0: none
 */

const STILL = 5; // pixels that a finger may slip in a tap
const SHIFT = 24; // pixels on which a pawn's foot comes to the finger that slides it
const REACH = 14; // pixels around a pawn in which a finger grips it
const AIM = 24; // the same of a station, for a tap with a pawn in the hand
const PATIENCE = 1000; // milliseconds in which the table should have said where a pawn is that was let go

/** @type {(one: Finger, other: Finger) => number} */
const distance = (one, other) => Math.hypot(other.clientX - one.clientX, other.clientY - one.clientY);

/** The hands of a page on which pawns can be moved. */
export class DragController {
  /** @type {Map<string, Carried>} */
  carried = new Map(); // pawns in these hands, or just let go
  /** @type {?Picked} */
  picked = null; // the pawn that a tap or a key has lifted
  announcer = new Announcer();
  #board;
  #send;
  /** @type {Map<number, Slide>} */
  #slides = new Map(); // pointer -> the pawn that it slides
  /** @type {Map<number, string>} */
  #last = new Map(); // station -> the pawn that was last lifted from it

  /**
   * @param {Board} board on which the pawns are
   * @param {Send} send sends an order
   */
  constructor(board, send) {
    this.#board = board;
    this.#send = send;
    const { view } = board;
    view.addEventListener("pointerdown", (event) => this.#down(event));
    view.addEventListener("pointermove", (event) => this.#move(event));
    view.addEventListener("pointerup", (event) => this.#up(event));
    view.addEventListener("pointercancel", (event) => this.#cancel(event));
    view.addEventListener("keydown", (event) => this.#key(event));
    view.addEventListener("click", ({ target, detail }) => {
      const pawn = detail === 0 && pawnOf(target);
      if (pawn) this.#activatePawn(pawn); // a screen reader's
    });
    document.addEventListener("keydown", ({ key }) => key === "Escape" && this.#putBack());
  }

  // ---- told by others ----

  /**
   * Put what is in the hand on the station that was tapped.
   * @param {number} x in units
   * @param {number} y in units
   * @returns {boolean} whether the tap meant anything
   */
  tap(x, y) {
    const { layers } = this.#board;
    if (!this.picked || !layers) return false;
    const station = this.#board.stationAt(x, y, this.#units(AIM) + layers.outline.radius);
    if (station) this.#put(this.picked, station);
    else this.#sayPicked(this.picked);
    return true;
  }

  /**
   * Enter on a station: put down what is in the hand, or lift a pawn that stands there.
   * @param {StationOutline} station which
   */
  activateStation(station) {
    if (this.picked) {
      this.#put(this.picked, station);
      return;
    }
    const pawns = this.#board.layers?.stations.pawnsOn(station.n) ?? [];
    const pawn = pawns[(pawns.indexOf(this.#last.get(station.n) ?? "") + 1) % pawns.length];
    if (pawn === undefined) {
      this.#say(`No pawn stands on ${station.n}.`);
      return;
    }
    this.#last.set(station.n, pawn);
    this.#lift(pawn);
  }

  /**
   * A key takes a pawn in the box: the focus goes on to the board, to where it is missing or to what is lit.
   * @param {string} pawn which
   */
  pickByKey(pawn) {
    this.#activateBoxed(pawn);
    const { scene, layers } = this.#board;
    if (!this.picked || !layers) return;
    const { stations } = layers;
    const wanted = scene?.set_down[pawn] ?? scene?.mismatch.missing[pawn];
    stations.focus(wanted ?? stations.highlighted[0] ?? stations.tabStop);
  }

  /**
   * The table has said where pawns are: what was let go is there, and what another hand has put there is not in ours.
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
    }
  }

  /** Another board is laid: what was in these hands is in the box. */
  reset() {
    this.carried.clear();
    this.picked = null;
    this.#last.clear();
    this.#slides.forEach(stop);
    this.#slides.clear();
  }

  /**
   * A finger comes down on a pawn in the box.
   * @param {string} pawn which
   * @param {PointerEvent} event the finger's
   */
  startFromBox(pawn, event) {
    this.#slide(event, pawn, { x: 0, y: 0 }, true);
  }

  // ---- fingers on the board ----

  /** @param {PointerEvent} event */
  #down(event) {
    const { layers, zoom } = this.#board;
    if (event.button !== 0 || !layers || closest(event.target, "button")) return;
    const { x, y } = zoom.toUnits(event.clientX, event.clientY);
    const found = layers.pawns.at(x, y, this.#units(event.pointerType === "mouse" ? 3 : REACH));
    const another = this.picked && this.picked.pawn !== found?.pawn; // is to be put on the station that is meant
    if (!found || (another && this.#board.stationAt(x, y, layers.outline.radius))) return;
    event.stopImmediatePropagation(); // the zoom is not to have it
    this.#slide(event, found.pawn, { x: found.foot.x - x, y: found.foot.y - y }, false);
  }

  /** @type {(event: PointerEvent, pawn: string, offset: Point, boxed: boolean) => void} */
  #slide(event, pawn, offset, boxed) {
    const finger = { clientX: event.clientX, clientY: event.clientY };
    const ghost = new DragGhost(pawn);
    const slide = { pawn, offset, boxed, start: finger, finger, ghost, moved: false, at: null, sent: false, due: 0 };
    this.#slides.set(event.pointerId, slide);
    this.#board.view.setPointerCapture(event.pointerId);
  }

  /** @param {PointerEvent} event */
  #move(event) {
    const slide = this.#slides.get(event.pointerId);
    if (!slide) return;
    event.stopImmediatePropagation();
    if (!slide.moved && distance(slide.start, event) < STILL) return;
    if (!slide.moved && this.picked?.pawn === slide.pawn) this.picked = null; // what hung in the hand is slid now
    slide.moved = true;
    slide.finger = { clientX: event.clientX, clientY: event.clientY };
    slide.due ||= requestAnimationFrame(() => this.#follow(slide));
  }

  // Once a frame: draw the pawn where the finger is, and slide its magnet there.
  /** @param {Slide} slide */
  #follow(slide) {
    const { clientX, clientY } = slide.finger;
    const over = this.#overBoard(slide.finger);
    const pushed = over && this.#board.zoom.scrollAtEdge(clientX, clientY);
    slide.due = pushed ? requestAnimationFrame(() => this.#follow(slide)) : 0;
    const at = this.#aim(slide, slide.finger);
    slide.at = at;
    this.carried.set(slide.pawn, { ...at, letGo: false });
    this.#board.redraw();
    if (!over) {
      slide.ghost.show(clientX, clientY);
      return;
    }
    slide.ghost.hide();
    slide.sent = true;
    this.#send({ do: "drag", pawn: slide.pawn, ...this.#board.toShares(at) });
  }

  /** @param {PointerEvent} event */
  #up(event) {
    const slide = this.#end(event);
    if (!slide) return;
    if (!slide.moved) {
      if (slide.boxed) this.#activateBoxed(slide.pawn);
      else this.#activatePawn(slide.pawn);
    } else if (this.#overBoard(event)) {
      this.#letGo(slide.pawn, this.#aim(slide, event));
    } else {
      this.#putAway(slide);
    }
  }

  /** @param {PointerEvent} event */
  #cancel(event) {
    const slide = this.#end(event);
    if (!slide?.moved) return;
    if (slide.sent && slide.at) this.#letGo(slide.pawn, slide.at);
    else this.carried.delete(slide.pawn);
    this.#board.redraw();
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

  // A pawn is let go beside the board.
  /** @param {Slide} slide */
  #putAway({ pawn, sent }) {
    this.carried.delete(pawn);
    if (sent || this.#board.places.has(pawn)) this.#send({ do: "lift", pawn });
    this.#say(`${pawnName(pawn)} is off the board.`);
    this.#board.redraw();
  }

  // Return where the foot of a pawn is that is slid: gripped by its head it comes to the finger's tip on the way.
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

  // Return so many pixels in units of the drawing.
  /** @param {number} pixels */
  #units(pixels) {
    return pixels / this.#board.zoom.scale;
  }

  // ---- the pawn in the hand ----

  /** @param {KeyboardEvent} event */
  #key(event) {
    const pawn = pawnOf(event.target);
    if (!pawn || event.repeat || (event.key !== "Enter" && event.key !== " ")) return;
    event.preventDefault();
    this.#activatePawn(pawn);
  }

  // A tap on a pawn: lift it, or put what is in the hand beside it.
  /** @param {string} pawn */
  #activatePawn(pawn) {
    const at = this.#board.places.get(pawn)?.at ?? null;
    const station = at === null ? undefined : this.#board.layers?.stations.byNumber.get(at);
    if (this.picked?.pawn === pawn) this.#putBack();
    else if (this.picked && station) this.#put(this.picked, station);
    else this.#lift(pawn);
  }

  // A tap on a pawn in the box: it is in the hand, or goes back.
  /** @param {string} pawn */
  #activateBoxed(pawn) {
    const back = this.picked?.pawn === pawn;
    this.#putBack();
    if (back) return;
    this.picked = { pawn, from: null, noticed: true };
    this.#sayPicked(this.picked);
    this.#board.redraw();
  }

  /** @param {string} pawn */
  #lift(pawn) {
    const place = this.#board.places.get(pawn);
    const pawns = this.#board.layers?.pawns;
    if (!place || !pawns || place.lifted || !this.#send({ do: "lift", pawn })) return;
    const { x, y } = (place.at !== null && pawns.stations.get(place.at)) || place;
    this.picked = { pawn, from: { x, y }, noticed: false };
    this.carried.set(pawn, { ...pawns.footOf(pawn), letGo: false });
    this.#sayPicked(this.picked);
    this.#board.redraw();
  }

  /** @type {(picked: Picked, station: StationOutline) => void} */
  #put({ pawn }, station) {
    this.picked = null;
    this.#letGo(pawn, station);
    this.#say(`${pawnName(pawn)} stands on ${station.n}.`);
  }

  /** Put what is in the hand back where it was. */
  #putBack() {
    if (!this.picked) return;
    const { pawn, from } = this.picked;
    this.picked = null;
    if (from) this.#letGo(pawn, from);
    this.#say(`${pawnName(pawn)} is back where it was.`);
    this.#board.redraw();
  }

  // Send the last order for a pawn; until the table says where it is, it is drawn where it was let go.
  /** @type {(pawn: string, at: Point) => void} */
  #letGo(pawn, { x, y }) {
    const place = { x, y, letGo: true };
    if (this.#send({ do: "put", pawn, ...this.#board.toShares(place) })) this.carried.set(pawn, place);
    else this.carried.delete(pawn);
    setTimeout(() => {
      if (this.carried.get(pawn) !== place) return;
      this.carried.delete(pawn);
      this.#board.redraw();
    }, PATIENCE);
    this.#board.redraw();
  }

  /** @param {Picked} picked */
  #sayPicked({ pawn }) {
    this.#say(`${pawnName(pawn)} is in the hand; choose a station.`);
  }

  /** @param {string} text */
  #say(text) {
    this.announcer.say(text, this.picked !== null);
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
