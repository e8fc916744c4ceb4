// Everything to look at, for the pages of players and spectators alike. Nothing here sends an order.

import { followTurn } from "../board/zoom_to_station.js";
import { Board } from "../board/board.js";
import { showOffView } from "../board/off_view.js";
import { NO_ANSWER } from "./connection.js";
import { byId, showIf } from "./elements.js";
import { combineListeners } from "./listeners.js";
import { LogLamps } from "../panels/log_lamps.js";
import { showMoments } from "../moments/moments.js";
import { keyNames } from "../wording/key_names.js";
import { onePanelAFrame } from "./one_panel_a_frame.js";
import { coachPanel } from "../panels/coach.js";
import { deviceHealthPanel } from "../panels/device_health.js";
import { dicePanel } from "../panels/dice.js";
import { gameEnd } from "../panels/game_end.js";
import { mrXLogPanel } from "../panels/mr_x_log.js";
import { newsPanel } from "../panels/news.js";
import { playersPanel } from "../panels/players.js";
import { publicDisplayPanel } from "../panels/public_display.js";
import { successChipsPanel } from "../panels/success_chips.js";
import { turnAndPrompt } from "../panels/turn_and_prompt.js";
import { shrinkToFit } from "./shrink_to_fit.js";
import { tableSounds } from "../sounds/table_sounds.js";
import { keepAwake } from "./wake_lock.js";

/** @import { Hands } from "../board/board.js" */
/** @import { Listeners } from "./listeners.js" */
/** @import { AskCoach } from "../panels/coach.js" */
/** @import { Tap } from "../panels/dice.js" */

/**
 * Fill the board, the head and the side of a page that has elements for them.
 * @param {Element} technical the element for the devices and the display, which users open on request
 * @param {(board: Board) => Hands} [makeHands] creates the hands that move pawns, if the page has any; see `Board`
 * @param {AskCoach} [askCoach] asks for the coach, on a page that is allowed to
 * @param {() => boolean} [letters] returns whether letters press keys; false where users cannot switch them off
 * @param {{tap: Tap, playAgain: () => void}} [orders] press a key or begin the same game again, where allowed
 * @returns {Listeners} the listeners of all these parts
 */
export function buildTableView(technical, makeHands, askCoach, letters = () => false, orders) {
  const board = new Board(byId("board"), makeHands);
  showOffView(board, byId("board"));
  const side = byId("side");
  const lamps = new LogLamps();
  const line = byId("line");
  shrinkToFit(byId("head"));
  const end = gameEnd(board, byId("head"), side, orders?.playAgain);
  const dice = dicePanel(side, orders?.tap);
  return combineListeners(
    keyNames,
    {
      up: () => line.textContent && (line.textContent = ""),
      down: (why) => (line.textContent = why || NO_ANSWER),
      lamps: (frame) => board.setLamps(frame),
      games: ({ newest }) => showIf("past", newest !== null),
      table: (table) => end.allowAgain(orders !== undefined && table.simulated && table.power),
    },
    lamps.listeners,
    onePanelAFrame(
      {
        board: (said) => board.setBoard(said),
        pawns: (said) => board.setPawns(said),
        scene: (scene) => board.setScene(scene),
      },
      turnAndPrompt(byId("turn"), byId("prompt"), byId("why")),
      playersPanel(side),
      newsPanel(side),
      coachPanel(side, askCoach),
      deviceHealthPanel(technical, side),
      publicDisplayPanel(technical, makeHands ? byId("board") : technical),
    ),
    dice,
    successChipsPanel(board.frame, lamps),
    mrXLogPanel(board.frame, lamps),
    showMoments(board),
    end,
    followTurn(board),
    keepAwake(),
    tableSounds(byId("settings"), letters),
  );
}
