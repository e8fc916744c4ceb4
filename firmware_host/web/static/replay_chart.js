// What everyone had left as the game went on, as a small drawing: a line for each, told apart by dashes and a label.

import { addPanel } from "./elements.js";
import { pawnName } from "./wording.js";
import { svg } from "./svg.js";

const [WIDE, HIGH, LEFT, RIGHT, TOP, LOW] = [360, 190, 26, 74, 10, 22];
const DASHES = ["", "7 3", "2 3", "10 3 2 3", "5 2 5 6", "1 5", "12 4"];
const SCALE = { class: "scale", y: HIGH - 7 };
const BETWEEN = 13; // units from one label to the next

/**
 * @param {Element} place where it is put
 * @param {Object} game a game as /games/{n}.json gives it
 * @returns {function(number): void} shows which step it is now
 */
export function replayChartPanel(place, game) {
  const byChips = Object.keys(game.chips).length > 0;
  const { section, body } = addPanel(place, "chart", byChips ? "Success chips over time" : "Tickets over time");
  const series = byChips ? chipsOf(game) : ticketsOf(game);
  if (!series.length) return () => {};
  section.hidden = false;
  const most = Math.max(1, ...series.flatMap(({ values }) => values));
  const last = Math.max(1, game.steps.length - 1);
  const x = (step) => LEFT + (step / last) * (WIDE - LEFT - RIGHT);
  const y = (value) => HIGH - LOW - (value / most) * (HIGH - LOW - TOP);
  const now = svg("line", { class: "now", y1: TOP, y2: HIGH - LOW });
  const told = series.map(({ name, values }) => `${name}: ${values[0]} at the start, ${values.at(-1)} at the end`);
  const drawing = svg(
    "svg",
    { viewBox: `0 0 ${WIDE} ${HIGH}`, role: "img", "aria-label": `${told.join("; ")}.` },
    ...grid(most, y),
    ...rounds(game, x),
    now,
    ...series.map((one, n) => line(one, n, x, y)),
    ...labels(series, y),
  );
  body.append(drawing);
  return (number) => {
    now.setAttribute("x1", x(number));
    now.setAttribute("x2", x(number));
  };
}

function ticketsOf({ steps, fugitives }) {
  const holders = Object.keys(steps[0].tickets);
  const owners = [...new Set([...fugitives, ...holders])].filter((owner) => holders.includes(owner));
  const total = (owner) => steps.map((step) => Object.values(step.tickets[owner]).reduce((all, n) => all + n, 0));
  const series = owners.map((owner) => ({ of: owner, name: pawnName(owner), values: total(owner) }));
  const tokens = steps.map((step) => step.tokens);
  if (tokens[0] !== null) series.push({ of: "tokens", name: "Tokens", values: tokens });
  return series.filter(({ values }) => values.some(Boolean));
}

function chipsOf({ steps, chips }) {
  const names = { mr_x: "Mister X", detectives: "Detectives" };
  const won = (side) => steps.map((step) => step.chips[side]);
  return Object.keys(chips).map((side) => ({ of: side, name: names[side], values: won(side) }));
}

function grid(most, y) {
  const step = [1, 2, 5, 10, 20, 50].find((each) => most / each <= 5) ?? 100;
  const values = Array.from({ length: Math.floor(most / step) + 1 }, (_, n) => n * step);
  return values.flatMap((value) => [
    svg("line", { class: "grid", x1: LEFT, x2: WIDE - RIGHT, y1: y(value), y2: y(value) }),
    svg("text", { class: "scale", x: LEFT - 5, y: y(value) + 3.5, "text-anchor": "end" }, String(value)),
  ]);
}

/** Where every fifth round begins. */
function rounds({ steps }, x) {
  const begins = steps.map(({ round }, n) => (n && round !== steps[n - 1].round ? [n, round] : null)).filter(Boolean);
  const marks = begins.filter(([, round]) => round % 5 === 0);
  const first = svg("text", { ...SCALE, x: LEFT }, "Round 1");
  const mark = ([n, round]) => svg("text", { ...SCALE, x: x(n), "text-anchor": "middle" }, String(round));
  return [first, ...marks.map(mark)];
}

function line({ of, values }, n, x, y) {
  const turns = [...values.keys()].filter((step) => values[step] !== values[step - 1] || step === values.length - 1);
  const points = turns.map((step) => `${x(step).toFixed(1)} ${y(values[step]).toFixed(1)}`);
  return drawn(of, n, `M${points.join("L")}`);
}

function drawn(of, n, d) {
  return svg("path", { class: "series", "data-of": of, d, "stroke-dasharray": DASHES[n % DASHES.length] });
}

/** The names at the ends of the lines, each with a piece of its line; pushed apart where they would touch. */
function labels(series, y) {
  const wanted = series.map(({ of, name, values }, n) => ({ of, name, n, at: y(values.at(-1)) }));
  wanted.sort((one, other) => one.at - other.at);
  wanted.forEach((label, n) => n && (label.at = Math.max(label.at, wanted[n - 1].at + BETWEEN)));
  const over = Math.max(0, wanted.at(-1).at - (HIGH - LOW + 4));
  const placed = wanted.map((label, n) => ({ ...label, at: Math.max(TOP + n * BETWEEN, label.at - over) }));
  return placed.flatMap(({ of, name, n, at }) => [
    drawn(of, n, `M${WIDE - RIGHT + 3} ${at}h12`),
    svg("text", { class: "label", x: WIDE - RIGHT + 18, y: at + 3.5 }, name),
  ]);
}
