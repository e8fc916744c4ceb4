// The head of the page: the progress of the game, and what to do next.

import { make, renewChildren, srOnly } from "../page/elements.js";
import { gettext } from "../wording/gettext.js";
import { diceSentence } from "../wording/dice_words.js";
import { explainIllegalMove } from "../wording/illegal_move.js";
import { hasPower, onSceneOrTable } from "../page/listeners.js";
import { splitAtKeys } from "../wording/key_names.js";

/** @import { GameScene, Scene } from "../../messages.d.ts" */
/** @import { Listeners } from "../page/listeners.js" */

/** @type {Record<string, string>} */
const PHASES = {
  no_game: gettext("No game"),
  set_up: gettext("Setting up"),
  resume: gettext("Going on"),
  over: gettext("The end"),
};
const OFF = gettext("The power is off");
/** The main sentence, the mark that ends it, and the rest of the text. */
const PARTS = /^(.*?)(\. |(?<=\?) )(.*)$/su;
const LAST_SENTENCE = /\. [^.]*$/u;

/**
 * Fill the head of the page.
 * @param {Element} turn the element for the progress of the game
 * @param {Element} prompt the element for what to do next
 * @param {Element} reason the element for why a move is not legal
 * @returns {Listeners} its listeners
 */
export function turnAndPrompt(turn, prompt, reason) {
  let said = "";

  /** @type {(text: string, keys: string[]) => void} */
  function say(text, keys) {
    const newest = JSON.stringify([splitAtKeys(text), keys]);
    if (newest === said) return; // a screen reader need not say it again
    said = newest;
    const written = (/** @type {string} */ part) =>
      splitAtKeys(part).map(({ words, key }) => (key === null ? words : keyword(words, key, keys)));
    const [, hero = text, mark = "", rest = ""] = text.match(PARTS) ?? [];
    prompt.replaceChildren(make("span", { class: "hero" }, ...written(hero)));
    if (rest) prompt.append(srOnly(mark), make("span", { class: "rest" }, ...written(rest)));
  }

  return onSceneOrTable((scene, table) => {
    const power = hasPower(table);
    document.body.dataset.phase = scene.phase;
    document.body.dataset.mood = power ? mood(scene) : "paused";
    prompt.setAttribute("data-of", power ? soleTurn(scene) : "");
    renewChildren(turn, ...(power ? progress(scene) : []));
    const why = power ? explainIllegalMove(scene) : "";
    renewChildren(reason, ...(why ? [why] : []));
    const { text, keys } = power ? scene.prompt : { text: OFF, keys: [] };
    say((power && diceSentence(scene)) || inShort(scene, text), document.body.dataset["page"] === "spectator" ? [] : keys);
  });
}

// Return the sentence without its last words, "No: BACK", if a page asks for the ticket at the station: there it has a
// button to drop the question, and a key.
/** @type {(scene: Scene, text: string) => string} */
function inShort({ asked }, text) {
  return asked.length > 1 && document.body.dataset["hands"] === "helped" ? text.replace(LAST_SENTENCE, ".") : text;
}

/**
 * Return the one pawn that has to move, or that a computer moves. The sentence has its colour.
 * @param {Scene} scene the table's scene
 * @returns {string} the pawn; "" if there is none, or several
 */
export function soleTurn(scene) {
  const moved = scene.phase === "carry_out" ? Object.keys(scene.mismatch.missing) : [];
  const [pawn = "", ...others] = scene.rules !== null && scene.phase === "play" ? scene.turn : moved;
  return others.length ? "" : pawn;
}

// Write the name of a key within a sentence, in the key's colours, as a button if it can be pressed.
/** @type {(name: string, key: string, keys: string[]) => HTMLElement} */
function keyword(name, key, keys) {
  const look = { class: "keyword", "data-ticket": key };
  if (!keys.includes(`table.${key}`)) return make("b", look, name);
  return make("button", { type: "button", ...look, "data-key": `table.${key}` }, name);
}

// Return how urgent the prompt is: a pawn is misplaced, the table asks, or all is calm.
/** @param {Scene} scene */
function mood({ mismatch, wrong, phase, asked, rules, paused }) {
  const differs = Object.keys(mismatch.missing).length + mismatch.extra.length > 0;
  if (paused) return "paused";
  if (rules && differs && wrong > 0 && phase !== "set_up") return "wrong";
  return asked.length ? "asks" : "calm";
}

// Return the progress of the game, and when Mister X surfaces: "Round 3 · move 4 of 24", "Round 3 of 22 · move 4",
// "shows himself in 2".
/** @param {Scene} scene */
function progress(scene) {
  const said = [PHASES[scene.phase]];
  if (scene.rules !== null && scene.phase !== "set_up") said.push(counted(scene), nextSighting(scene));
  return said.flatMap((words) => (words ? [make("span", {}, words)] : []));
}

/** @param {GameScene} scene */
function counted({ round, rounds, windows, log }) {
  if (!round) return gettext("Choosing starts");
  if (rounds) return gettext("Round {round} of {rounds} · move {move}", { round, rounds, move: log.length });
  if (!windows) return gettext("Round {round}", { round });
  return gettext("Round {round} · move {move} of {windows}", { round, move: log.length, windows });
}

/** @param {GameScene} scene */
function nextSighting({ phase, log, surfacing, last_window: last, in_sight: inSight }) {
  const next = Math.min(...surfacing.filter((window) => window > log.length && window <= last));
  if (inSight || phase === "over" || next === Infinity) return "";
  return gettext("shows himself in {moves}", { moves: next - log.length });
}
