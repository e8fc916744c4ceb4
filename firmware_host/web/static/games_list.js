// The list of the games that were finished at this table.

import { byId, make, srOnly } from "./page/elements.js";
import { fetchJson } from "./page/fetch_json.js";
import { formatDate } from "./wording/formatting.js";
import { gameName } from "./wording/game_names.js";
import { gettext, ngettext } from "./wording/gettext.js";
import { whoPlayed } from "./wording/player_names.js";
import { settingsDialog } from "./settings/settings_dialog.js";
import { pawnDisc } from "./wording/signs.js";
import { statisticsTable } from "./past_games/statistics_table.js";

/** @import { GamesList, GameSummary, Statistics } from "../messages.d.ts" */

const line = byId("answer");
const NONE = gettext(
  "No game has been played to its end at this table yet. Each will stand here, and who won how often.",
);
const list = byId("games");
const statistics = byId("statistics");

/** @param {GameSummary} game */
function entry(game) {
  const title = gameName(game) || gettext("Game {number}", { number: game.number });
  const name = make("h2", {}, make("a", { href: `/games/${game.number}` }, title));
  const when = make("time", { datetime: game.began }, formatDate(game.began));
  const people = ngettext("{count} player", "{count} players", game.players);
  const moves = ngettext("{count} move", "{count} moves", game.moves);
  const facts = [when, `${people} · ${moves}`, ...players(game)];
  const pawns = make("span", { class: "pawns" }, srOnly(`${gettext("Played by")} `), ...game.pawns.map((pawn) => pawnDisc(pawn, true)));
  const result = make("p", { class: "result", "data-winner": game.outcome?.winner }, ...ending(game.ending));
  const why = `${gettext("It cannot be shown step by step.")} ${game.trouble}`;
  const trouble = game.trouble ? [make("p", { class: "trouble" }, why)] : [];
  const attributes = { value: game.number, "data-game": game.number };
  return make("li", attributes, ...(game.trouble ? [] : [picture(game)]), name, result, make("p", { class: "details" }, ...facts, pawns), ...trouble);
}

// Show the picture of Mister X's route. The browser keeps it, so its address differs between journals.
/** @param {GameSummary} game */
function picture({ number, began }) {
  const src = `/games/${number}/route.svg?${encodeURIComponent(began)}`;
  const image = make("img", { class: "route by-night", src, alt: "", loading: "lazy", width: 400, height: 300 });
  image.addEventListener("error", () => image.remove()); // the table is busy: the list does without
  return image;
}

/** @param {GameSummary} game */
function players({ seats, names }) {
  return whoPlayed(seats, names).map((side) => make("span", { class: "played" }, side));
}

/** @param {string[]} ending a headline and a sentence, or nothing */
function ending([headline, why]) {
  return headline ? [make("strong", {}, headline), ` ${why}`] : [gettext("How it ended cannot be read any more.")];
}

async function show() {
  try {
    const [listed, counted] = await Promise.all([fetchJson("/games.json"), fetchJson("/games/statistics.json")]);
    const { games } = /** @type {GamesList} */ (listed);
    const all = /** @type {Statistics} */ (counted);
    statistics.hidden = !all.games;
    statistics.replaceChildren(statisticsTable(all));
    list.hidden = !games.length;
    list.replaceChildren(...games.map(entry));
    line.textContent = games.length ? "" : NONE;
  } catch (error) {
    line.textContent = error instanceof Error ? error.message : String(error);
  }
}

document.addEventListener("visibilitychange", () => {
  if (!document.hidden) void show();
});
settingsDialog(byId("settings"));
await show();
