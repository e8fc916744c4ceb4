// This page's hands: pawns slid over the board with mouse or finger, or lifted by a tap or a key and put down by another.

import { Ghost } from "./drag_ghost.js";
import { pawnName } from "./wording.js";

const STILL = 5; // pixels that a finger may slip in a tap
const SHIFT = 24; // pixels on which a pawn's foot comes to the finger that slides it
const REACH = 14; // pixels around a pawn in which a finger grips it
const AIM = 24; // the same of a station, for a tap with a pawn in the hand
const SAID = 4000; // milliseconds that it is to be read what was done
const PATIENCE = 1000; // milliseconds in which the table should have said where a pawn is that was let go

export class Hands {
  /**
   * @param {Board} board
   * @param {function(object): boolean} send sends an order
   */
  constructor(board, send) {
    [this.board, this.send] = [board, send];
    this.own = new Map(); // pawns in these hands, or just let go -> where they are drawn, in units
    this.taken = null; // the pawn that a tap or a key has lifted: { pawn, from, felt }
    this.slides = new Map(); // pointer -> the pawn that it slides
    this.last = new Map(); // station -> the pawn that was last lifted from it
    this.spoken = document.createElement("p");
    this.spoken.className = "spoken";
    this.spoken.setAttribute("aria-live", "polite");
    const { view } = board;
    view.addEventListener("pointerdown", (event) => this.#down(event));
    view.addEventListener("pointermove", (event) => this.#move(event));
    view.addEventListener("pointerup", (event) => this.#up(event));
    view.addEventListener("pointercancel", (event) => this.#cancel(event));
    view.addEventListener("keydown", (event) => this.#key(event));
    view.addEventListener("click", ({ target, detail }) => {
      const pawn = detail === 0 && target.closest?.("[data-pawn]")?.dataset.pawn;
      if (pawn) this.onPawn(pawn); // a screen reader's
    });
    document.addEventListener("keydown", ({ key }) => key === "Escape" && this.cancel());
  }

  // ---- told by others ----

  /** A tap on the board; whether it meant anything. */
  tap(x, y) {
    if (!this.taken) return false;
    const station = this.board.stationAt(x, y, this.#units(AIM) + this.board.board.radius);
    if (station) this.#put(station);
    else this.#say(`${pawnName(this.taken.pawn)} is in the hand; choose a station.`);
    return true;
  }

  /** Enter on a station: puts down what is in the hand, or lifts a pawn that stands there. */
  act(station) {
    if (this.taken) {
      this.#put(station);
      return;
    }
    const pawns = this.board.stations.on(station.n);
    if (!pawns.length) {
      this.#say(`No pawn stands on ${station.n}.`);
      return;
    }
    const pawn = pawns[(pawns.indexOf(this.last.get(station.n)) + 1) % pawns.length];
    this.last.set(station.n, pawn);
    this.#lift(pawn);
  }

  /** A tap on a pawn: lifts it, or puts what is in the hand beside it. */
  onPawn(pawn) {
    const at = this.board.there.get(pawn)?.at ?? null;
    if (this.taken?.pawn === pawn) this.cancel();
    else if (this.taken && at !== null) this.act(this.board.stations.byNumber.get(at));
    else this.#lift(pawn);
  }

  /** A tap on a pawn in the box: it is in the hand, or goes back. */
  fromBox(pawn) {
    const back = this.taken?.pawn === pawn;
    this.cancel();
    if (back) return;
    this.taken = { pawn, from: null, felt: true };
    this.#say(`${pawnName(pawn)} is in the hand; choose a station.`);
    this.board.redraw();
  }

  /** A key takes a pawn in the box: the focus goes on to the board, to where it is missing or to what is lit. */
  takeByKey(pawn) {
    this.fromBox(pawn);
    if (!this.taken) return;
    const { mismatch, set_down: setDown } = this.board.scene ?? {};
    const { stations } = this.board;
    stations.focus(setDown?.[pawn] ?? mismatch?.missing[pawn] ?? stations.eager[0] ?? stations.stopped);
  }

  /** Puts what is in the hand back where it was. */
  cancel() {
    if (!this.taken) return;
    const { pawn, from } = this.taken;
    this.taken = null;
    if (from) this.#letGo({ do: "put", pawn, ...this.board.shares(from) }, from);
    this.#say(`${pawnName(pawn)} is back where it was.`);
    this.board.redraw();
  }

  /** The table has said where pawns are: what was let go is there, and what another hand has put there is not in ours. */
  heard(there) {
    for (const [pawn, place] of this.own) {
      if (place.let_go && !there.get(pawn)?.lifted) this.own.delete(pawn);
    }
    if (!this.taken) return;
    if (!there.has(this.taken.pawn)) {
      this.taken.felt = true;
    } else if (this.taken.felt) {
      this.own.delete(this.taken.pawn);
      this.taken = null;
    }
  }

  /** Another board is laid: what was in these hands is in the box. */
  drop() {
    this.own.clear();
    this.taken = null;
    this.last.clear();
    this.slides.forEach(drop);
    this.slides.clear();
  }

  /** A finger comes down on a pawn in the box. */
  grip(pawn, event) {
    this.#slide(event, pawn, { x: 0, y: 0 }, true);
  }

  // ---- fingers on the board ----

  #down(event) {
    if (event.button !== 0 || !this.board.board || event.target.closest("button")) return;
    const { x, y } = this.board.zoom.units(event.clientX, event.clientY);
    const found = this.board.pawns.at(x, y, event.pointerType === "mouse" ? this.#units(3) : this.#units(REACH));
    if (!found || (this.taken && found.pawn !== this.taken.pawn && this.board.stationAt(x, y, this.board.board.radius)))
      return;
    event.stopImmediatePropagation(); // the zoom is not to have it
    this.#slide(event, found.pawn, { x: found.foot.x - x, y: found.foot.y - y }, false);
  }

  #slide(event, pawn, offset, boxed) {
    const start = [event.clientX, event.clientY];
    const ghost = new Ghost();
    this.slides.set(event.pointerId, { pawn, offset, boxed, start, ghost, moved: false, sent: false, due: 0 });
    this.board.view.setPointerCapture(event.pointerId);
  }

  #move(event) {
    const slide = this.slides.get(event.pointerId);
    if (!slide) return;
    event.stopImmediatePropagation();
    const [x, y] = slide.start;
    if (!slide.moved && Math.hypot(event.clientX - x, event.clientY - y) < STILL) return;
    if (!slide.moved && this.taken?.pawn === slide.pawn) this.taken = null; // what hung in the hand is slid now
    slide.moved = true;
    slide.finger = { clientX: event.clientX, clientY: event.clientY };
    slide.due ||= requestAnimationFrame(() => this.#follow(slide));
  }

  /** Once a frame: draws the pawn where the finger is, and slides its magnet there. */
  #follow(slide) {
    const over = this.#overBoard(slide.finger);
    const pushed = over && this.board.zoom.nudge(slide.finger.clientX, slide.finger.clientY);
    slide.due = pushed ? requestAnimationFrame(() => this.#follow(slide)) : 0;
    slide.at = this.#aim(slide, slide.finger);
    this.own.set(slide.pawn, slide.at);
    this.board.redraw();
    if (over) slide.ghost.hide();
    else slide.ghost.show(slide.pawn, slide.finger.clientX, slide.finger.clientY);
    if (!over) return;
    slide.sent = true;
    this.send({ do: "drag", pawn: slide.pawn, ...this.board.shares(slide.at) });
  }

  #up(event) {
    const slide = this.#end(event);
    if (!slide) return;
    if (!slide.moved) {
      if (slide.boxed) this.fromBox(slide.pawn);
      else this.onPawn(slide.pawn);
      return;
    }
    const at = this.#aim(slide, event);
    if (this.#overBoard(event)) this.#letGo({ do: "put", pawn: slide.pawn, ...this.board.shares(at) }, at);
    else this.#away(slide);
  }

  #cancel(event) {
    const slide = this.#end(event);
    if (!slide?.moved) return;
    if (slide.sent) this.#letGo({ do: "put", pawn: slide.pawn, ...this.board.shares(slide.at) }, slide.at);
    else this.own.delete(slide.pawn);
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
  #away({ pawn, sent }) {
    this.own.delete(pawn);
    if (sent || this.board.there.has(pawn)) this.send({ do: "lift", pawn });
    this.#say(`${pawnName(pawn)} is off the board.`);
    this.board.redraw();
  }

  /** Where the foot of a pawn is that is slid: gripped by its head it comes to the finger's tip on the way. */
  #aim({ offset, start }, { clientX, clientY }) {
    const { x, y } = this.board.zoom.units(clientX, clientY);
    const left = Math.max(0, 1 - Math.hypot(clientX - start[0], clientY - start[1]) / SHIFT);
    return { x: x + left * offset.x, y: y + left * offset.y };
  }

  #overBoard({ clientX, clientY }) {
    const { left, right, top, bottom } = this.board.view.getBoundingClientRect();
    if (clientX < left || clientX > right || clientY < top || clientY > bottom) return false;
    if (document.elementFromPoint(clientX, clientY)?.closest("#box")) return false;
    const { x, y } = this.board.shares(this.board.zoom.units(clientX, clientY));
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
    this.onPawn(pawn);
  }

  #lift(pawn) {
    const place = this.board.there.get(pawn);
    if (!place || place.lifted || !this.send({ do: "lift", pawn })) return;
    const from = this.board.pawns.stations.get(place.at) ?? place;
    this.taken = { pawn, from: { x: from.x, y: from.y }, felt: false };
    this.own.set(pawn, this.board.pawns.spot(pawn));
    this.#say(`${pawnName(pawn)} is in the hand; choose a station.`);
    this.board.redraw();
  }

  #put(station) {
    const { pawn } = this.taken;
    this.taken = null;
    this.#letGo({ do: "put", pawn, ...this.board.shares(station) }, station);
    this.#say(`${pawnName(pawn)} stands on ${station.n}.`);
  }

  /** Sends the last order for a pawn; until the table says where it is, it is drawn where it was let go. */
  #letGo(order, { x, y }) {
    const place = { x, y, let_go: true };
    if (this.send(order)) this.own.set(order.pawn, place);
    else this.own.delete(order.pawn);
    setTimeout(() => {
      if (this.own.get(order.pawn) !== place) return;
      this.own.delete(order.pawn);
      this.board.redraw();
    }, PATIENCE);
    this.board.redraw();
  }

  #say(text) {
    this.spoken.textContent = text;
    clearTimeout(this.silence);
    if (!this.taken) this.silence = setTimeout(() => (this.spoken.textContent = ""), SAID);
  }
}

function drop({ due, ghost }) {
  cancelAnimationFrame(due);
  ghost.hide();
}
