// The simulated table's page: all that there is to look at, and what hands can do.

import { openConnection } from "./connection.js";
import { DragController } from "./drag_controller.js";
import { byId } from "./elements.js";
import { combineListeners } from "./listeners.js";
import { faultInjectionPanel } from "./panels/fault_injection.js";
import { addHelp } from "./panels/help.js";
import { addHint } from "./panels/hint.js";
import { newGameDialog } from "./panels/new_game.js";
import { showRefusals } from "./panels/refusals.js";
import { addTableKeys } from "./panels/table_keys.js";
import { PawnBox } from "./pawn_box.js";
import { buildTableView } from "./table_view.js";

/** @import { Board, Hands } from "./board.js" */
/** @import { Send } from "./connection.js" */

/** @type {Send} */
let sendOrder = () => false;
let clearRefusal = () => {};

/**
 * Send an order; whoever asks for something new has read why the last was refused.
 * @type {Send}
 */
function send(order) {
  if (!("down" in order) || order.down) clearRefusal();
  return sendOrder(order);
}

// Make what moves pawns on this page.
/** @type {(board: Board) => Hands} */
function makeHands(board) {
  const drag = new DragController(board, send);
  return { drag, box: new PawnBox(byId("box"), drag) };
}

const view = buildTableView(makeHands);
const menu = byId("menu");
const game = newGameDialog(menu, send);
const refusals = showRefusals(byId("refused"), game.refused);
const controls = combineListeners(
  addHint(byId("hint"), send),
  addTableKeys(byId("keys"), send),
  game.listeners,
  faultInjectionPanel(byId("side"), send),
  refusals.listeners,
);
clearRefusal = refusals.clear;
addHelp(menu);
sendOrder = openConnection("table", combineListeners(view, controls));
