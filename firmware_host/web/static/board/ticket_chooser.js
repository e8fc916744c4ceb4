// Asks which ticket a pawn uses: at its station one button for each ticket, and a button "Not there".

import { make } from "../page/elements.js";
import { tapKey } from "../page/holdable_keys.js";
import { hasPower } from "../page/listeners.js";
import { gettext, pgettext } from "../wording/gettext.js";
import { ticketName } from "../wording/pawn_and_ticket_names.js";
import { ticketLetter } from "../wording/signs.js";

/** @import { Scene, TableMessage } from "../../messages.d.ts" */
/** @import { Send } from "../page/connection.js" */
/** @import { Board } from "./board.js" */
/** @import { Point } from "./pawns.js" */

/**
 * @typedef {object} TicketQuestion
 * @property {number} station the target of the pawn
 * @property {{ticket: string, left: number | undefined}[]} ways its tickets, and how many of each it has left
 * @property {(ticket: string) => void} choose answers with a ticket
 * @property {?() => void} drop answers that the pawn does not go there; null if the table does not accept this
 */
/** @typedef {{left: number, top: number, right: number, bottom: number}} Box in pixels of the page */
/** @typedef {Box & {weight: number}} Obstacle a box that should stay in sight, and the cost of covering it */

const GAP = 8; // pixels between a station's plate and the buttons
const RING = 1.9; // radius of a lit station with its ring, in radii of the plate; it stays free,
const WIDEST = 58; // up to these pixels: so "Not there", beyond the row of tickets, is in reach as well
const RIM = 6; // pixels between the buttons and the edge of the board
const REACH = 116; // pixels from the station within which each button begins
const STEPS = [0.5, 0.28, 0.72, 0.12, 0.88]; // places of the tip along its side, the best first
const ARROWS = { ArrowRight: 1, ArrowDown: 1, ArrowLeft: -1, ArrowUp: -1 };
const WEIGHT = { target: 4, pawn: 3, key: 40 };
const LIMIT = 1e4; // costs more than covering any obstacle

/** The ticket buttons of a board. */
export class TicketChooser {
  #board;
  #place;
  #tip = make("span", { class: "tip" });
  #element = make("div", { id: "by-ticket", role: "group", hidden: true });
  /** @type {?TicketQuestion} */
  #question = null;
  #drawn = "";

