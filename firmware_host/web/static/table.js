// The simulated table's page: everything to look at, and everything that hands can do.

import { openConnection } from "./page/connection.js";
import { DragController } from "./moving_pawns/drag_controller.js";
import { byId } from "./page/elements.js";
import { tapKey } from "./page/holdable_keys.js";
import { shortcutsEnabled } from "./page/keyboard_shortcuts.js";
import { combineListeners } from "./page/listeners.js";
import { breakSomethingPanel } from "./panels/break_something.js";
import { addHelp } from "./panels/help.js";
import { gameRules } from "./panels/game_rules.js";
import { phonesAwaited } from "./panels/join_by_phone.js";
import { addHint } from "./panels/hint.js";
import { newGameDialog } from "./panels/new_game_dialog.js";
import { showRefusals } from "./panels/refusals.js";
import { addPace } from "./panels/pace.js";
import { addTableKeys } from "./panels/table_keys.js";
import { addUndo } from "./panels/undo.js";
import { welcomePage } from "./panels/welcome.js";
import { PawnBox } from "./board/pawn_box.js";
import { settingsDialog } from "./settings/settings_dialog.js";
import { buildTableView } from "./page/table_view.js";
import { pullUp } from "./player_pages/pull_up.js";

/** @import { Board, Hands } from "./board/board.js" */
/** @import { Send } from "./page/connection.js" */
/** @import { Listeners } from "./page/listeners.js" */

/** @type {Send} */
let sendOrder = () => false;
let clearRefusal = () => {};
let focusTurn = () => {};
let giveUp = () => {};
let expectsPhones = false; // whether the game was begun for players who join by phone

/**
 * Send an order and clear the last refusal: a user who gives a new order has read it.
 * @type {Send}
 */
function send(order) {
  if (!("down" in order) || order.down) clearRefusal();
  return sendOrder(order);
}

/** @type {Listeners} */
let held = {};

// Create the hands that move pawns on this page.
/** @type {(board: Board) => Hands} */
function makeHands(board) {
  const drag = new DragController(board, send, (text) => {
    board.tooltip.close(); // it says the same
    refusals.say(text);
  });
  held = drag.held.listeners;
  focusTurn = () => board.focusTurn();
  giveUp = () => drag.giveUp();
  return { drag, box: new PawnBox(byId("box"), drag) };
}

const technical = addHelp(byId("open-help"));
const rules = gameRules(byId("open-rules"));
const game = newGameDialog(send, rules.open, () => focusTurn());
const welcome = welcomePage(byId("open-welcome"), send, game.open, rules.open, () => focusTurn(), (joining) => (expectsPhones = joining));
const refusals = showRefusals(byId("refused"), (text) => game.refused(text) || welcome.refused(text));
const coach = (/** @type {"off" | "stations" | "advice"} */ depth) => send({ do: "coach", tells: depth });
const orders = { tap: (/** @type {string} */ key) => tapKey(send, key), playAgain: () => send({ do: "again" }) };
const view = buildTableView(technical, makeHands, coach, shortcutsEnabled, orders);
const controls = combineListeners(
  held,
  addHint(byId("hint"), byId("keys"), send, (text) => refusals.say(text)),
  addTableKeys(byId("keys"), send, () => giveUp()),
  addUndo(byId("keys"), send),
  addPace(byId("keys"), send),
  game.listeners,
  welcome.listeners,
  rules.listeners,
  breakSomethingPanel(technical, send),
  phonesAwaited(byId("side"), () => expectsPhones, true),
  refusals.listeners,
);
pullUp(byId("sheet"), byId("pull"));
settingsDialog(byId("settings"), ["board", "sound", "install"]);
clearRefusal = refusals.clear;
sendOrder = openConnection("table", combineListeners(controls, view));
