// The lamps under the stations, as they shine: a lit plate, its number in ink that can be read on it, a soft halo.

import { colourAt, seen } from "./colours.js";
import { svg } from "./svg.js";

const HALO = [
  [0, 0.75],
  [0.3, 0.42],
  [0.62, 0.13],
  [1, 0],
]; // how far out, in shares of its size, and how strong

export class Lights {
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
  }

  /** The lamps shine like this: three bytes a lamp; none at all, and all are dark. Touches only what has changed. */
  shine(frame) {
    this.board.stations.forEach((station, n) => {
      const colour = colourAt(frame, station.lamp);
      if (colour === this.colours[n]) return;
      this.colours[n] = colour;
      this.#paint((this.lamps[n] ??= this.#lamp(station)), colour);
      this.changed(station.n, colour);
    });
  }

  #paint(lamp, colour) {
    lamp.setAttribute("data-colour", colour);
    if (!colour) {
      lamp.setAttribute("display", "none");
      return;
    }
    const { paint, ink } = seen(colour);
    lamp.removeAttribute("display");
    lamp.setAttribute("color", paint);
    lamp.setAttribute("class", ink);
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
      number,
    );
    this.layer.append(lamp);
    return lamp;
  }
}
