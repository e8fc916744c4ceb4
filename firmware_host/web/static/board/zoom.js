// Zoom by wheel, pinch, drag, double tap, buttons and keys. The board always fills its place or fits into it.

import { closest, make } from "../page/elements.js";
import { gettext } from "../wording/gettext.js";
import { move } from "../page/motion.js";

/** @import { Point } from "./pawns.js" */

/** @typedef {Point & {slipped: boolean, from: Point}} Finger in pixels; a finger that has slipped does not tap */

/**
 * @typedef {object} Callbacks
 * @property {(x: number, y: number, by: string) => boolean} tap called with a tap's place in units and its kind of
 *   pointer; returns whether the tap had an effect
 * @property {(pixels: number) => void} scaled called with the new number of pixels in a unit
 * @property {() => void} moved called when the board moves in the window or changes its size
 * @property {(pixels: number) => void} inset called with the number of free pixels on each side of the board
 */

const NEAREST = { fits: 3, pixels: 5 }; // times the whole board's scale, or pixels a unit: the larger counts
const STEP = 1.4;
const RIM = 36; // pixels at the window's rim in which a dragged pawn scrolls the board
const RIM_SPEED = 0.35; // pixels a frame for each pixel into the rim
const FINGER = 44; // pixels of a target for fingers
const STILL = 6; // pixels that a finger may slip in a tap
/** @type {KeyframeAnimationOptions} */
const GLIDE = { duration: 350, easing: "ease-in-out" };
const BUTTONS = 60; // pixels at the window's right under the buttons: the user can move a zoomed board away from them
const TWICE = 350; // milliseconds between the taps of a double tap

/** The visible part of the board, and its scale. */
export class Zoom {
  scale = 0; // pixels a unit
  all = false; // whether the user has zoomed out to the whole board
  chosen = false; // whether the user has chosen the scale
  #view;
  #sheet;
  #callbacks;
  #width = 1; // the board's width, in units
  #height = 1;
  #left = 0; // its place in the window, in pixels
  #top = 0;
  #inset = 0; // free pixels on each side of it
  /** @type {?{wide: number, high: number}} */
  #room = null; // the window's size, once it is known: measuring it makes the browser place the whole page
  /** @type {?{wide: number, high: number, fit: number, filling: number}} */
  #seen = null; // the window's size when the board was last placed, and the scales at which it fits or fills it
  #laid = { wide: 0, high: 0 }; // the sheet's size in pixels; zooming in magnifies it without a new layout
  /** @type {Map<number, Finger>} */
  #fingers = new Map();
  /** @type {?{at: number, x: number, y: number}} */
  #lastTap = null;
  #clicks = false; // whether the browser still owes the click of a tap on the board

