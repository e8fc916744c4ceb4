// The rules of each game, with signs for the things they mention. The texts are data: one file for each game in
// static/rules/. The build writes it in every language.

import { GAMES } from "../wording/game_names.js";
import { make } from "../page/elements.js";
import { fetchJson } from "../page/fetch_json.js";
import { gettext, LANGUAGE } from "../wording/gettext.js";
import { pawnPicture } from "../board/pawns.js";
import { dieSign, ticketSign } from "../wording/signs.js";
import { dialog, openBy } from "./dialogs.js";

/** @import { Listeners } from "../page/listeners.js" */

/**
 * A game's file. A sign is a word for its kind and perhaps what it shows: "pawn red", "ticket taxi", "die bus", "mark".
 * @typedef {{goal: string, sections: {title: string, points: {signs: string[], text: string}[]}[]}} GameRules
 */

const ELSEWHERE = gettext("The rules of this game are not shown here.");

/**
 * Add the rules.
 * @param {HTMLElement} button opens the rules of the game in play
 * @returns {{open: (rules: string) => void, listeners: Listeners}} `open` shows the rules of a game, such as "classic";
 *   its listeners
 */
export function gameRules(button) {
  const names = Object.entries(GAMES).map(([rules, [name]]) => make("option", { value: rules }, name));
  const chosen = make("select", { id: "rules-of", "aria-label": gettext("Rules of which game") }, ...names);
  const body = make("div", { class: "rules", "aria-live": "polite" });
  const shown = dialog("rules", gettext("Rules"), chosen, body);
  let played = "classic"; // which game is, or was last

  /** @param {string} rules */
  async function show(rules) {
    chosen.value = rules;
    body.replaceChildren();
    const elements = rules in GAMES ? await read(rules) : [make("p", {}, ELSEWHERE)];
    if (chosen.value === rules || !(rules in GAMES)) body.replaceChildren(...elements); // no newer choice
  }

  chosen.addEventListener("change", () => void show(chosen.value));
  openBy(button, shown, () => void show(played));
  /** @param {string} rules */
  const open = (rules) => {
    void show(rules);
    shown.showModal();
  };
  return { open, listeners: { scene: ({ rules }) => void (played = rules ?? played) } };
}

// Return the rules of a game, or the reason why they are not available.
/** @type {(rules: string) => Promise<Node[]>} */
async function read(rules) {
  try {
    const { goal, sections } = /** @type {GameRules} */ (await fetchJson(`/static/languages/${LANGUAGE}/rules_${rules}.json`));
    return [make("p", { class: "goal" }, goal), ...sections.flatMap(section)];
  } catch (error) {
    return [make("p", { class: "warning" }, error instanceof Error ? error.message : String(error))];
  }
}

/** @type {(section: GameRules["sections"][number]) => Node[]} */
function section({ title, points }) {
  const rows = points.map(({ signs, text }) =>
    make("li", {}, make("span", { class: "signs", "aria-hidden": "true" }, ...signs.map(sign)), make("span", {}, text)),
  );
  return [make("h3", {}, title), make("ul", {}, ...rows)];
}

/** @param {string} name */
function sign(name) {
  const [kind = "", what = ""] = name.split(" ");
  if (kind === "pawn") return pawnPicture(what);
  if (kind === "die") return dieSign(what);
  return kind === "ticket" ? ticketSign(what) : make("span", { class: "mark" }, "◉");
}
