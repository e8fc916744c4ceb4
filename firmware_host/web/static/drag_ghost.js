// A pawn on its way to the board or from it: what a hand holds beside the board.

import { pawnPicture } from "./pawns.js";

export class DragGhost {
  constructor() {
    this.pawn = "";
    this.element = null;
  }

  /** The pawn is at a point of the page, in pixels; its foot is there. */
  show(pawn, x, y) {
    if (this.pawn !== pawn) {
      this.hide();
      this.pawn = pawn;
      this.element = pawnPicture(pawn);
      this.element.classList.add("ghost", "lifted");
      document.body.append(this.element);
    }
    this.element.style.setProperty("transform", `translate(${x}px, ${y}px)`);
  }

  /** It is over the board, or let go. */
  hide() {
    this.element?.remove();
    this.element = null;
    this.pawn = "";
  }
}