  /**
   * @param {HTMLElement} place the window and the elements over it
   * @param {HTMLElement} view the window through which the board is seen
   * @param {HTMLElement} sheet the element in the window
   * @param {Callbacks} callbacks the receivers of taps and scales
   */
  constructor(place, view, sheet, callbacks) {
    this.#view = view;
    this.#sheet = sheet;
    this.#callbacks = callbacks;
    new ResizeObserver(() => this.#resized()).observe(view);
    view.addEventListener("wheel", (event) => this.#wheel(event), { passive: false });
    place.addEventListener("pointerdown", (event) => this.#down(event));
    place.addEventListener("click", (event) => this.#click(event), { capture: true });
    view.addEventListener("pointermove", (event) => this.#move(event));
    view.addEventListener("pointerup", (event) => this.#up(event));
    view.addEventListener("pointercancel", (event) => this.#fingers.delete(event.pointerId));
    document.addEventListener("keydown", (event) => this.#key(event));
  }

  /**
   * Place a board. Another board of the same size changes no place.
   * @param {number} width in units
   * @param {number} height in units
   */
  setSize(width, height) {
    if (width === this.#width && height === this.#height) return;
    this.#width = width;
    this.#height = height;
    this.showAll();
  }

  /** Show the whole board. */
  showAll() {
    this.#show(this.#fit(), 0, 0);
  }

  /**
   * Zoom in or out; a point of the window stays in its place.
   * @param {number} factor the new scale divided by the old one
   * @param {number} x the point, in pixels
   * @param {number} y the point, in pixels
   */
  zoomBy(factor, x = this.#size().wide / 2, y = this.#size().high / 2) {
    const nearest = Math.max(NEAREST.fits * this.#fit(), NEAREST.pixels);
    const scale = Math.min(nearest, Math.max(this.#fit(), this.scale * factor));
    const grown = scale / this.scale;
    this.#show(scale, x - (x - this.#left) * grown, y - (y - this.#top) * grown);
  }

  /**
   * Whether the window shows only a part of the board.
   * @returns {boolean} true if it does
   */
  get near() {
    return this.scale > this.#fit() * 1.01;
  }

  /**
   * The scale at which the board fills an upright window. A wide window shows the whole board: if the board filled it,
   * most of the board would be hidden.
   * @returns {number} pixels a unit
   */
  get filling() {
    const { wide, high } = this.#size();
    return wide > high ? this.#fit() : Math.max(wide / this.#width, high / this.#height);
  }

  // Zoom in or out for the user.
  /** @type {(factor: number, x?: number, y?: number) => void} */
  #goBy(factor, x, y) {
    this.zoomBy(factor, x, y);
    this.all = !this.near;
    this.chosen = this.near;
  }

  #goFar() {
    this.showAll();
    this.all = true;
    this.chosen = false;
  }

  /**
   * Animate a move of the board that another module makes, if the scale stays the same.
   * @param {() => void} change moves the board
   */
  glide(change) {
    const [scale, from] = [this.scale, this.#sheet.style.transform];
    change();
    const to = this.#sheet.style.transform;
    if (scale === this.scale && from !== to) move(this.#sheet, [{ transform: from }, { transform: to }], GLIDE);
  }

  /**
   * Return a point of the page in units of the board.
   * @param {number} clientX in pixels
   * @param {number} clientY in pixels
   * @returns {Point} the same point
   */
  toUnits(clientX, clientY) {
    const { x, y } = this.#inView(clientX, clientY);
    return { x: (x - this.#left) / this.scale, y: (y - this.#top) / this.scale };
  }

  /**
   * Return a point of the board in pixels of the page.
   * @param {Point} point in units
   * @returns {Point} the same point
   */
  toPage({ x, y }) {
    const { left, top } = this.#view.getBoundingClientRect();
    return { x: left + this.#left + x * this.scale, y: top + this.#top + y * this.scale };
  }

  /**
   * Move the board as little as possible so that a point is well in sight.
   * @param {number} x in units
   * @param {number} y in units
   */
  reveal(x, y) {
    const { wide, high } = this.#size();
    const margin = Math.min(60, wide / 4, high / 4);
    const into = (/** @type {number} */ at, /** @type {number} */ last) =>
      Math.max(margin - at, 0) || Math.min(last - at, 0);
    const [px, py] = [x * this.scale + this.#left, y * this.scale + this.#top];
    const right = wide - Math.max(margin, BUTTONS + FINGER / 2);
    this.#show(this.scale, this.#left + into(px, right), this.#top + into(py, high - margin));
  }

  /**
   * Show some points in the middle, at the largest scale that fits them.
   * @param {Point[]} points in units; at least one
   * @param {number} margin pixels around them
   * @param {number} nearest the most pixels that a unit may have
   */
  frame(points, margin, nearest) {
    const { wide, high } = this.#size();
    const [xs, ys] = [points.map(({ x }) => x), points.map(({ y }) => y)];
    const [left, right, top, bottom] = [Math.min(...xs), Math.max(...xs), Math.min(...ys), Math.max(...ys)];
    const room = (/** @type {number} */ size, /** @type {number} */ length) =>
      (size - 2 * margin) / Math.max(length, 1);
    const scale = Math.max(this.#fit(), Math.min(nearest, room(wide, right - left), room(high, bottom - top)));
    this.#show(scale, wide / 2 - ((left + right) / 2) * scale, high / 2 - ((top + bottom) / 2) * scale);
  }

  /**
   * Scroll the board a little if a hand drags a pawn at the edge of the window.
   * @param {number} clientX where the hand is, in pixels
   * @param {number} clientY where the hand is, in pixels
   * @returns {boolean} whether the board could scroll
   */
  scrollAtEdge(clientX, clientY) {
    const { x, y } = this.#inView(clientX, clientY);
    const { wide, high } = this.#size();
    const push = (/** @type {number} */ at, /** @type {number} */ size) =>
      RIM_SPEED * (Math.max(0, RIM - at) - Math.max(0, at - (size - RIM)));
    const before = [this.#left, this.#top];
    this.#show(this.scale, this.#left + push(x, wide), this.#top + push(y, high));
    return this.#left !== before[0] || this.#top !== before[1];
  }

  #size() {
    return this.#room ?? { wide: this.#view.clientWidth || 1, high: this.#view.clientHeight || 1 };
  }

  #fit() {
    const { wide, high } = this.#size();
    return Math.min(wide / this.#width, high / this.#height);
  }

  // Convert a point of the page to a point of the window.
  /** @type {(clientX: number, clientY: number) => { x: number; y: number; }} */
  #inView(clientX, clientY) {
    const { left, top } = this.#view.getBoundingClientRect();
    return { x: clientX - left, y: clientY - top };
  }

  #resized() {
    this.#room = null;
    this.#room = this.#size();
    const { wide, high } = this.#room;
    const before = this.#seen ?? { wide, high, fit: this.scale, filling: 0 };
    const near = this.scale > before.fit * 1.01;
    const filled = Math.abs(this.scale - before.filling) < before.filling * 0.01;
    const scale = near ? Math.max(this.#fit(), filled ? this.filling : this.scale) : this.#fit();
    const grown = this.scale ? scale / this.scale : 1;
    const [x, y] = [before.wide / 2 - this.#left, before.high / 2 - this.#top]; // the middle
    this.#show(scale, wide / 2 - x * grown, high / 2 - y * grown);
  }

  /** @type {(scale: number, left: number, top: number) => void} */
  #show(scale, left, top) {
    const { wide, high } = this.#size();
    const fit = this.#fit();
    this.#seen = { wide, high, fit, filling: this.filling };
    this.#left = within(left, this.#width * scale, wide, scale > fit * 1.01 ? BUTTONS : 0);
    this.#top = Math.min(0, within(top, this.#height * scale, high, 0));
    const style = this.#sheet.style;
    if (this.#laid.wide !== this.#width * fit || this.#laid.high !== this.#height * fit) {
      this.#laid = { wide: this.#width * fit, high: this.#height * fit };
      style.setProperty("width", `${this.#laid.wide}px`);
      style.setProperty("height", `${this.#laid.high}px`);
    }
    style.setProperty("transform", `translate3d(${this.#left}px, ${this.#top}px, 0) scale(${scale / fit})`);
    if (scale !== this.scale) {
      this.scale = scale;
      this.#callbacks.scaled(scale);
    }
    this.#view.classList.toggle("near", this.near);
    this.#callbacks.moved();
    const inset = Math.max(0, this.#left);
    if (inset === this.#inset) return;
    this.#inset = inset;
    this.#callbacks.inset(inset);
  }

  /** @param {WheelEvent} event */
  #wheel(event) {
    event.preventDefault();
    const pixels = event.deltaY * (event.deltaMode === 1 ? 30 : 1);
    const { x, y } = this.#inView(event.clientX, event.clientY);
    this.#goBy(Math.exp(-pixels * (event.ctrlKey ? 0.01 : 0.002)), x, y);
  }

  /** @param {KeyboardEvent} event */
  #key(event) {
    if (event.altKey || event.ctrlKey || event.metaKey || closest(event.target, "input, select, textarea")) return;
    if (event.key === "+" || event.key === "=") this.#goBy(STEP);
    else if (event.key === "-") this.#goBy(1 / STEP);
    else if (event.key === "0") this.#goFar();
  }

  // A browser may send a touch to a key near the finger. If the finger is on the board, the board gets the touch.
  /** @param {PointerEvent} event */
  #down(event) {
    this.#clicks = false;
    const given = this.#holds(event.target);
    const target = given ? event.target : document.elementFromPoint(event.clientX, event.clientY);
    if (event.button !== 0 || !this.#holds(target) || closest(target, "button")) return;
    const { x, y } = this.#inView(event.clientX, event.clientY);
    this.#fingers.set(event.pointerId, { x, y, slipped: this.#fingers.size > 0, from: { x, y } });
    this.#view.setPointerCapture(event.pointerId);
  }

  // A tap on the board must not also press a key near it.
  /** @param {MouseEvent} event */
  #click(event) {
    if (this.#clicks && !this.#holds(event.target)) event.stopPropagation();
    this.#clicks = false;
  }

  /** @param {?EventTarget} target */
  #holds(target) {
    return target instanceof Node && this.#view.contains(target);
  }

  /** @param {PointerEvent} event */
  #move(event) {
    const finger = this.#fingers.get(event.pointerId);
    if (!finger) return;
    const { x, y } = this.#inView(event.clientX, event.clientY);
    const before = this.#spread();
    const [dx, dy] = [x - finger.x, y - finger.y];
    if (!finger.slipped && Math.hypot(x - finger.from.x, y - finger.from.y) < STILL) return;
    Object.assign(finger, { x, y, slipped: true });
    if (this.#fingers.size === 1) {
      this.#show(this.scale, this.#left + dx, this.#top + dy);
      return;
    }
    const after = this.#spread();
    this.#goBy(after.far / before.far, before.x, before.y);
    this.#show(this.scale, this.#left + after.x - before.x, this.#top + after.y - before.y);
  }

  /** @param {PointerEvent} event */
  #up(event) {
    const finger = this.#fingers.get(event.pointerId);
    this.#fingers.delete(event.pointerId);
    this.#clicks = finger !== undefined && !finger.slipped;
    if (this.#clicks) this.#tapped(event);
  }

  /** The middle of all fingers, and the distance of the first two. */
  #spread() {
    const all = [...this.#fingers.values()];
    const [one, other] = all;
    const mean = (/** @type {"x" | "y"} */ key) => all.reduce((sum, finger) => sum + finger[key], 0) / all.length;
    const far = one && other ? Math.max(1, Math.hypot(one.x - other.x, one.y - other.y)) : 1;
    return { x: mean("x"), y: mean("y"), far };
  }

  /** @param {PointerEvent} event */
  #tapped(event) {
    const units = this.toUnits(event.clientX, event.clientY);
    if (this.#callbacks.tap(units.x, units.y, event.pointerType)) {
      this.#lastTap = null;
      return;
    }
    const { x, y } = this.#inView(event.clientX, event.clientY);
    const last = this.#lastTap;
    this.#lastTap = { at: event.timeStamp, x, y };
    if (!last || event.timeStamp - last.at > TWICE || Math.hypot(x - last.x, y - last.y) > 30) return;
    this.#lastTap = null;
    if (this.near) this.#goFar();
    else this.#goBy(2.5, x, y);
  }

  /**
   * Create the three buttons.
   * @returns {HTMLElement} a group with the buttons
   */
  buttons() {
    const button = (/** @type {string} */ sign, /** @type {string} */ name, /** @type {() => void} */ click) =>
      make("button", { type: "button", "aria-label": name, title: name, click }, sign);
    return make(
      "div",
      { class: "zoom" },
      button("\u2922", gettext("Whole board"), () => this.#goFar()),
      button("\u2212", gettext("Zoom out"), () => this.#goBy(1 / STEP)),
      button("+", gettext("Zoom in"), () => this.#goBy(STEP)),
    );
  }
}

/**
 * Return the board's place along one side of the window: it fills its room, or is centred in it.
 * @param {number} at the wanted place
 * @param {number} size the board's size
 * @param {number} room the window's size
 * @param {number} free how much of the window may stay free at its end
 */
function within(at, size, room, free) {
  return size > room ? Math.min(0, Math.max(room - free - size, at)) : (room - size) / 2;
}
