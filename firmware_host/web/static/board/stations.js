// The stations as buttons: one stop of the Tab key, arrow keys between them, and a name for screen readers.

import { colourName, litWords } from "./lamp_colours.js";
import { gettext, ngettext } from "../wording/gettext.js";
import { describeAwaited, describeReachable } from "../wording/station_descriptions.js";
import { isDigit, StationKeys } from "./station_keys.js";
import { svg } from "../page/svg.js";
import { joinWords } from "../wording/joining.js";
import { pawnName, ticketName } from "../wording/pawn_and_ticket_names.js";

/** @import { Outline, StationOutline, TableScene } from "../../messages.d.ts" */
/** @import { Awaited } from "../wording/station_descriptions.js" */

/** @typedef {{activateStation(station: StationOutline): void}} Activated receives Enter, where pawns can be moved */

/** The stations of a board. */
export class Stations {
  #keys;
  /** @type {Map<number, SVGCircleElement>} */
  #elements = new Map();
  /** @type {Map<number, string>} */
  #lit = new Map(); // station -> the name of the colour in which it is lit, or ""
  /** @type {Map<string, number>} */
  #pawns = new Map();
  /** @type {Map<number, Awaited>} */
  #awaited = new Map();
  /** @type {Map<number, string>} */
  #reachable = new Map();
  /** @type {SVGCircleElement | undefined} */
  #stop;

  /**
   * @param {Outline} board the board that has them
   * @param {?Activated} activated receives the activated station, where pawns can be moved
   * @param {(station: StationOutline) => void} shown called with the station that gets the focus
   */
  constructor(board, activated, shown) {
    this.layer = svg("g", { id: "stations" });
    this.byNumber = new Map(board.stations.map((station) => [station.n, station]));
    this.#keys = new StationKeys(board.stations);
    for (const station of [...board.stations].sort((a, b) => a.n - b.n)) {
      const place = { cx: station.x, cy: station.y, r: board.radius + 2 };
      const role = activated ? "button" : "img";
      const element = svg("circle", { ...place, "data-station": station.n, role, tabindex: -1 });
      element.addEventListener("focus", () => {
        this.#roveTo(element);
        if (element.matches(":focus-visible")) shown(station);
      }); // on each of them: Chromium makes whatever listens for it within an SVG a stop of the Tab key
      this.#elements.set(station.n, element);
      this.#label(station.n);
    }
    this.layer.append(...this.#elements.values());
    this.#stop = this.#elements.values().next().value;
    this.#stop?.setAttribute("tabindex", "0");
    this.layer.addEventListener("keydown", (event) => this.#key(event, activated));
    this.layer.addEventListener("click", ({ target, detail }) => {
      const station = this.#of(target);
      if (detail === 0 && station) activated?.activateStation(station); // a screen reader; other code handles fingers
    });
  }

  /**
   * Set the colour of a station's lamp.
   * @param {number} station its number
   * @param {string} colour "#rrggbb" or ""
   */
  setLamp(station, colour) {
    const name = colour && colourName(colour);
    if ((this.#lit.get(station) ?? "") === name) return;
    this.#lit.set(station, name);
    this.#label(station);
  }

  /**
   * Describe the lit stations by the table's scene.
   * @param {TableScene} scene the table's scene
   */
  setScene(scene) {
    const before = [...this.#awaited.keys(), ...this.#reachable.keys()];
    this.#awaited.clear();
    this.#reachable.clear();
    if (scene.rules !== null) {
      this.#awaited = describeAwaited(scene);
      this.#reachable = describeReachable(scene);
    }
    const touched = [...before, ...this.#awaited.keys(), ...this.#reachable.keys()];
    for (const station of new Set(touched)) this.#label(station);
  }

  /**
   * The stations that are lit, or wait for something.
   * @returns {number[]} in order
   */
  get highlighted() {
    const lit = [...this.#lit].filter(([, name]) => name).map(([station]) => station);
    return [...new Set([...lit, ...this.#awaited.keys()])].sort((one, other) => one - other);
  }

  /**
   * Set the pawns on the stations.
   * @param {Map<string, number>} pawns pawn -> station
   */
  setPawns(pawns) {
    const before = this.#pawns;
    this.#pawns = pawns;
    const all = new Set([...before.keys(), ...pawns.keys()]);
    const moved = [...all].filter((pawn) => before.get(pawn) !== pawns.get(pawn));
    const touched = moved.flatMap((pawn) => [before.get(pawn) ?? 0, pawns.get(pawn) ?? 0]);
    for (const station of new Set(touched)) this.#label(station);
  }

  /**
   * Return the pawns on a station.
   * @param {number} station its number
   * @returns {string[]} their names
   */
  pawnsOn(station) {
    return [...this.#pawns].filter(([, at]) => at === station).map(([pawn]) => pawn);
  }

  /**
   * The station at which the Tab key stops.
   * @returns {number} its number
   */
  get tabStop() {
    return Number(this.#stop?.dataset.station);
  }

  /** Let the Tab key stop at the first station again, as on a new page. */
  resetTabStop() {
    const first = this.#elements.values().next().value;
    if (first) this.#roveTo(first);
  }

  /**
   * Put the focus on a station.
   * @param {number} station its number; a wrong number does nothing
   */
  focus(station) {
    this.#elements.get(station)?.focus();
  }

  /** @param {number} station */
  #label(station) {
    const element = this.#elements.get(station);
    if (!element) return;
    const lit = this.#lit.get(station);
    const pawns = this.pawnsOn(station).map(pawnName);
    const said = [
      gettext("Station {station}", { station }),
      this.byNumber.get(station)?.name,
      joinWords((this.byNumber.get(station)?.stops ?? []).map(ticketName)),
      this.#awaited.get(station)?.words || (lit && (this.#reachable.get(station) || litWords(lit))),
      pawns.length && standHere(pawns),
    ];
    const label = said.filter(Boolean).join(", ");
    if (element.getAttribute("aria-label") !== label) element.setAttribute("aria-label", label);
  }

  /** @param {?EventTarget} target */
  #of(target) {
    const number = target instanceof SVGElement && target.dataset.station;
    return number ? this.byNumber.get(Number(number)) : undefined;
  }

  /** @param {SVGCircleElement} element */
  #roveTo(element) {
    this.#stop?.setAttribute("tabindex", "-1");
    this.#stop = element;
    element.setAttribute("tabindex", "0");
  }

  /** @type {(event: KeyboardEvent, activated: ?Activated) => void} */
  #key(event, activated) {
    const here = this.#of(event.target);
    this.#keys.observe(event);
    if (!here || event.altKey || event.ctrlKey || event.metaKey) return;
    if (activated && (event.key === "Enter" || event.key === " ")) {
      if (!event.repeat) activated.activateStation(here);
    } else {
      const next = this.#keys.next(here, event, this.highlighted);
      if (next === null) return;
      if (isDigit(event)) event.stopPropagation(); // the zoom is not to have it
      this.focus(next);
    }
    event.preventDefault();
  }
}

/** @param {string[]} names of pawns */
function standHere(names) {
  return ngettext("{pawns} stands here", "{pawns} stand here", names.length, { pawns: joinWords(names) });
}
