// The veil dims the map while a pawn has to move: the ground's colour, with holes where the pawn may go.
//
// It is a canvas between the drawing and the things that shine or stand on it. It is painted only once a move.

import { make } from "../page/elements.js";

/** @import { Point } from "./pawns.js" */

const FINENESS = 0.3; // pixels a unit of the board: its edges are soft
/** @type {[number, number][]} */
const EDGES = [
  [32, 0.25],
  [22, 0.4],
  [12, 0.6],
  [0, 1],
]; // how much wider than the hole, in units, and how much of the veil goes there: the edge is blurred without a filter

/** The veil of a board. */
export class Veil {
  element = make("canvas", { class: "veil", "aria-hidden": "true" });
  /** @type {Point[][]} */
  #lines = [];
  /** @type {Point[]} */
  #stations = [];
  #radius = 1;
  #colour = "black";
  #cut = "";

  /**
   * Cover another board.
   * @param {number} width in units
   * @param {number} height in units
   * @param {number} radius the radius of a station's plate, in units
   */
  setSize(width, height, radius) {
    this.#radius = radius;
    this.#stations = [];
    this.#cut = "";
    this.element.width = Math.ceil(width * FINENESS);
    this.element.height = Math.ceil(height * FINENESS);
    this.recolour();
  }

  /**
   * Leave these lines and stations free. Without any, the veil is whole, so that a veil that fades away shows no move.
   * @param {Point[][]} lines in units
   * @param {Point[]} stations in units
   */
  cut(lines, stations) {
    const cut = JSON.stringify([lines, stations]);
    if (cut === this.#cut) return;
    this.#cut = cut;
    this.#lines = lines;
    this.#stations = stations;
    this.#paint();
  }

  /** Take the veil's present colour from the page's style. This is slow: the browser then styles the whole page. */
  recolour() {
    this.#colour = getComputedStyle(this.element).color;
    this.#paint();
  }

  #paint() {
    const context = this.element.getContext("2d");
    if (!context) return;
    const { width, height } = this.element;
    context.setTransform(1, 0, 0, 1, 0, 0);
    context.globalCompositeOperation = "copy";
    context.globalAlpha = 1;
    context.fillStyle = this.#colour;
    context.fillRect(0, 0, width, height);
    context.scale(FINENESS, FINENESS);
    context.globalCompositeOperation = "destination-out";
    context.lineCap = context.lineJoin = "round";
    const dots = this.#stations.map((station) => [station, station]);
    for (const [wider, gone] of EDGES) {
      context.globalAlpha = gone;
      stroke(context, this.#lines, this.#radius + wider);
      stroke(context, dots, 3.2 * this.#radius + wider);
    }
  }
}

// Draw all lines in one stroke, so that crossings are not cut more than the rest.
/** @type {(context: CanvasRenderingContext2D, lines: Point[][], width: number) => void} */
function stroke(context, lines, width) {
  context.lineWidth = width;
  context.beginPath();
  for (const [first, ...others] of lines) {
    if (first) context.moveTo(first.x, first.y);
    for (const { x, y } of others) context.lineTo(x, y);
  }
  context.stroke();
}
