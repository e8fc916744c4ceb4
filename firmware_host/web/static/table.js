// The simulated table's page: all that there is to look at, and what hands can do.

import { Box } from "./box.js";
import { Hands } from "./hands.js";
import { open } from "./link.js";
import { looking } from "./looking.js";
import { faults } from "./side/faults.js";
import { help } from "./side/help.js";
import { keys } from "./side/keys.js";
import { together } from "./side/make.js";
import { newGame } from "./side/newgame.js";
import { refusals } from "./side/refusals.js";

const at = (id) => document.getElementById(id);
let order = () => false;
const send = (said) => order(said);

/** What moves pawns on this page. */
function reach(board) {
  const hands = new Hands(board, send);
  return { hands, box: new Box(at("box"), hands) };
}

const { listeners } = looking(reach);
const menu = at("menu");
const controls = together(
  keys(at("keys"), send),
  newGame(menu, send),
  faults(at("side"), send),
  refusals(at("refused")),
);
help(menu);
order = open("table", together(listeners, controls));
