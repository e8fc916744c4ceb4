// What has come of all games that were played: by people, by computers, and by game.

import { make, srOnly } from "./elements.js";
import { GAMES } from "./game_names.js";

/** @import { GameLength, SideTally, Statistics, Tally } from "../messages.d.ts" */

/**
 * Make the table.
 * @param {Statistics} statistics what has been counted
 * @returns {HTMLTableElement} a table
 */
export function statisticsTable({ people, computers, boxes }) {
  const heads = ["Games", "Won as Mister X", "Won as detectives", "Moves"];
  const head = make("tr", {}, make("td", {}), ...heads.map((words) => make("th", { scope: "col" }, words)));
  const groups = [
    group("People", people, "Whoever writes a name at a new game stands here."),
    group("The computer", computers),
    group("Games", boxes.map((box) => ({ ...box, label: GAMES[box.rules]?.[0] ?? box.label }))),
  ];
  return make("table", {}, make("thead", {}, head), ...groups.flat());
}

/** @type {(title: string, tallies: Tally[], none?: string) => HTMLElement[]} */
function group(title, tallies, none = "") {
  if (!tallies.length && !none) return [];
  const head = make("tr", { class: "group" }, make("th", { scope: "rowgroup", colspan: 5 }, title));
  const rows = tallies.length ? tallies.map(row) : [make("tr", {}, make("td", { class: "none", colspan: 5 }, none))];
  return [make("tbody", {}, head, ...rows)];
}

/** @param {Tally} tally */
function row({ label, games, mr_x: his, detectives, shortest, longest }) {
  return make(
    "tr",
    {},
    make("th", { scope: "row" }, make("bdi", {}, label)),
    make("td", {}, String(games)),
    make("td", {}, ...won(his)),
    make("td", {}, ...won(detectives)),
    make("td", {}, ...lengths(shortest, longest)),
  );
}

/** @param {SideTally} side */
function won({ played, won: times }) {
  if (!played) return [make("span", { class: "never", "aria-hidden": "true" }, "–"), srOnly("never played")];
  return [make("strong", {}, String(times)), make("span", { class: "of" }, ` of ${played}`)];
}

/** @type {(shortest: GameLength, longest: GameLength) => (Node | string)[]} */
function lengths(shortest, longest) {
  const game = (/** @type {GameLength} */ { moves, number }, /** @type {string} */ which) =>
    make("a", { href: `/games/${number}`, title: `The ${which} game` }, srOnly(`${which} `), String(moves));
  return shortest.moves === longest.moves
    ? [game(shortest, "shortest")]
    : [game(shortest, "shortest"), "–", game(longest, "longest")];
}
