// This page's hands: pawns slid over the board with mouse or finger, or lifted by a tap or a key and put down by another.

import { DragGhost } from "./drag_ghost.js";
import { pawnName } from "./wording.js";

const STILL = 5; // pixels that a finger may slip in a tap
const SHIFT = 24; // pixels on which a pawn's foot comes to the finger that slides it
const REACH = 14; // pixels around a pawn in which a finger grips it
const AIM = 24; // the same of a station, for a tap with a pawn in the hand
const SAID = 4000; // milliseconds that it is to be read what was done
const PATIENCE = 1000; // milliseconds in which the table should have said where a pawn is that was let go

export class DragController {
  /**
   * @param {Board} board
   * @param {function(object): boolean} send sends an order
   */
  constructor(board, send) {
    [this.board, this.send] = [board, send];
    this.carried = new Map(); // pawns in these hands, or just let go -> where they are drawn, in units
    this.picked = null; // the pawn that a tap or a key has lifted: { pawn, from, noticed }
    this.slides = new Map(); // pointer -> the pawn that it slides
    this.last = new Map(); // station -> the pawn that was last lifted from it
    this.announcement = document.createElement("p");
    this.announcement.className = "spoken";
    this.announcement.setAttribute("aria-live", "polite");
    const { view } = board;
    view.addEventListener("pointerdown", (event) => this.#down(event));
    view.addEventListener("pointermove", (event) => this.#move(event));
    view.addEventListener("pointerup", (event) => this.#up(event));
    view.addEventListener("pointercancel", (event) => this.#cancel(event));
    view.addEventListener("keydown", (event) => this.#key(event));
    view.addEventListener("click", ({ target, detail }) => {
      const pawn = detail === 0 && target.closest?.("[data-pawn]")?.dataset.pawn;
      if (pawn) this.activatePawn(pawn); // a screen reader's
    });
    document.addEventListener("keydown", ({ key }) => key === "Escape" && this.cancel());
  }

  // ---- told by others ----

  /** A tap on the board; whether it meant anything. */
  tap(x, y) {
    if (!this.picked) return false;
    const station = this.board.stationAt(x, y, this.#units(AIM) + this.board.board.radius);
    if (station) this.#put(station);
    else this.#say(`${pawnName(this.picked.pawn)} is in the hand; choose a station.`);
    return true;
  }

  /** Enter on a station: puts down what is in the hand, or lifts a pawn that stands there. */
  activateStation(station) {
    if (this.picked) {
      this.#put(station);
      return;
    }
    const pawns = this.board.stations.pawnsOn(station.n);
    if (!pawns.length) {
      this.#say(`No pawn stands on ${station.n}.`);
      return;
    }
    const pawn = pawns[(pawns.indexOf(this.last.get(station.n)) + 1) % pawns.length];
    this.last.set(station.n, pawn);
    this.#lift(pawn);
  }

  /** A tap on a pawn: lifts it, or puts what is in the hand beside it. */
  activatePawn(pawn) {
    const at = this.board.places.get(pawn)?.at ?? null;
    if (this.picked?.pawn === pawn) this.cancel();
    else if (this.picked && at !== null) this.activateStation(this.board.stations.byNumber.get(at));
    else this.#lift(pawn);
  }

  /** A tap on a pawn in the box: it is in the hand, or goes back. */
  activateBoxed(pawn) {
    const back = this.picked?.pawn === pawn;
    this.cancel();
    if (back) return;
    this.picked = { pawn, from: null, noticed: true };
    this.#say(`${pawnName(pawn)} is in the hand; choose a station.`);
    this.board.redraw();
  }

  /** A key takes a pawn in the box: the focus goes on to the board, to where it is missing or to what is lit. */
  pickByKey(pawn) {
    this.activateBoxed(pawn);
    if (!this.picked) return;
    const { mismatch, set_down: setDown } = this.board.scene ?? {};
    const { stations } = this.board;
    stations.focus(setDown?.[pawn] ?? mismatch?.missing[pawn] ?? stations.highlighted[0] ?? stations.tabStop);
  }

  /** Puts what is in the hand back where it was. */
  cancel() {
    if (!this.picked) return;
    const { pawn, from } = this.picked;
    this.picked = null;
    if (from) this.#letGo({ do: "put", pawn, ...this.board.toShares(from) }, from);
    this.#say(`${pawnName(pawn)} is back where it was.`);
    this.board.redraw();
  }

  /** The table has said where pawns are: what was let go is there, and what another hand has put there is not in ours. */
  reconcile(there) {
    for (const [pawn, place] of this.carried) {
      if (place.let_go && !there.get(pawn)?.lifted) this.carried.delete(pawn);
    }
    if (!this.picked) return;
    if (!there.has(this.picked.pawn)) {
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
    this.last.clear();
    this.slides.forEach(drop);
    this.slides.clear();
  }

  /** A finger comes down on a pawn in the box. */
  startFromBox(pawn, event) {
    this.#slide(event, pawn, { x: 0, y: 0 }, true);
  }

  // ---- fingers on the board ----

  #down(event) {
    if (event.button !== 0 || !this.board.board || event.target.closest("button")) return;
    const { x, y } = this.board.zoom.toUnits(event.clientX, event.clientY);
    const found = this.board.pawns.at(x, y, event.pointerType === "mouse" ? this.#units(3) : this.#units(REACH));
    if (!found || (this.picked && found.pawn !== this.picked.pawn && this.board.stationAt(x, y, this.board.board.radius)))
      return;
    event.stopImmediatePropagation(); // the zoom is not to have it
    this.#slide(event, found.pawn, { x: found.foot.x - x, y: found.foot.y - y }, false);
  }

  #slide(event, pawn, offset, boxed) {
    const start = [event.clientX, event.clientY];
    const ghost = new DragGhost();
    this.slides.set(event.pointerId, { pawn, offset, boxed, start, ghost, moved: false, sent: false, due: 0 });
    this.board.view.setPointerCapture(event.pointerId);
  }

  #move(event) {
    const slide = this.slides.get(event.pointerId);
    if (!slide) return;
    event.stopImmediatePropagation();
    const [x, y] = slide.start;
    if (!slide.moved && Math.hypot(event.clientX - x, event.clientY - y) < STILL) return;
    if (!slide.moved && this.picked?.pawn === slide.pawn) this.picked = null; // what hung in the hand is slid now
    slide.moved = true;
    slide.finger = { clientX: event.clientX, clientY: event.clientY };
    slide.due ||= requestAnimationFrame(() => this.#follow(slide));
  }

  /** Once a frame: draws the pawn where the finger is, and slides its magnet there. */
  #follow(slide) {
    const over = this.#overBoard(slide.finger);
    const pushed = over && this.board.zoom.scrollAtEdge(slide.finger.clientX, slide.finger.clientY);
    slide.due = pushed ? requestAnimationFrame(() => this.#follow(slide)) : 0;
    slide.at = this.#aim(slide, slide.finger);
    this.carried.set(slide.pawn, slide.at);
    this.board.redraw();
    if (over) slide.ghost.hide();
    else slide.ghost.show(slide.pawn, slide.finger.clientX, slide.finger.clientY);
    if (!over) return;
    slide.sent = true;
    this.send({ do: "drag", pawn: slide.pawn, ...this.board.toShares(slide.at) });
  }

  #up(event) {
    const slide = this.#end(event);
    if (!slide) return;
    if (!slide.moved) {
      if (slide.boxed) this.activateBoxed(slide.pawn);
      else this.activatePawn(slide.pawn);
      return;
    }
    const at = this.#aim(slide, event);
    if (this.#overBoard(event)) this.#letGo({ do: "put", pawn: slide.pawn, ...this.board.toShares(at) }, at);
    else this.#putAway(slide);
  }

  #cancel(event) {
    const slide = this.#end(event);
    if (!slide?.moved) return;
    if (slide.sent) this.#letGo({ do: "put", pawn: slide.pawn, ...this.board.toShares(slide.at) }, slide.at);
    else this.carried.delete(slide.pawn);
    this.board.redraw();
  }

  #end(event) {
    const slide = this.slides.get(event.pointerId);
    if (!slide) return null;
    event.stopImmediatePropagation();
    this.slides.delete(event.pointerId);
    drop(slide);
    return slide;
  }

  /** A pawn is let go beside the board. */
  #putAway({ pawn, sent }) {
    this.carried.delete(pawn);
    if (sent || this.board.places.has(pawn)) this.send({ do: "lift", pawn });
    this.#say(`${pawnName(pawn)} is off the board.`);
    this.board.redraw();
  }

  /** Where the foot of a pawn is that is slid: gripped by its head it comes to the finger's tip on the way. */
  #aim({ offset, start }, { clientX, clientY }) {
    const { x, y } = this.board.zoom.toUnits(clientX, clientY);
    const left = Math.max(0, 1 - Math.hypot(clientX - start[0], clientY - start[1]) / SHIFT);
    return { x: x + left * offset.x, y: y + left * offset.y };
  }

  #overBoard({ clientX, clientY }) {
    const { left, right, top, bottom } = this.board.view.getBoundingClientRect();
    if (clientX < left || clientX > right || clientY < top || clientY > bottom) return false;
    if (document.elementFromPoint(clientX, clientY)?.closest("#box")) return false;
    const { x, y } = this.board.toShares(this.board.zoom.toUnits(clientX, clientY));
    return x >= -0.01 && x <= 1.01 && y >= -0.01 && y <= 1.01;
  }

  /** So many pixels in units of the drawing. */
  #units(pixels) {
    return pixels / this.board.zoom.scale;
  }

