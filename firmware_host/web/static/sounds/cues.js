// The sounds for the latest events, from the table's public messages.

import { surfaced } from "../moments/scene_changes.js";
import { FUGITIVES } from "../wording/pawn_and_ticket_names.js";

/** @import { GameScene } from "../../messages.d.ts" */
/** @import { Sound } from "./synthesizer.js" */

/**
 * Return the sounds of what has happened between two scenes of a game.
 * @param {GameScene} before the earlier scene
 * @param {GameScene} scene the present scene
 * @returns {Sound[]} the sounds to play; no two of them mean the same
 */
export function cues(before, scene) {
  if (scene.outcome) return before.outcome ? [] : ["capture"];
  /** @type {Sound[]} */
  const sounds = [];
  if (before.dice?.to_roll && scene.dice && !scene.dice.to_roll) sounds.push("dice");
  if (surfaced(before, scene) !== null) sounds.push("surfacing");
  else if (scene.log.length > before.log.length) sounds.push("ticket");
  if (Object.keys(scene.owners).some((pawn) => scene.pawns[pawn] !== before.pawns[pawn])) sounds.push("set_down");
  if (person(scene) && !person(before)) sounds.push("your_turn");
  return sounds;
}

// Return whether people, and not a computer, have to move a detective's pawn.
/** @param {GameScene} scene */
function person({ phase, turn, owners, seats }) {
  return phase === "play" && turn.some((pawn) => !FUGITIVES.includes(pawn) && !(String(owners[pawn]) in seats));
}
