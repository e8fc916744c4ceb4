// The simulated table's page: all that there is to look at, and what hands can do.

import { Box } from "./pawn_box.js";
import { Hands } from "./drag_controller.js";
import { open } from "./connection.js";
import { looking } from "./table_view.js";
import { faults } from "./panels/fault_injection.js";
import { help } from "./panels/help.js";
import { hint } from "./panels/hint.js";
import { keys } from "./panels/table_keys.js";
import { together } from "./elements.js";
import { newGame } from "./panels/new_game.js";
import { refusals } from "./panels/refusals.js";

const at = (id) => document.getElementById(id);
let order = () => false;
let read = () => {};

/** Sends an order; whoever asks for something new has read why the last was refused. */
function send(said) {
  if (said.down !== false) read();
  return order(said);
}

/** What moves pawns on this page. */
function reach(board) {
  const hands = new Hands(board, send);
  return { hands, box: new Box(at("box"), hands) };
}

const { listeners } = looking(reach);
const menu = at("menu");
const game = newGame(menu, send);
const refused = refusals(at("refused"), game.refused);
const controls = together(
  hint(at("hint"), send),
  keys(at("keys"), send),
  game.listeners,
  faults(at("side"), send),
  refused.listeners,
);
read = refused.clear;
help(menu);
order = open("table", together(listeners, controls));
