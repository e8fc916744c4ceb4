// The games that were played to their end at this table.

import { fetchJson, formatDate, plural } from "./formatting.js";
import { make, srOnly } from "./elements.js";
import { pawnDisc } from "./wording.js";

const line = document.getElementById("answer");
const list = document.getElementById("games");

function entry(game) {
  const name = make("h2", {}, make("a", { href: `/games/${game.number}` }, game.title || `Game ${game.number}`));
  const when = make("time", { datetime: game.began }, formatDate(game.began));
  const facts = [when, `${plural(game.players, "player")} · ${plural(game.moves, "move")}`];
  const pawns = make("span", { class: "pawns" }, srOnly("Played by "), ...game.pawns.map((pawn) => pawnDisc(pawn, true)));
  const result = make("p", { class: "result", "data-winner": game.outcome?.winner }, ...ending(game.ending));
  const why = `It cannot be shown step by step. ${game.trouble}`;
  const trouble = game.trouble ? [make("p", { class: "trouble" }, why)] : [];
  const attributes = { value: game.number, "data-game": game.number };
  return make("li", attributes, name, result, make("p", { class: "details" }, ...facts, pawns), ...trouble);
}

function ending([headline, why]) {
  return headline ? [make("strong", {}, headline), ` ${why}`] : ["How it ended cannot be read any more."];
}

async function show() {
  try {
    const { games } = await fetchJson("/games.json");
    list.hidden = !games.length;
    list.replaceChildren(...games.map(entry));
    line.textContent = games.length ? "" : "No game has been played to its end at this table yet.";
  } catch (error) {
    line.textContent = error.message;
  }
}

document.addEventListener("visibilitychange", () => document.hidden || show());
await show();
