// All that there is to look at, for the table and for those who look on alike: nothing here asks for anything.

import { Board } from "./board.js";
import { successChipsPanel } from "./panels/success_chips.js";
import { dicePanel } from "./panels/dice.js";
import { publicDisplayPanel } from "./panels/public_display.js";
import { gameEndPanel } from "./panels/game_end.js";
import { shrinkToFit } from "./shrink_to_fit.js";
import { deviceHealthPanel } from "./panels/device_health.js";
import { LogLamps } from "./log_lamps.js";
import { mrXLogPanel } from "./panels/mr_x_log.js";
import { combineListeners } from "./elements.js";
import { newsPanel } from "./panels/news.js";
import { playersPanel } from "./panels/players.js";
import { turnAndPrompt } from "./panels/turn_and_prompt.js";

const LOST = "The table does not answer; trying again…";

/**
 * The board, the head and the side of a page that has elements for them.
 * @param {function} [makeHands] makes the hands that move pawns, where there are any; see `Board`
 * @returns {{board: Board, listeners: Object<string, function>}} the board, and what all of it is to be told
 */
export function buildTableView(makeHands) {
  const at = (id) => document.getElementById(id);
  const board = new Board(at("board"), makeHands);
  const side = at("side");
  const lamps = new LogLamps();
  const line = at("line");
  shrinkToFit(at("head"));
  const listeners = combineListeners(
    {
      up: () => line.textContent && (line.textContent = ""),
      down: (why) => (line.textContent = why || LOST),
      board: (said) => {
        board.setBoard(said);
        document.body.style.setProperty("--aspect", (said.width + 44) / said.shown);
      },
      lamps: (frame) => board.setLamps(frame),
      pawns: (said) => board.setPawns(said),
      scene: (scene) => board.setScene(scene),
      games: ({ newest }) => (at("past").hidden = newest === null),
    },
    turnAndPrompt(at("turn"), at("prompt"), at("why")),
    lamps.listeners,
    gameEndPanel(side),
    dicePanel(side),
    successChipsPanel(side, lamps),
    mrXLogPanel(side, lamps),
    playersPanel(side),
    newsPanel(side),
    deviceHealthPanel(side),
    publicDisplayPanel(side),
  );
  return { board, listeners };
}
