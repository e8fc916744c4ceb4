// The meaning of the keys for the dice of the dice game, and the prompts about dice, on pages that draw the keys.

import { gettext, ngettext } from "./gettext.js";
import { joinWords } from "./joining.js";
import { keysAreDrawn } from "./key_names.js";
import { pawnName, ticketName } from "./pawn_and_ticket_names.js";

/** @import { DiceScene, GameScene, Scene } from "../../messages.d.ts" */

const [CONFIRM, BACK] = ["table.confirm", "table.back"];

/** Face of a die -> the key that enters it. */
const FACE_KEYS = { taxi: "table.taxi", bus: "table.bus", underground: "table.underground", x: CONFIRM };

/** @typedef {GameScene & {dice: DiceScene}} DiceTurn a moment of the dice game at which a detective moves */

/**
 * Return the same scene if the table asks a detective of the dice game to roll or to move, and nothing else.
 * @param {Scene} scene the table's scene
 * @returns {?DiceTurn} null if it asks something else
 */
function diceTurn(scene) {
  const { phase, asked, wrong, paused } = scene;
  if (scene.rules === null || !scene.dice || phase !== "play" || asked.length || wrong || paused) return null;
  return /** @type {DiceTurn} */ (scene);
}

/**
 * Name the keys by what they do with the dice.
 * @param {Scene} scene the table's scene
 * @returns {Map<string, string>} such as "table.confirm" -> its name; empty if they do nothing with dice
 */
export function diceKeys(scene) {
  /** @type {Map<string, string>} */
  const names = new Map();
  const turn = diceTurn(scene);
  if (!turn) return names;
  const { dice, prompt, extras, moves } = turn;
  const asks = (/** @type {string} */ key) => prompt.keys.includes(key);
  if (asks(CONFIRM) && dice.to_roll) names.set(CONFIRM, dice.by_hand ? entering(dice) : gettext("Roll"));
  if (asks(BACK) && BACK in extras) names.set(BACK, gettext("Roll again ({count} left)", { count: dice.tokens }));
  if (asks(CONFIRM) && moves.length && moves.every(({ tickets }) => tickets.includes("stay"))) {
    const [stay, other] = moves;
    names.set(CONFIRM, stay && !other ? gettext("Stay on {station}", { station: stay.to }) : gettext("Stay"));
  }
  return names;
}

/** @param {DiceScene} dice */
function entering({ entered, to_roll: toRoll }) {
  return entered.length < toRoll ? ticketName("x") : gettext("These are the dice");
}

/**
 * Return the faces that can be entered now, with the keys that enter them.
 * @param {Scene} scene the table's scene
 * @returns {[string, string][]} face and key; none unless players roll the dice
 */
export function faceKeys(scene) {
  const dice = diceTurn(scene)?.dice;
  if (!dice?.by_hand || dice.entered.length >= dice.to_roll) return [];
  return Object.entries(FACE_KEYS).filter(([, key]) => scene.prompt.keys.includes(key));
}

/**
 * Say what the table asks of the dice, without naming keys that are called otherwise now.
 * @param {Scene} scene the table's scene
 * @returns {string} a sentence; "" if the table's own prompt is right
 */
export function diceSentence(scene) {
  const names = diceKeys(scene);
  const turn = diceTurn(scene);
  if (!turn || !names.size || turn.dice.by_hand || !keysAreDrawn()) return "";
  const pawns = joinWords(turn.turn.map(pawnName), "or");
  const { to_roll: toRoll } = turn.dice;
  if (toRoll) return ngettext("{pawns}: roll {count} die", "{pawns}: roll {count} dice", toRoll, { pawns });
  return names.has(CONFIRM) ? gettext("{pawns} can use no die", { pawns }) : gettext("{pawns} moves", { pawns });
}
