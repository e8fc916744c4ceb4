// All that there is to look at, for the table and for those who look on alike: nothing here asks for anything.

import { Board } from "./board.js";
import { chips } from "./panels/success_chips.js";
import { dice } from "./panels/dice.js";
import { display } from "./panels/public_display.js";
import { end } from "./panels/game_end.js";
import { fit } from "./shrink_to_fit.js";
import { health } from "./panels/device_health.js";
import { LogLamps } from "./log_lamps.js";
import { log } from "./panels/mr_x_log.js";
import { together } from "./elements.js";
import { news } from "./panels/news.js";
import { players } from "./panels/players.js";
import { head } from "./panels/turn_and_prompt.js";

const LOST = "The table does not answer; trying again…";

/**
 * The board, the head and the side of a page that has elements for them.
 * @param {function} [reach] makes the hands that move pawns, where there are any; see `Board`
 * @returns {{board: Board, listeners: Object<string, function>}} the board, and what all of it is to be told
 */
export function looking(reach) {
  const at = (id) => document.getElementById(id);
  const board = new Board(at("board"), reach);
  const side = at("side");
  const lamps = new LogLamps();
  const line = at("line");
  fit(at("head"));
  const listeners = together(
    {
      up: () => line.textContent && (line.textContent = ""),
      down: (why) => (line.textContent = why || LOST),
      board: (said) => {
        board.lay(said);
        document.body.style.setProperty("--aspect", (said.width + 44) / said.shown);
      },
      lamps: (frame) => board.shine(frame),
      pawns: (said) => board.stand(said),
      scene: (scene) => board.show(scene),
      games: ({ newest }) => (at("past").hidden = newest === null),
    },
    head(at("turn"), at("prompt"), at("why")),
    lamps.listeners,
    end(side),
    dice(side),
    chips(side, lamps),
    log(side, lamps),
    players(side),
    news(side),
    health(side),
    display(side),
  );
  return { board, listeners };
}
