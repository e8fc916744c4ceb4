// The simulated table's page: all that there is to look at, and what hands can do.

import { PawnBox } from "./pawn_box.js";
import { DragController } from "./drag_controller.js";
import { openConnection } from "./connection.js";
import { buildTableView } from "./table_view.js";
import { faultInjectionPanel } from "./panels/fault_injection.js";
import { addHelp } from "./panels/help.js";
import { addHint } from "./panels/hint.js";
import { addTableKeys } from "./panels/table_keys.js";
import { combineListeners } from "./elements.js";
import { newGameDialog } from "./panels/new_game.js";
import { showRefusals } from "./panels/refusals.js";

const at = (id) => document.getElementById(id);
let order = () => false;
let read = () => {};

/** Sends an order; whoever asks for something new has read why the last was refused. */
function send(said) {
  if (said.down !== false) read();
  return order(said);
}

/** What moves pawns on this page. */
function makeHands(board) {
  const drag = new DragController(board, send);
  return { drag, box: new PawnBox(at("box"), drag) };
}

const { listeners } = buildTableView(makeHands);
const menu = at("menu");
const game = newGameDialog(menu, send);
const refused = showRefusals(at("refused"), game.refused);
const controls = combineListeners(
  addHint(at("hint"), send),
  addTableKeys(at("keys"), send),
  game.listeners,
  faultInjectionPanel(at("side"), send),
  refused.listeners,
);
read = refused.clear;
addHelp(menu);
order = openConnection("table", combineListeners(listeners, controls));
