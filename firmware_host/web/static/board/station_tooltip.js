// Facts about a station, shown beside it: where its lines lead and which detectives can come. They appear for a resting
// mouse, keyboard focus or a resting finger; Escape closes them. All of this is public.

import { make } from "../page/elements.js";
import { gettext } from "../wording/gettext.js";
import { joinWords } from "../wording/joining.js";
import { meansName, pawnName, ticketName } from "../wording/pawn_and_ticket_names.js";
import { pawnDisc, ticketSign } from "../wording/signs.js";
import { describeAwaited, describeComers, describeLines } from "../wording/station_descriptions.js";

/** @import { BoardMessage, ReplayBoard, TableScene } from "../../messages.d.ts" */
/** @import { Board } from "./board.js" */
/** @import { Lines } from "../wording/station_descriptions.js" */

const REST = 500; // milliseconds for which a mouse rests, or the focus stays
const LONG = 550; // milliseconds for which a finger stays
const LEAVE = 300; // milliseconds in which the mouse may go over to what it reads
const STILL = 8; // pixels that a finger may slip
const STEP = 16; // pixels between two places that are tried
const COVERS = 1e4; // worse than any way
const GAP = 6; // pixels between a station and what is said of it
const ID = "of-station";

/** The tooltip that describes a station. */
export class StationTooltip {
  #board;
  #place;
  #element = make("div", { id: ID, role: "tooltip", hidden: true });
  #shown = 0; // the described station; 0: none
  #next = 0; // the station that it will describe soon
  #pressed = 0; // the station pressed last: it gets no tooltip until the mouse has left it
  #timer = 0;
  /** @type {{x: number, y: number}} */
  #finger = { x: 0, y: 0 };

