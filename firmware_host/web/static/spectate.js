// The spectators's page.

import { Board } from "./board.js";
import { open } from "./link.js";

const board = new Board(document.getElementById("board"));
const write = (id, text) => {
  document.getElementById(id).textContent = text;
};

open("spectator", {
  up: () => write("line", ""),
  down: (why) => write("line", why || "The table does not answer; trying again…"),
  board: (said) => board.lay(said),
  lamps: (frame) => board.shine(frame),
  pawns: ({ pawns }) => board.stand(pawns),
  scene: (scene) => write("prompt", scene.prompt.text),
});
