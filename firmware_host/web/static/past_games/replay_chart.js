// A small chart of what each player had left during the game: tickets or success chips, one line a player.
// Dashes and a label identify each line.

import { addPanel } from "../page/elements.js";
import { gettext } from "../wording/gettext.js";
import { svg } from "../page/svg.js";
import { joinParts } from "../wording/joining.js";
import { pawnName } from "../wording/pawn_and_ticket_names.js";

/** @import { GameRecord } from "../../messages.d.ts" */

/** @typedef {{of: string, name: string, values: number[]}} Series how much a side or player had after each step */
/** @typedef {(value: number) => number} Axis a step or a value -> where that is in the drawing */

const [WIDE, HIGH, LEFT, RIGHT, TOP, LOW] = /** @type {const} */ ([360, 216, 30, 92, 10, 26]);
const DASHES = ["", "7 3", "2 3", "10 3 2 3", "5 2 5 6", "1 5", "12 4"];
const SCALE = { class: "scale", y: HIGH - 8 };
const LETTER = 7; // units that a letter is wide, at most
const BETWEEN = 16; // units from one label to the next

/**
 * Add the panel with the chart.
 * @param {Element} place the element to put it in
 * @param {GameRecord} game the game
 * @returns {(step: number) => void} shows which step it is now
 */
export function replayChartPanel(place, game) {
  const byChips = Object.keys(game.chips).length > 0;
  const { section, body } = addPanel(place, "chart", byChips ? gettext("Success chips over time") : gettext("Tickets over time"));
  const series = byChips ? chipsOf(game) : ticketsOf(game);
  if (!series.length) return () => {};
  section.hidden = false;
  const spans = series.map(({ name, values }) =>
    gettext("{name}: {first} at the start, {last} at the end", { name, first: values[0] ?? 0, last: values.at(-1) ?? 0 }),
  );
  const { drawing, show } = drawChart(game, series, gettext("What everyone had left"), `${joinParts(spans)}.`);
  body.append(drawing);
  return show;
}

/**
 * Draw a chart over the steps of a game.
 * @param {GameRecord} game the game
 * @param {Series[]} series its lines
 * @param {string} title what it shows
 * @param {string} text the same in words, for those who cannot see it
 * @param {number} most the largest value that fits
 * @returns {{drawing: SVGSVGElement, show: (step: number) => void}} the chart; marks which step it is now
 */
export function drawChart(game, series, title, text, most = Math.max(1, ...series.flatMap(({ values }) => values))) {
  const last = Math.max(1, game.steps.length - 1);
  /** @type {Axis} */
  const x = (step) => LEFT + (step / last) * (WIDE - LEFT - RIGHT);
  /** @type {Axis} */
  const y = (value) => HIGH - LOW - (value / most) * (HIGH - LOW - TOP);
  const now = svg("line", { class: "now", y1: TOP, y2: HIGH - LOW });
  const drawing = svg(
    "svg",
    { class: "chart", viewBox: `0 0 ${WIDE} ${HIGH}`, role: "img", "aria-label": `${title}. ${text}` },
    svg("title", {}, title),
    svg("desc", {}, text),
    ...grid(most, y),
    ...rounds(game, x),
    now,
    ...series.map((one, n) => line(one, n, x, y)),
    ...labels(series, y),
  );
  const show = (/** @type {number} */ step) => {
    now.setAttribute("x1", String(x(step)));
    now.setAttribute("x2", String(x(step)));
  };
  return { drawing, show };
}

/** @type {(game: GameRecord) => Series[]} */
function ticketsOf({ steps, fugitives }) {
  const holders = Object.keys(steps[0]?.tickets ?? {});
  const owners = [...new Set([...fugitives, ...holders])].filter((owner) => holders.includes(owner));
  const total = (/** @type {string} */ owner) =>
    steps.map(({ tickets }) => Object.values(tickets[owner] ?? {}).reduce((all, n) => all + n, 0));
  const series = owners.map((owner) => ({ of: owner, name: pawnName(owner), values: total(owner) }));
  const tokens = steps.flatMap((step) => step.tokens ?? []);
  if (tokens.length) series.push({ of: "tokens", name: gettext("Tokens"), values: tokens });
  return series.filter(({ values }) => values.some(Boolean));
}

/** @type {(game: GameRecord) => Series[]} */
function chipsOf({ steps, chips }) {
  const won = (/** @type {string} */ side) => steps.map((step) => step.chips[side] ?? 0);
  return Object.keys(chips).map((side) => ({ of: side, name: pawnName(side), values: won(side) }));
}

/** @type {(most: number, y: Axis) => (SVGLineElement | SVGTextElement)[]} */
function grid(most, y) {
  const step = [1, 2, 5, 10, 20, 50].find((each) => most / each <= 6) ?? 100;
  const values = Array.from({ length: Math.floor(most / step) + 1 }, (_, n) => n * step);
  return values.flatMap((value) => [
    svg("line", { class: "grid", x1: LEFT, x2: WIDE - RIGHT, y1: y(value), y2: y(value) }),
    svg("text", { class: "scale", x: LEFT - 5, y: y(value) + 4.5, "text-anchor": "end" }, String(value)),
  ]);
}

// Mark where every fifth round begins.
/** @type {(game: GameRecord, x: Axis) => SVGTextElement[]} */
function rounds({ steps }, x) {
  const words = gettext("Round {round}", { round: 1 });
  const first = svg("text", { ...SCALE, x: LEFT }, words);
  let free = LEFT + (words.length + 1) * LETTER; // no number is written into another
  const marks = steps.flatMap(({ round }, n) => {
    const half = (String(round).length * LETTER) / 2;
    if (!n || round === steps[n - 1]?.round || round % 5 || x(n) - half < free) return [];
    free = x(n) + half + LETTER;
    return [svg("text", { ...SCALE, x: x(n), "text-anchor": "middle" }, String(round))];
  });
  return [first, ...marks];
}

/** @type {(series: Series, n: number, x: Axis, y: Axis) => SVGPathElement} */
function line({ of, values }, n, x, y) {
  const points = values.flatMap((value, step) =>
    value !== values[step - 1] || value !== values[step + 1] ? [`${x(step).toFixed(1)} ${y(value).toFixed(1)}`] : [],
  );
  return dashed(of, n, `M${points.join("L")}`);
}

/** @type {(of: string, n: number, d: string) => SVGPathElement} */
function dashed(of, n, d) {
  return svg("path", { class: "series", "data-of": of, d, "stroke-dasharray": DASHES[n % DASHES.length] ?? "" });
}

// Write the names at the ends of the lines, each with a piece of its line. Names that would touch are moved apart.
/** @type {(series: Series[], y: Axis) => (SVGPathElement | SVGTextElement)[]} */
function labels(series, y) {
  const wanted = series.map(({ of, name, values }, n) => ({ of, name, n, at: y(values.at(-1) ?? 0) }));
  wanted.sort((one, other) => one.at - other.at);
  let lowest = -Infinity;
  for (const label of wanted) {
    lowest = Math.max(label.at, lowest + BETWEEN);
    label.at = lowest;
  }
  const over = Math.max(0, lowest - (HIGH - LOW + 4));
  return wanted.flatMap(({ of, name, n, at: wish }, place) => {
    const at = Math.max(TOP + place * BETWEEN, wish - over);
    return [
      dashed(of, n, `M${WIDE - RIGHT + 3} ${at}h12`),
      svg("text", { class: "label", x: WIDE - RIGHT + 18, y: at + 4.5 }, name),
    ];
  });
}