  /**
   * @param {Board} board the board with the stations
   * @param {HTMLElement} place the element that the board fills
   */
  constructor(board, place) {
    this.#board = board;
    this.#place = place;
    place.append(this.#element);
    const { view } = board;
    view.addEventListener("pointermove", (event) => this.#move(event), { capture: true });
    view.addEventListener("pointerleave", () => this.#leave());
    view.addEventListener("pointerdown", (event) => this.#down(event), { capture: true });
    view.addEventListener("pointerup", ({ pointerType }) => pointerType !== "mouse" && this.#expect(0));
    view.addEventListener("pointercancel", () => this.#expect(0));
    view.addEventListener("wheel", () => this.close(), { passive: true });
    view.addEventListener("focusin", ({ target }) => this.#focused(target));
    view.addEventListener("focusout", () => this.close());
    this.#element.addEventListener("pointerenter", () => this.#expect(this.#shown));
    this.#element.addEventListener("pointerleave", () => this.#leave());
    this.#element.addEventListener("click", () => this.close());
    document.addEventListener("keydown", ({ key }) => key === "Escape" && this.close());
  }

  /** Update the text, because the table has changed. */
  renew() {
    if (this.#shown) this.#show(this.#shown);
  }

  /** Close the tooltip. */
  close() {
    this.#expect(0);
    this.#shown = 0;
    this.#element.hidden = true;
    this.#board.overlay.querySelector(`[aria-describedby="${ID}"]`)?.removeAttribute("aria-describedby");
  }

  // Plan to describe another station after some milliseconds, or cancel the plan; 0: no station.
  /** @type {(station: number, after?: number, then?: () => void) => void} */
  #expect(station, after = 0, then = () => this.#show(station)) {
    clearTimeout(this.#timer);
    this.#next = station;
    if (after) this.#timer = setTimeout(then, after);
  }

  /** @param {PointerEvent} event */
  #move(event) {
    if (event.pointerType !== "mouse") {
      const slipped = Math.hypot(event.clientX - this.#finger.x, event.clientY - this.#finger.y) > STILL;
      if (this.#next && slipped) this.#expect(0);
      return;
    }
    const station = event.buttons ? 0 : this.#under(event);
    if (station !== this.#pressed) this.#pressed = 0;
    if (station === 0) {
      if (event.buttons) this.close();
      else this.#leave();
    } else if (station !== this.#next && station !== this.#pressed) {
      this.#expect(station, station === this.#shown ? 0 : REST);
    }
  }

  // The mouse is at no station. Close the tooltip soon, unless the mouse moves onto it or the station has the focus.
  #leave() {
    if (this.#board.overlay.querySelector(`[aria-describedby="${ID}"]:focus-visible`)) return;
    if (!this.#shown) this.#expect(0);
    else if (this.#next) this.#expect(0, LEAVE, () => this.close());
  }

  /** @param {PointerEvent} event */
  #down(event) {
    this.close();
    this.#pressed = this.#under(event);
    const { layers, drag } = this.#board;
    const taken = drag && layers?.stations.pawnsOn(this.#pressed).length; // a hand may rest on a pawn
    if (event.pointerType === "mouse" || !this.#pressed || taken) return;
    this.#finger = { x: event.clientX, y: event.clientY };
    this.#expect(this.#pressed, LONG, () => {
      this.#show(this.#pressed);
      this.#next = 0;
      // This was not a tap: cancel the finger for the code that waits for a tap.
      this.#board.view.dispatchEvent(new PointerEvent("pointercancel", { pointerId: event.pointerId }));
    });
  }

  /** @param {?EventTarget} target */
  #focused(target) {
    const station = target instanceof SVGElement && target.matches(":focus-visible") && target.dataset.station;
    if (station) this.#expect(Number(station), REST);
  }

  /** @param {PointerEvent} event */
  #under({ clientX, clientY }) {
    const { layers, zoom } = this.#board;
    const { x, y } = zoom.toUnits(clientX, clientY);
    return (layers && this.#board.stationAt(x, y, layers.outline.radius + 2)?.n) ?? 0;
  }

  /** @param {number} station */
  #show(station) {
    const { layers, scene, overlay } = this.#board;
    const circle = overlay.querySelector(`[data-station="${station}"]`);
    if (!layers || !circle) {
      this.close();
      return;
    }
    const { lines } = /** @type {BoardMessage | ReplayBoard} */ (layers.outline);
    const { name = "", stops = [] } = layers.stations.byNumber.get(station) ?? {};
    this.#element.replaceChildren(
      make("strong", {}, [gettext("Station {station}", { station }), name].filter(Boolean).join(", ")),
      ...linesOf(station, lines, scene, stops),
      ...(scene ? standing(scene, station, lines) : []),
    );
    this.#shown = station;
    this.#element.hidden = false;
    this.#put(circle.getBoundingClientRect());
    if (circle === document.activeElement) circle.setAttribute("aria-describedby", ID);
  }

  // Put the tooltip as near as possible to its usual place, without covering the station, a lit station or a pawn.
  /** @param {DOMRect} station */
  #put(station) {
    const board = this.#place.getBoundingClientRect();
    const { offsetWidth: wide, offsetHeight: high } = this.#element;
    const [middle, above] = [station.left + station.width / 2 - board.left, station.top - board.top - GAP - high];
    const wanted = { left: middle - wide / 2, top: above > GAP ? above : station.bottom - board.top + GAP };
    const kept = [station, ...this.#keptFree()].map(({ left, top, right, bottom }) => ({
      left: left - board.left - GAP,
      top: top - board.top - GAP,
      right: right - board.left + GAP,
      bottom: bottom - board.top + GAP,
    }));
    const spots = steps(board.width - wide).flatMap((left) => steps(board.height - high).map((top) => ({ left, top })));
    const cost = (/** @type {{left: number, top: number}} */ { left, top }) => {
      const across = kept.filter((one) => one.left < left + wide && left < one.right);
      const covered = across.filter((one) => one.top < top + high && top < one.bottom);
      return covered.length * COVERS + Math.hypot(left - wanted.left, top - wanted.top);
    };
    const [right, bottom] = [board.width - GAP - wide, board.height - GAP - high];
    const [best = wanted] = [wanted, ...spots]
      .filter(({ left, top }) => left >= GAP && top >= GAP && left <= right && top <= bottom)
      .map((spot) => ({ ...spot, cost: cost(spot) }))
      .sort((one, other) => one.cost - other.cost);
    this.#element.style.setProperty("left", `${best.left}px`);
    this.#element.style.setProperty("top", `${best.top}px`);
  }

  // Return the boxes of the stations to which a pawn may go, and of the pawns.
  #keptFree() {
    const { overlay, scene } = this.#board;
    const reached = scene === null || scene.rules === null ? [] : scene.moves.map(({ to }) => `[data-station="${to}"]`);
    const selector = ["[data-pawn]", ...new Set(reached)].join();
    return [...overlay.querySelectorAll(selector)].map((element) => element.getBoundingClientRect());
  }
}

// Return possible starts of the tooltip along one side of the board, in pixels.
/** @param {number} room the free space there */
function steps(room) {
  return Array.from({ length: Math.max(1, Math.floor((room - 2 * GAP) / STEP) + 1) }, (_, n) => GAP + n * STEP);
}

// Return the ends of a station's lines. Only the board shows one-way streets.
/** @type {(station: number, lines: Lines, scene: ?TableScene, stops: string[]) => Node[]} */
function linesOf(station, lines, scene, stops) {
  const layout = scene?.rules ? scene.layout : "";
  const oneWay = /[a-z]/.test(layout); // tiles with their light side up
  const ends = describeLines(station, oneWay ? [] : lines);
  const rows = stops.map((kind) => {
    const to = ends.get(kind)?.join(", ");
    const words = to ? gettext("{ticket} to {stations}", { ticket: ticketName(kind), stations: to }) : ticketName(kind);
    return make("li", {}, ticketSign(kind), make("span", {}, words));
  });
  return [make("ul", {}, ...rows)];
}

// Return the lines about who should come here, and which detectives can come.
/** @type {(scene: TableScene, station: number, lines: Lines) => Node[]} */
function standing(scene, station, lines) {
  if (scene.rules === null) return [];
  const awaited = describeAwaited(scene).get(station);
  const rows = describeComers(scene, station, lines).map(({ pawn, now, tickets }) => {
    const means = tickets.filter((one) => one !== "start" && one !== "free").map(meansName);
    return make("li", {}, pawnDisc(pawn), make("span", {}, comer(pawnName(pawn), now, joinWords(means, "or"))));
  });
  return [...(awaited ? [make("p", {}, awaited.sentence)] : []), ...(rows.length ? [make("ul", {}, ...rows)] : [])];
}

/** @type {(pawn: string, now: boolean, means: string) => string} */
function comer(pawn, now, means) {
  if (now) {
    return means ? gettext("{pawn} can come now by {means}", { pawn, means }) : gettext("{pawn} can come now", { pawn });
  }
  return means
    ? gettext("{pawn} may come with its next move by {means}", { pawn, means })
    : gettext("{pawn} may come with its next move", { pawn });
}
