// The lamps under the stations, as they shine: a lit plate, its number in ink that can be read on it, a soft halo.

import { colourAt, lampPaint } from "./lamp_colours.js";
import { SteadyLamps } from "./steady_lamps.js";
import { svg } from "./svg.js";

const HALO = [
  [0, 0.75],
  [0.3, 0.42],
  [0.62, 0.13],
  [1, 0],
]; // how far out, in shares of its size, and how strong

const CALM = matchMedia("(prefers-reduced-motion: reduce)");

export class BoardLamps {
  /**
   * @param {object} board the "board" message
   * @param {function(number, string)} changed told of a station whose lamp has another colour, and which
   */
  constructor(board, changed) {
    this.layer = svg("g", { id: "lights" });
    this.board = board;
    this.changed = changed;
    this.colours = new Array(board.stations.length).fill("");
    this.lamps = new Array(board.stations.length);
    this.steady = null; // holds lamps still, as long as that is asked for
  }

  /** The lamps shine like this: three bytes a lamp; none at all, and all are dark. Touches only what has changed. */
  setFrame(frame) {
    if (CALM.matches !== (this.steady !== null)) this.#repaintAll();
    this.board.stations.forEach((station, n) => {
      const colour = colourAt(frame, station.lamp);
      if (colour === this.colours[n]) return;
      this.colours[n] = colour;
      this.lamps[n] ??= this.#lamp(station);
      this.lamps[n].setAttribute("data-colour", colour);
      if (this.steady) this.steady.setColour(n, colour);
      else this.#paint(this.lamps[n], { colour });
      this.changed(station.n, colour);
    });
  }

  /** Less motion is asked for, or no longer: all lamps are to be painted anew. */
  #repaintAll() {
    this.steady = CALM.matches ? new SteadyLamps((n, shown) => this.#paint(this.lamps[n], shown)) : null;
    this.lamps.forEach((_, n) => (this.colours[n] = null));
  }

  /** A colour to be shown, and what a ring is to tell of it; see `SteadyLamps`. */
  #paint(lamp, { colour, other = "", does = "" }) {
    lamp.setAttribute("data-does", does);
    if (!colour) {
      lamp.setAttribute("display", "none");
      return;
    }
    const { paint, ink } = lampPaint(colour);
    lamp.removeAttribute("display");
    lamp.setAttribute("color", paint);
    lamp.setAttribute("class", ink);
    lamp.querySelector(".rhythm").setAttribute("stroke", other ? lampPaint(other).paint : "currentColor");
  }

  /** One lamp; all of it takes the colour of the group. */
  #lamp({ n, x, y }) {
    const radius = this.board.radius;
    const stops = HALO.map(([offset, strength]) =>
      svg("stop", { offset, "stop-color": "currentColor", "stop-opacity": strength }),
    );
    const size = radius * (n < 100 ? 1.12 : 0.93);
    const number = svg("text", { x, y: y + size * 0.35, "font-size": size });
    number.textContent = n;
    const lamp = svg(
      "g",
      { "data-lamp": n, display: "none" },
      svg("radialGradient", { id: `halo-${n}` }, ...stops),
      svg("circle", { cx: x, cy: y, r: radius * 3.2, fill: `url(#halo-${n})` }),
      svg("circle", { cx: x, cy: y, r: radius * 0.81, fill: "currentColor" }),
      svg("circle", { class: "rhythm", cx: x, cy: y, r: radius * 1.4 + 4 }),
      number,
    );
    this.layer.append(lamp);
    return lamp;
  }
}
