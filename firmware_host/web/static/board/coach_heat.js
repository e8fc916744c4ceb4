// The coach's report on the map. A band surrounds each station where Mister X may be: a wider band is likelier.
// The likeliest stations have a number. A dashed ring with a flag marks the station that the coach advises.

import { svg } from "../page/svg.js";

/** @import { Coach, Outline, StationOutline } from "../../messages.d.ts" */

const INNER = 1.7; // where a band begins: outside the plate and its lamp, which stay readable; in radii of a plate
const NARROWEST = 0.35; // how wide a band is
const WIDEST = 1.2;
const NUMBERED = 5; // the most stations that get a number
const NUMBER_FROM = 0.05; // the least likelihood that gets a number

/** The coach's layer of a board. */
export class CoachHeat {
  layer = svg("g", { id: "coach-heat", "aria-hidden": "true" });
  #board;
  #shown = "";

  /** @param {Outline} board the board */
  constructor(board) {
    this.#board = board;
  }

  /**
   * Show the coach's newest report.
   * @param {?Pick<Coach, "stations" | "advice">} coach the report; null shows nothing
   */
  show(coach) {
    const shown = JSON.stringify(coach);
    if (shown === this.#shown) return;
    this.#shown = shown;
    const likely = coach?.stations ?? {};
    const most = Math.max(0, ...Object.values(likely));
    const numbered = Object.entries(likely)
      .filter(([, weight]) => weight >= NUMBER_FROM)
      .toSorted(([, one], [, other]) => other - one)
      .slice(0, NUMBERED)
      .map(([station]) => station);
    const parts = this.#board.stations.flatMap((station) => {
      const weight = likely[station.n];
      if (weight === undefined) return [];
      const band = this.#band(station, weight / most);
      return numbered.includes(String(station.n)) ? [band, this.#number(station, weight)] : [band];
    });
    const goal = this.#board.stations.find(({ n }) => n === coach?.advice?.to);
    this.layer.replaceChildren(...parts, ...(goal ? this.#ring(goal) : []));
  }

  /**
   * @param {StationOutline} station
   * @param {number} share the station's weight as a share of the likeliest one's
   */
  #band({ x, y }, share) {
    const { radius } = this.#board;
    const wide = radius * (NARROWEST + (WIDEST - NARROWEST) * share);
    const r = radius * INNER + wide / 2;
    return svg("circle", { class: "hunch", cx: x, cy: y, r, "stroke-width": wide, opacity: 0.5 + 0.4 * share });
  }

  /**
   * @param {StationOutline} station
   * @param {number} weight
   */
  #number({ x, y }, weight) {
    const text = svg("text", { x, y: y - 2.6 * this.#board.radius, "font-size": 1.15 * this.#board.radius });
    text.textContent = `${Math.round(100 * weight)} %`;
    return text;
  }

  /** @param {StationOutline} station */
  #ring({ x, y }) {
    const r = 2.3 * this.#board.radius;
    return [
      svg("circle", { class: "advice case", cx: x, cy: y, r }),
      svg("circle", { class: "advice", cx: x, cy: y, r }),
      svg("path", { class: "flag", d: `M${x} ${y - r}v${-1.5 * r}l${r} ${0.4 * r}l${-r} ${0.4 * r}` }),
    ];
  }
}