  // ---- the pawn in the hand ----

  #key(event) {
    const pawn = event.target.closest?.("[data-pawn]")?.dataset.pawn;
    if (!pawn || event.repeat || (event.key !== "Enter" && event.key !== " ")) return;
    event.preventDefault();
    this.activatePawn(pawn);
  }

  #lift(pawn) {
    const place = this.board.places.get(pawn);
    if (!place || place.lifted || !this.send({ do: "lift", pawn })) return;
    const from = this.board.pawns.stations.get(place.at) ?? place;
    this.picked = { pawn, from: { x: from.x, y: from.y }, noticed: false };
    this.carried.set(pawn, this.board.pawns.footOf(pawn));
    this.#say(`${pawnName(pawn)} is in the hand; choose a station.`);
    this.board.redraw();
  }

  #put(station) {
    const { pawn } = this.picked;
    this.picked = null;
    this.#letGo({ do: "put", pawn, ...this.board.toShares(station) }, station);
    this.#say(`${pawnName(pawn)} stands on ${station.n}.`);
  }

  /** Sends the last order for a pawn; until the table says where it is, it is drawn where it was let go. */
  #letGo(order, { x, y }) {
    const place = { x, y, let_go: true };
    if (this.send(order)) this.carried.set(order.pawn, place);
    else this.carried.delete(order.pawn);
    setTimeout(() => {
      if (this.carried.get(order.pawn) !== place) return;
      this.carried.delete(order.pawn);
      this.board.redraw();
    }, PATIENCE);
    this.board.redraw();
  }

  #say(text) {
    this.announcement.textContent = text;
    clearTimeout(this.silence);
    if (!this.picked) this.silence = setTimeout(() => (this.announcement.textContent = ""), SAID);
  }
}

function drop({ due, ghost }) {
  cancelAnimationFrame(due);
  ghost.hide();
}
