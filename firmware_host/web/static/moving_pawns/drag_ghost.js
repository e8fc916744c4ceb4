// The picture of a pawn in a hand beside the board, on its way to or from the board.

import { pawnPicture } from "../board/pawns.js";

/** A picture of a pawn that follows a finger. */
export class DragGhost {
  #picture;

  /** @param {string} pawn which pawn it is */
  constructor(pawn) {
    this.#picture = pawnPicture(pawn);
    this.#picture.classList.add("ghost", "lifted");
  }

  /**
   * Show the pawn, its foot at a point of the page.
   * @param {number} x in pixels
   * @param {number} y in pixels
   */
  show(x, y) {
    if (!this.#picture.isConnected) document.body.append(this.#picture);
    this.#picture.style.setProperty("transform", `translate(${x}px, ${y}px)`);
  }

  /** Hide the picture, because the pawn is over the board or was let go. */
  hide() {
    this.#picture.remove();
  }
}
