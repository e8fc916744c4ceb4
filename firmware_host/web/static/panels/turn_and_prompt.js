// Whose turn it is, and what to do next: the head of the page.

import { make, renewChildren } from "../page/elements.js";
import { gettext, pgettext } from "../wording/gettext.js";
import { explainIllegalMove } from "../wording/illegal_move.js";
import { hasPower, onSceneOrTable } from "../page/listeners.js";
import { joinWords } from "../wording/joining.js";
import { splitAtKeys } from "../wording/key_names.js";
import { pawnName } from "../wording/pawn_and_ticket_names.js";
import { nameOf } from "../wording/player_names.js";
import { pawnDisc } from "../wording/signs.js";

/** @import { Scene } from "../../messages.d.ts" */
/** @import { Listeners } from "../page/listeners.js" */

/** @type {Record<string, string>} */
const PHASES = {
  no_game: gettext("No game"),
  set_up: gettext("Setting up"),
  resume: gettext("Going on"),
  carry_out: pgettext("on turn", "The computer"),
  over: gettext("The end"),
};
const OFF = gettext("The power is off");

/**
 * Fill the head of the page.
 * @param {Element} turn whose turn it is
 * @param {Element} prompt what to do next
 * @param {Element} reason why a move is none
 * @returns {Listeners} what it listens to
 */
export function turnAndPrompt(turn, prompt, reason) {
  let said = "";

  /** @type {(text: string, keys: string[]) => void} */
  function say(text, keys) {
    const parts = splitAtKeys(text);
    const newest = JSON.stringify([parts, keys]);
    if (newest === said) return; // a screen reader need not say it again
    said = newest;
    prompt.replaceChildren(...parts.map(({ words, key }) => (key === null ? words : keyword(words, key, keys))));
  }

  return onSceneOrTable((scene, table) => {
    const power = hasPower(table);
    document.body.dataset.phase = scene.phase;
    document.body.dataset.mood = power ? mood(scene) : "paused";
    prompt.setAttribute("data-of", power ? soleTurn(scene) : "");
    renewChildren(turn, ...(power ? whose(scene) : []));
    const why = power ? explainIllegalMove(scene) : "";
    renewChildren(reason, ...(why ? [why] : []));
    const { text, keys } = power ? scene.prompt : { text: OFF, keys: [] };
    say(text, document.body.dataset["page"] === "spectator" ? [] : keys);
  });
}

// Return the one pawn that is to move; "" if it is none, or one of several.
/** @param {Scene} scene */
function soleTurn(scene) {
  const [pawn = "", ...others] = scene.rules !== null && scene.phase === "play" ? scene.turn : [];
  return others.length ? "" : pawn;
}

// Write the name of a key within a sentence, in the colours of the key: as a button where it can be pressed.
/** @type {(name: string, key: string, keys: string[]) => HTMLElement} */
function keyword(name, key, keys) {
  const look = { class: "keyword", "data-ticket": key };
  if (!keys.includes(`table.${key}`)) return make("b", look, name);
  return make("button", { type: "button", ...look, "data-key": `table.${key}` }, name);
}

// Return how urgent it is: something stands wrong, the table asks, or all is calm.
/** @param {Scene} scene */
function mood({ mismatch, wrong, phase, asked, rules, paused }) {
  const differs = Object.keys(mismatch.missing).length + mismatch.extra.length > 0;
  if (paused) return "paused";
  if (rules && differs && wrong > 0 && phase !== "set_up") return "wrong";
  return asked.length ? "asks" : "calm";
}

/** @param {Scene} scene */
function whose(scene) {
  const turn = scene.rules === null || scene.phase !== "play" ? [] : scene.turn;
  const who = turn.length
    ? [...turn.map((pawn) => pawnDisc(pawn)), names(turn)]
    : [make("strong", {}, PHASES[scene.phase] ?? "")];
  const [pawn, ...others] = turn;
  const name = pawn && !others.length && scene.rules !== null ? nameOf(scene, pawn) : "";
  if (name) who.push(make("bdi", { class: "person" }, name));
  const count = counted(scene);
  return count ? [...who, make("span", { class: "count" }, count)] : who;
}

// Name the pawns on turn; several are known by their discs, and stand in the sentence beside them.
/** @param {string[]} turn */
function names(turn) {
  return make("strong", turn.length > 1 ? { class: "unseen" } : {}, joinWords(turn.map(pawnName), "or"));
}

// Tell how far the game is: "Round 3 · move 2 of 24".
/** @param {Scene} scene */
function counted(scene) {
  if (scene.rules === null || scene.phase === "set_up") return "";
  const { round, windows, log } = scene;
  if (!round) return gettext("Choosing starts");
  if (!windows) return gettext("Round {round}", { round });
  return gettext("Round {round} · move {move} of {windows}", { round, move: log.length, windows });
}
