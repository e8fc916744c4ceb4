// The simulated table's page: all that there is to look at, and what hands can do.

import { Box } from "./box.js";
import { Hands } from "./hands.js";
import { open } from "./link.js";
import { looking } from "./looking.js";
import { faults } from "./side/faults.js";
import { help } from "./side/help.js";
import { hint } from "./side/hint.js";
import { keys } from "./side/keys.js";
import { together } from "./side/make.js";
import { newGame } from "./side/newgame.js";
import { refusals } from "./side/refusals.js";

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
