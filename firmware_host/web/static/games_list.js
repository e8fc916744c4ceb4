// The games that were played to their end at this table.

import { byId, make, srOnly } from "./elements.js";
import { fetchJson } from "./fetch_json.js";
import { formatDate, plural } from "./formatting.js";
import { pawnDisc } from "./signs.js";

/** @import { GamesList, GameSummary } from "../messages.d.ts" */

const line = byId("answer");
const list = byId("games");

/** @param {GameSummary} game */
function entry(game) {
  const name = make("h2", {}, make("a", { href: `/games/${game.number}` }, game.title || `Game ${game.number}`));
  const when = make("time", { datetime: game.began }, formatDate(game.began));
  const facts = [when, `${plural(game.players, "player")} · ${plural(game.moves, "move")}`, ...computers(game.seats)];
  const pawns = make("span", { class: "pawns" }, srOnly("Played by "), ...game.pawns.map((pawn) => pawnDisc(pawn, true)));
  const result = make("p", { class: "result", "data-winner": game.outcome?.winner }, ...ending(game.ending));
  const why = `It cannot be shown step by step. ${game.trouble}`;
  const trouble = game.trouble ? [make("p", { class: "trouble" }, why)] : [];
  const attributes = { value: game.number, "data-game": game.number };
  return make("li", attributes, name, result, make("p", { class: "details" }, ...facts, pawns), ...trouble);
}

/** @param {Record<string, string>} seats who played where */
function computers(seats) {
  const played = Object.entries(seats).filter(([, who]) => who !== "person");
  const words = played.map(([seat, who]) => `${seat === "mr_x" ? "Mister X" : `player ${seat}`}: ${who}`);
  return words.length ? [` · computers: ${words.join(", ")}`] : [];
}

/** @param {string[]} ending a headline and a sentence, or nothing */
function ending([headline, why]) {
  return headline ? [make("strong", {}, headline), ` ${why}`] : ["How it ended cannot be read any more."];
}

async function show() {
  try {
    const { games } = /** @type {GamesList} */ (await fetchJson("/games.json"));
    list.hidden = !games.length;
    list.replaceChildren(...games.map(entry));
    line.textContent = games.length ? "" : "No game has been played to its end at this table yet.";
  } catch (error) {
    line.textContent = error instanceof Error ? error.message : String(error);
  }
}

document.addEventListener("visibilitychange", () => {
  if (!document.hidden) void show();
});
await show();