  /** @param {Board} board the board with the stations */
  constructor(board) {
    this.#board = board;
    this.#place = /** @type {HTMLElement} */ (board.view.parentElement);
    board.view.after(this.#element);
    board.onMoved(() => this.#put());
    addEventListener("scroll", () => this.#put(), { passive: true });
    this.#element.addEventListener("keydown", (event) => this.#key(event));
  }

  /**
   * Ask a question, or remove it.
   * @param {?TicketQuestion} question the question; null for none
   */
  ask(question) {
    this.#question = question;
    const drawn = question ? JSON.stringify([question, question.drop !== null]) : "";
    if (drawn === this.#drawn) return;
    const before = this.#drawn && Number(this.#element.dataset.station);
    this.#drawn = drawn;
    if (question) this.#show(question, before === question.station);
    else this.#hide();
  }

  /**
   * Answer that the pawn does not go there.
   * @returns {boolean} whether there was a question that accepts this answer
   */
  drop() {
    const drop = this.#question?.drop ?? null;
    drop?.();
    return drop !== null;
  }

  get #buttons() {
    return [...this.#element.querySelectorAll("button")];
  }

  // Show the question. The first button takes the focus from the map; a repeated question leaves the focus in place.
  /** @type {(question: TicketQuestion, again: boolean) => void} */
  #show({ station, ways, drop }, again) {
    const had = this.#buttons.findIndex((button) => button === document.activeElement);
    const first = had >= 0 || this.#board.view.contains(document.activeElement) ? 0 : -1;
    const focused = again ? had : first;
    const tickets = ways.map(({ ticket, left }) => this.#ticket(ticket, left));
    const others = drop ? [this.#notThere()] : [];
    this.#element.replaceChildren(this.#tip, make("div", { class: "tickets" }, ...tickets), ...others);
    this.#element.setAttribute("aria-label", gettext("By what to {station}?", { station }));
    this.#element.dataset.station = String(station);
    this.#element.hidden = false;
    this.#board.tooltip.close();
    const place = this.#board.layers?.stations.byNumber.get(station);
    if (place && !again) this.#board.zoom.reveal(place.x, place.y);
    this.#put();
    this.#buttons[focused]?.focus({ preventScroll: true });
  }

  #hide() {
    const had = this.#element.contains(document.activeElement);
    this.#element.hidden = true;
    this.#element.replaceChildren();
    if (had) this.#board.layers?.stations.focus(Number(this.#element.dataset.station));
  }

  /** @type {(ticket: string, left: number | undefined) => HTMLButtonElement} */
  #ticket(ticket, left) {
    const count = left === undefined ? [] : [" ", make("small", {}, gettext("{count} left", { count: left }))];
    const name = make("span", { class: "name" }, ticketName(ticket));
    const click = once(() => this.#question?.choose(ticket));
    const face = make("span", { class: "face", "data-ticket": ticket }, name, ...count);
    return make("button", { type: "button", class: "ticket-choice", "data-ticket": ticket, click }, face);
  }

  #notThere() {
    const key = make("kbd", { "aria-hidden": "true" }, pgettext("keyboard", "Esc"));
    const click = once(() => this.drop());
    const look = { type: "button", class: "not-there", "aria-keyshortcuts": "Escape", click };
    return make("button", look, gettext("Not there"), key);
  }

  // Arrow keys move from button to button in a circle. The letter of a ticket chooses it.
  /** @param {KeyboardEvent} event */
  #key(event) {
    if (event.altKey || event.ctrlKey || event.metaKey) return;
    const buttons = this.#buttons;
    const step = ARROWS[/** @type {keyof typeof ARROWS} */ (event.key)];
    const pressed = event.key.toLowerCase();
    const way = this.#question?.ways.find(({ ticket }) => ticketLetter(ticket).toLowerCase() === pressed);
    if (step) {
      const at = buttons.findIndex((button) => button === document.activeElement);
      buttons[(at + step + buttons.length) % buttons.length]?.focus();
    } else if (way && !event.repeat) {
      this.#question?.choose(way.ticket);
    } else {
      return;
    }
    event.preventDefault();
    event.stopPropagation(); // neither the map nor a key of the table must get it
  }

  // ---- places of the buttons ----

  // Put the buttons beside their station, inside the board, where they cover the fewest other targets.
  #put() {
    const { layers, zoom } = this.#board;
    const station = this.#question && layers?.stations.byNumber.get(this.#question.station);
    if (!station || !layers) return;
    const room = this.#room();
    const at = within(zoom.toPage(station), room);
    const radius = layers.outline.radius * zoom.scale;
    const far = Math.max(radius + GAP, Math.min(RING * radius, WIDEST));
    const obstacles = this.#obstacles(station.n);
    const { offsetWidth: wide, offsetHeight: high } = this.#element;
    const cost = (/** @type {Box} */ box) => this.#farthest(box, at) + covered(box, at, radius, obstacles);
    const spots = spotsAround(at, far, wide, high).map((spot) => shifted(spot, room));
    const [best] = spots.map((spot) => ({ spot, cost: cost(spot) })).sort((one, other) => one.cost - other.cost);
    if (!best) return;
    const { left, top } = this.#place.getBoundingClientRect();
    this.#element.style.setProperty("left", `${best.spot.left - left}px`);
    this.#element.style.setProperty("top", `${best.spot.top - top}px`);
    this.#point(best.spot, at);
  }

  // Return the part of the board in the window.
  #room() {
    const { left, top, right, bottom } = this.#place.getBoundingClientRect();
    return {
      left: Math.max(left, 0) + RIM,
      top: Math.max(top, 0) + RIM,
      right: Math.min(right, innerWidth) - RIM,
      bottom: Math.min(bottom, innerHeight) - RIM,
    };
  }

