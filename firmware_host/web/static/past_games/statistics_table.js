// The statistics of all finished games: by people, by computers, and by game.

import { make, srOnly } from "../page/elements.js";
import { GAMES } from "../wording/game_names.js";
import { gettext } from "../wording/gettext.js";
import { levelName } from "../wording/player_names.js";

/** @import { GameLength, SideTally, Statistics, Tally } from "../../messages.d.ts" */

/**
 * Create the table.
 * @param {Statistics} statistics the counts
 * @returns {HTMLTableElement} a table
 */
export function statisticsTable({ people, computers, boxes }) {
  const heads = [gettext("Games"), gettext("Won as Mister X"), gettext("Won as detectives"), gettext("Moves")];
  const head = make("tr", {}, make("td", {}), ...heads.map((words) => make("th", { scope: "col" }, words)));
  const groups = [
    group(gettext("People"), people, gettext("Players who enter a name at a new game are listed here.")),
    group(gettext("The computer"), computers.map((one) => ({ ...one, label: levelName(one.label) }))),
    group(gettext("Games"), boxes.map((box) => ({ ...box, label: GAMES[box.rules]?.[0] ?? box.label }))),
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
  if (!played) return [make("span", { class: "never", "aria-hidden": "true" }, "–"), srOnly(gettext("never played"))];
  return [make("strong", {}, String(times)), make("span", { class: "of" }, " ", gettext("of {played}", { played }))];
}

/** @type {(shortest: GameLength, longest: GameLength) => (Node | string)[]} */
function lengths(shortest, longest) {
  const first = length(shortest, gettext("shortest"), gettext("The shortest game"));
  return shortest.moves === longest.moves
    ? [first]
    : [first, "–", length(longest, gettext("longest"), gettext("The longest game"))];
}

/** @type {(game: GameLength, which: string, title: string) => Node} */
function length({ moves, number }, which, title) {
  return make("a", { href: `/games/${number}`, title }, srOnly(`${which} `), String(moves));
}
