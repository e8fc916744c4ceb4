// What everyone can look up: the meaning of the lamps, and the legend of the board with its lines, the rings of its
// stations and the signs of the log, each drawn as on the board.

import { dialog, openBy } from "./dialogs.js";
import { gettext } from "../wording/gettext.js";
import { drawnKeyName } from "../wording/key_names.js";
import { svg } from "../page/svg.js";
import { make } from "../page/elements.js";
import { ticketSign } from "../wording/signs.js";

/** @type {[string, string][]} */
const LAMPS = [
  [gettext("breathes in a pawn's colour"), gettext("this pawn is to move")],
  [gettext("steady yellow, green, red"), gettext("a pawn may go here by taxi, bus, underground")],
  [gettext("changes colour slowly"), gettext("several tickets lead here")],
  [gettext("changes colour quickly"), gettext("the table asks: press a key")],
  [gettext("flashes twice in white, then stays white"), gettext("Mister X is in sight here")],
  [gettext("blinks in a pawn's colour"), gettext("this pawn is missing here: put it here")],
  [gettext("blinks in white"), gettext("something stands here that should not: clear it")],
  [gettext("a pink blip now and then"), gettext("the switch here is out of order; {confirm} makes moves to it", { confirm: drawnKeyName("confirm") })],
];
/** @type {[string, string][]} */
const LINES = [
  ["taxi", gettext("taxi: a thin line")],
  ["bus", gettext("bus: a double line")],
  ["underground", gettext("underground: dashes")],
  ["boat", gettext("boat: dots; a black ticket pays for it")],
];
/** @type {[HTMLElement, string][]} */
const SIGNS = [
  [ticketSign("black"), gettext("a black ticket: nobody learns what he took")],
  [ticketSign("double"), gettext("a double move: two moves in a round")],
  [ticketSign("helicopter"), gettext("the helicopter of the dice game")],
  [make("span", { class: "mark" }, "◉"), gettext("he shows himself with this move")],
];

/**
 * Add the dialog with everything that users can look up.
 * @param {HTMLElement} button opens it
 * @param {Node[]} [before] the page's own content above the legend
 * @param {Node[]} [after] and its content below the legend
 * @returns {HTMLElement} the place in it for technical content
 */
export function addLegend(button, before = [], after = []) {
  const lamps = make("dl", {}, ...LAMPS.flatMap(([looks, means]) => [make("dt", {}, looks), make("dd", {}, means)]));
  const technical = make("div", { class: "technical" });
  const head = (/** @type {string} */ text) => make("h3", {}, text);
  const legend = [head(gettext("What a lamp says")), lamps, head(gettext("What is drawn")), boardLegend()];
  openBy(button, dialog("help", gettext("How it goes"), ...before, ...legend, ...after, technical));
  return technical;
}

// Draw the legend.
function boardLegend() {
  const lines = LINES.map(([kind, means]) => row(line(kind), means));
  const rings = [
    row(station("taxi"), gettext("only taxis stop here")),
    row(station("taxi", "bus", "underground"), gettext("the ring has a colour for each line that stops here")),
    row(disc(), gettext("in the drawn city: above taxis, below buses, a red bar for the underground")),
  ];
  const signs = SIGNS.map(([sign, means]) => row(sign, means));
  const rule = make("p", {}, gettext("A line stops only where the ring has its colour; elsewhere it passes through."));
  return make("div", { class: "legend-of-board" }, make("ul", {}, ...lines, ...rings, ...signs), rule);
}

/** @type {(sign: Node, means: string) => HTMLLIElement} */
function row(sign, means) {
  return make("li", {}, make("span", { class: "sign" }, sign), make("span", {}, means));
}

/** @param {string} kind */
function line(kind) {
  const stroke = (/** @type {string} */ name) => svg("path", { class: name, d: "M4 12h48" });
  const strokes = kind === "bus" ? [stroke("bus"), stroke("between")] : [stroke(kind)];
  return svg("svg", { class: "line", viewBox: "0 0 56 24", "aria-hidden": "true" }, ...strokes);
}

// Draw a station's plate with an arc of its ring for each line that stops there.
/** @param {...string} stops */
function station(...stops) {
  const share = 100 / stops.length;
  const gap = stops.length > 1 ? 4 : 0;
  const arcs = stops.map((kind, n) =>
    svg("circle", {
      class: kind,
      cx: 28,
      cy: 12,
      r: 9,
      pathLength: 100,
      "stroke-dasharray": `${share - gap} ${100 - share + gap}`,
      "stroke-dashoffset": -(n * share + gap / 2),
      transform: "rotate(-90 28 12)",
    }),
  );
  return svg("svg", { class: "ring", viewBox: "0 0 56 24", "aria-hidden": "true" }, ...arcs, svg("text", { x: 28, y: 15.2 }, "46"));
}

// Draw a station of the drawn city, at which all lines stop.
function disc() {
  return svg(
    "svg",
    { class: "disc-of-city", "data-look": "day", viewBox: "0 0 56 24", "aria-hidden": "true" },
    svg("path", { class: "taxi", d: "M17 12a11 11 0 0 1 22 0Z" }),
    svg("path", { class: "bus", d: "M17 12a11 11 0 0 0 22 0Z" }),
    svg("path", { class: "underground", d: "M13 6h30v12H13Z" }),
    svg("path", { class: "plate", d: "M17 8h22v8H17Z" }),
    svg("text", { x: 28, y: 15.2 }, "46"),
  );
}