  // Return the boxes that should stay in sight: other reachable stations, all pawns, and elements over the board.
  /** @param {number} asked the station of the question */
  #obstacles(asked) {
    const { layers, zoom, scene, places } = this.#board;
    if (!layers) return [];
    const scale = Math.max(1, zoom.scale);
    const radius = layers.outline.radius * zoom.scale;
    const around = (/** @type {Point} */ { x, y }, /** @type {number} */ up, /** @type {number} */ weight) =>
      ({ left: x - radius, top: y - up, right: x + radius, bottom: y + radius, weight });
    const game = scene?.rules ? scene : null;
    const home = (game?.turn ?? []).map((pawn) => game?.pawns[pawn] ?? asked);
    const targets = new Set([...home, ...(game?.moves ?? []).map(({ to }) => to)]);
    targets.delete(asked);
    const lit = [...targets].flatMap((n) => layers.stations.byNumber.get(n) ?? []);
    const keys = [...document.querySelectorAll("header, #keys, .zoom")].map((one) => one.getBoundingClientRect());
    return [
      ...lit.map((one) => around(zoom.toPage(one), radius, WEIGHT.target)),
      ...[...places.values()].map((one) => around(zoom.toPage(one), radius + 36 * scale, WEIGHT.pawn)),
      ...keys.map(({ left, top, right, bottom }) => ({ left, top, right, bottom, weight: WEIGHT.key })),
    ];
  }

  // Return the distance from the station to the farthest button, in pixels. Too far costs more than covering anything.
  /** @type {(box: Box, at: Point) => number} */
  #farthest({ left, top }, at) {
    const all = this.#buttons.map((button) => {
      const [x, y] = [left + button.offsetLeft, top + button.offsetTop];
      return away(at, { left: x, top: y, right: x + button.offsetWidth, bottom: y + button.offsetHeight });
    });
    const far = Math.max(...all);
    return far > REACH ? LIMIT + far : far;
  }

  // Point the tip from the edge of the buttons to the station.
  /** @type {(box: Box, at: Point) => void} */
  #point({ left, top, right, bottom }, { x, y }) {
    const [dx, dy] = [Math.max(left - x, x - right), Math.max(top - y, y - bottom)];
    const aside = dx > dy;
    this.#element.dataset.tip = aside ? (x < left ? "left" : "right") : y < top ? "top" : "bottom";
    const along = aside ? clamp(y - top, 16, bottom - top - 16) : clamp(x - left, 16, right - left - 16);
    this.#tip.style.setProperty(aside ? "top" : "left", `${along}px`);
    this.#tip.style.removeProperty(aside ? "left" : "top");
  }
}

/**
 * Return the table's ticket question. Its answers press the table's keys.
 * @param {Scene} scene the table's scene
 * @param {TableMessage} table the table's message about itself
 * @param {Send} send sends an order
 * @returns {?TicketQuestion} null while there is none
 */
export function askedByTable(scene, table, send) {
  const [first, other] = scene.asked;
  if (!first || !other || scene.rules === null || !hasPower(table)) return null;
  const { keys } = scene.prompt;
  const hand = scene.tickets[first.pawn] ?? {};
  const ways = scene.asked.filter(({ ticket }) => keys.includes(`table.${ticket}`));
  return {
    station: first.to,
    ways: ways.map(({ ticket }) => ({ ticket, left: hand[ticket] })),
    choose: (ticket) => tapKey(send, `table.${ticket}`),
    drop: keys.includes("table.back") ? () => tapKey(send, "table.back") : null,
  };
}

// Ignore the second click of a double click: it is not a second answer.
/** @type {(does: () => void) => (event: Event) => void} */
function once(does) {
  return (event) => {
    if (!(event instanceof MouseEvent) || event.detail < 2) does();
  };
}

// Return places around a point for a box of this width and height, with its near side at this distance.
/** @type {(at: Point, far: number, wide: number, high: number) => Box[]} */
function spotsAround({ x, y }, far, wide, high) {
  const corners = STEPS.flatMap((part) => [
    [x + far, y - part * high],
    [x - part * wide, y + far],
    [x - far - wide, y - part * high],
    [x - part * wide, y - far - high],
  ]);
  return corners.map(([left = 0, top = 0]) => ({ left, top, right: left + wide, bottom: top + high }));
}

// Move a place into the room.
/** @type {(box: Box, room: Box) => Box} */
function shifted({ left, top, right, bottom }, room) {
  const dx = Math.max(room.left - left, Math.min(0, room.right - right));
  const dy = Math.max(room.top - top, Math.min(0, room.bottom - bottom));
  return { left: left + dx, top: top + dy, right: right + dx, bottom: bottom + dy };
}

// Return the cost of the obstacles that a place covers. The station itself must stay in sight.
/** @type {(box: Box, at: Point, radius: number, obstacles: Obstacle[]) => number} */
function covered(box, at, radius, obstacles) {
  const meets = (/** @type {Box} */ one) =>
    one.left < box.right && one.right > box.left && one.top < box.bottom && one.bottom > box.top;
  const weight = obstacles.filter(meets).reduce((sum, one) => sum + one.weight, 0);
  return (away(at, box) < radius ? LIMIT : 0) + 40 * weight;
}

/** @type {(point: Point, box: Box) => number} */
function away({ x, y }, { left, top, right, bottom }) {
  return Math.hypot(Math.max(left - x, 0, x - right), Math.max(top - y, 0, y - bottom));
}

/** @type {(point: Point, box: Box) => Point} */
function within({ x, y }, { left, top, right, bottom }) {
  return { x: clamp(x, left, right), y: clamp(y, top, bottom) };
}

/** @type {(value: number, least: number, most: number) => number} */
function clamp(value, least, most) {
  return Math.min(most, Math.max(least, value));
}
