// Keys that lead from one station to another: arrows to the nearest station in a direction, digits to the station with
// that number, N and P to the next and previous lit station.

/** @import { StationOutline } from "../../messages.d.ts" */

const TYPING = 1500; // milliseconds in which the next digit belongs to the same number
/** Keys that are pressed together with others: a French keyboard needs Shift for each digit. */
const MODIFIERS = new Set(["Shift", "CapsLock", "NumLock", "AltGraph", "Alt", "Control", "Meta"]);
/** @type {Record<string, [number, number]>} */
const ARROWS = { ArrowRight: [1, 0], ArrowLeft: [-1, 0], ArrowDown: [0, 1], ArrowUp: [0, -1] };

/**
 * Return whether a key is a digit.
 * @param {KeyboardEvent} event the key's
 * @returns {boolean} true if it is a digit
 */
export function isDigit({ key }) {
  return /^\d$/.test(key);
}

/** The keys of a board. */
export class StationKeys {
  #stations;
  #typed = { number: "", at: 0 };

  /** @param {StationOutline[]} stations those of the board */
  constructor(stations) {
    this.#stations = stations;
  }

  /**
   * Take a key press. A key that is not a digit ends the typed number.
   * @param {KeyboardEvent} event the key's
   */
  observe(event) {
    if (!isDigit(event) && !MODIFIERS.has(event.key)) this.#typed = { number: "", at: 0 };
  }

  /**
   * Return the station to which a key leads.
   * @param {StationOutline} here the station that has the focus
   * @param {KeyboardEvent} event the key's
   * @param {number[]} lit the stations that are lit or wait for something, in order
   * @returns {number | null} its number; null if the key leads nowhere, or there is no such station
   */
  next(here, event, lit) {
    const arrow = ARROWS[event.key];
    if (arrow) return this.#toward(here, arrow);
    if (isDigit(event)) return this.#type(event);
    if (event.key === "n") return lit.find((n) => n > here.n) ?? lit[0] ?? here.n; // round and round
    return event.key === "p" ? (lit.findLast((n) => n < here.n) ?? lit.at(-1) ?? here.n) : null;
  }

  // Handle a digit: return the station whose number is all digits typed so far, or this digit alone.
  /** @type {(event: KeyboardEvent) => number | null} */
  #type({ key, timeStamp }) {
    const before = timeStamp - this.#typed.at < TYPING ? this.#typed.number : "";
    const all = new Set(this.#stations.map(({ n }) => String(n)));
    const number = [before + key, key].find((one) => all.has(one));
    if (number === undefined) return null;
    this.#typed = { number, at: timeStamp };
    return Number(number);
  }

  // Return the nearest station in a direction, or this one. Stations off to the side count as farther away.
  /** @type {(here: StationOutline, direction: [number, number]) => number} */
  #toward(here, [right, down]) {
    const ahead = this.#stations.flatMap((station) => {
      const [dx, dy] = [station.x - here.x, station.y - here.y];
      const along = dx * right + dy * down;
      const aside = Math.abs(dx * down) + Math.abs(dy * right);
      return along <= 0 || aside > 1.7 * along ? [] : [{ station, far: along + 3 * aside }];
    });
    ahead.sort((one, other) => one.far - other.far);
    return (ahead[0]?.station ?? here).n;
  }
}
