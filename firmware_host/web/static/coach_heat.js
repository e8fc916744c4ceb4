// What the coach tells, on the map: a disc where Mister X may be, the larger and darker, the likelier, with a number at
// the likeliest; and a ring of dashes with a flag where the coach would go.

import { svg } from "./svg.js";

/** @import { Coach, Outline, StationOutline } from "../messages.d.ts" */

const SMALLEST = 0.9; // a disc's radius, in radii of a plate
const LARGEST = 2.4;
const NUMBERED = 5; // how many are told in numbers
const WORTH_TELLING = 0.05; // and from what likelihood on

/** The coach's layer of a board. */
export class CoachHeat {
  layer = svg("g", { id: "coach-heat", "aria-hidden": "true" });
  #board;
  #shown = "";

  /** @param {Outline} board on which */
  constructor(board) {
    this.#board = board;
  }

  /**
   * Show what the coach tells now.
   * @param {?Pick<Coach, "stations" | "advice">} coach what that is; null: nothing
   */
  show(coach) {
    const shown = JSON.stringify(coach);
    if (shown === this.#shown) return;
    this.#shown = shown;
    const likely = coach?.stations ?? {};
    const most = Math.max(0, ...Object.values(likely));
    const told = Object.entries(likely)
      .filter(([, weight]) => weight >= WORTH_TELLING)
      .toSorted(([, one], [, other]) => other - one)
      .slice(0, NUMBERED)
      .map(([station]) => station);
    const parts = this.#board.stations.flatMap((station) => {
      const weight = likely[station.n];
      if (weight === undefined) return [];
      const disc = this.#disc(station, weight / most);
      return told.includes(String(station.n)) ? [disc, this.#number(station, weight)] : [disc];
    });
    const goal = this.#board.stations.find(({ n }) => n === coach?.advice?.to);
    this.layer.replaceChildren(...parts, ...(goal ? this.#ring(goal) : []));
  }

  /**
   * @param {StationOutline} station
   * @param {number} share of the likeliest station's
   */
  #disc({ x, y }, share) {
    const r = this.#board.radius * (SMALLEST + (LARGEST - SMALLEST) * share);
    return svg("circle", { class: "hunch", cx: x, cy: y, r, "fill-opacity": 0.22 + 0.4 * share });
  }

  /**
   * @param {StationOutline} station
   * @param {number} weight
   */
  #number({ x, y }, weight) {
    const text = svg("text", { x, y: y - 1.75 * this.#board.radius, "font-size": 1.15 * this.#board.radius });
    text.textContent = `${Math.round(100 * weight)} %`;
    return text;
  }

  /** @param {StationOutline} station */
  #ring({ x, y }) {
    const r = 2 * this.#board.radius;
    return [
      svg("circle", { class: "advice case", cx: x, cy: y, r }),
      svg("circle", { class: "advice", cx: x, cy: y, r }),
      svg("path", { class: "flag", d: `M${x} ${y - r}v${-1.5 * r}l${r} ${0.4 * r}l${-r} ${0.4 * r}` }),
    ];
  }
}
