// The stations as buttons: one stop of the Tab key, arrows to the nearest in a direction, its number or N and P to
// another; told to screen readers.

import { colourName } from "./lamp_colours.js";
import { describeAwaited, describeReachable } from "./station_descriptions.js";
import { joinWords, pawnName } from "./wording.js";
import { svg } from "./svg.js";

const TYPING = 1500; // milliseconds in which the next digit belongs to the same number
const ARROWS = { ArrowRight: [1, 0], ArrowLeft: [-1, 0], ArrowDown: [0, 1], ArrowUp: [0, -1] };

export class Stations {
  /**
   * @param {object} board the "board" message
   * @param {object} told whom to tell, where pawns can be moved: `activateStation(station)` of Enter, `leave()` of Escape
   * @param {function(object)} shown told of the station that has got the focus
   */
  constructor(board, told, shown) {
    this.layer = svg("g", { id: "stations" });
    this.board = board;
    this.byNumber = new Map(board.stations.map((station) => [station.n, station]));
    this.elements = new Map();
    this.lit = new Map();
    this.pawns = new Map();
    [this.awaited, this.reached] = [new Map(), new Map()];
    this.typed = { number: "", at: 0 };
    for (const station of [...board.stations].sort((a, b) => a.n - b.n)) {
      const place = { cx: station.x, cy: station.y, r: board.radius + 2 };
      const element = svg("circle", { ...place, "data-station": station.n, role: told ? "button" : "img", tabindex: -1 });
      element.addEventListener("focus", () => {
        this.#roveTo(element);
        if (element.matches(":focus-visible")) shown(station);
      }); // on each of them: Chromium makes whatever listens for it within an SVG a stop of the Tab key
      this.elements.set(station.n, element);
      this.#label(station.n);
    }
    this.layer.append(...this.elements.values());
    this.stop = this.elements.values().next().value;
    this.stop?.setAttribute("tabindex", 0);
    this.layer.addEventListener("keydown", (event) => this.#key(event, told));
    this.layer.addEventListener("click", ({ target, detail }) => {
      if (detail === 0 && target.dataset.station) told?.activateStation(this.#of(target)); // a screen reader's; a finger is felt elsewhere
    });
  }

  /** The lamp of a station has another colour now: "#rrggbb" or "". */
  setLamp(station, colour) {
    const name = colour && colourName(colour);
    if ((this.lit.get(station) ?? "") === name) return;
    this.lit.set(station, name);
    this.#label(station);
  }

  /** The table's scene says what stations are lit for: from a "scene" message. */
  setScene(scene) {
    const before = [this.awaited, this.reached];
    [this.awaited, this.reached] = scene.rules ? [describeAwaited(scene), describeReachable(scene)] : [new Map(), new Map()];
    const touched = [...before, this.awaited, this.reached].flatMap((said) => [...said.keys()]);
    for (const station of new Set(touched)) this.#label(station);
  }

  /** The stations that are lit, or wait for something, by number. */
  get highlighted() {
    const lit = [...this.lit].filter(([, name]) => name).map(([station]) => station);
    return [...new Set([...lit, ...this.awaited.keys()])].sort((one, other) => one - other);
  }

  /** These pawns stand on stations: pawn -> station. */
  setPawns(pawns) {
    const before = new Set(this.pawns.values());
    this.pawns = pawns;
    for (const station of new Set([...before, ...pawns.values()])) this.#label(station);
  }

  /** The pawns on a station. */
  pawnsOn(station) {
    return [...this.pawns].filter(([, at]) => at === station).map(([pawn]) => pawn);
  }

  /** The station at which the Tab key stops. */
  get tabStop() {
    return Number(this.stop.dataset.station);
  }

  /** Puts the focus on a station. */
  focus(station) {
    this.elements.get(station)?.focus();
  }

  #label(station) {
    const element = this.elements.get(station);
    if (!element) return;
    const said = [`Station ${station}`, joinWords(this.byNumber.get(station).stops)];
    const lit = this.lit.get(station);
    said.push(this.awaited.get(station) || (lit && (this.reached.get(station) || `lit ${lit}`)));
    const pawns = this.pawnsOn(station).map(pawnName);
    if (pawns.length) said.push(`${joinWords(pawns)} ${pawns.length > 1 ? "stand" : "stands"} here`);
    element.setAttribute("aria-label", said.filter(Boolean).join(", "));
  }

  #of(element) {
    return this.byNumber.get(Number(element.dataset.station));
  }

  #roveTo(element) {
    if (!element.dataset.station) return;
    this.stop.setAttribute("tabindex", -1);
    this.stop = element;
    element.setAttribute("tabindex", 0);
  }

  #key(event, told) {
    if (event.altKey || event.ctrlKey || event.metaKey) return;
    const here = this.#of(event.target);
    if (!here) return;
    if (ARROWS[event.key]) {
      const next = this.#toward(here, ARROWS[event.key]);
      if (next) this.focus(next.n);
    } else if (/^\d$/.test(event.key) && this.#type(event)) {
      event.stopPropagation(); // the zoom is not to have it
    } else if (event.key === "n" || event.key === "p") {
      this.focus(this.#beside(here.n, event.key === "n" ? 1 : -1));
    } else if (told && (event.key === "Enter" || event.key === " ")) {
      if (!event.repeat) told.activateStation(here);
    } else {
      return;
    }
    event.preventDefault();
  }

  /** A digit of a station's number: goes to the station of all that have been typed, or of this one; whether it is one. */
  #type({ key, timeStamp }) {
    const before = timeStamp - this.typed.at < TYPING ? this.typed.number : "";
    const number = [before + key, key].find((one) => this.byNumber.has(Number(one)) && !one.startsWith("0"));
    if (!number) return false;
    this.typed = { number, at: timeStamp };
    this.focus(Number(number));
    return true;
  }

  /** The next station after one that is lit or waits, or the one before; round and round. */
  #beside(here, step) {
    const all = this.highlighted;
    const next = step > 0 ? all.find((n) => n > here) : all.findLast((n) => n < here);
    return next ?? all.at(step > 0 ? 0 : -1);
  }

  /** The nearest station in a direction; the farther aside, the less it is meant. */
  #toward(here, [right, down]) {
    let best = null;
    for (const station of this.board.stations) {
      const [dx, dy] = [station.x - here.x, station.y - here.y];
      const along = dx * right + dy * down;
      const aside = Math.abs(dx * down) + Math.abs(dy * right);
      if (along <= 0 || aside > 1.7 * along) continue;
      const far = along + 3 * aside;
      if (best === null || far < best.far) best = { station, far };
    }
    return best?.station ?? null;
  }
}
