// The box beside the board: the pawns of this game that are off it, to be dragged out or picked by a click.

import { pawnPicture } from "./pawns.js";
import { pawnName } from "./wording.js";

export class PawnBox {
  /**
   * @param {HTMLElement} place the element that holds them
   * @param {DragController} drag
   */
  constructor(place, drag) {
    this.drag = drag;
    this.tray = document.createElement("div");
    this.tray.className = "tray";
    place.append(this.tray);
    this.buttons = new Map();
    this.lies = "";
  }

  /**
   * These pawns lie in the box.
   * @param {string[]} pawns
   * @param {?{pawn: string}} picked what is in the hand
   * @param {boolean} whitePlays whether a detective's pawn is white
   */
  fill(pawns, picked, whitePlays) {
    this.tray.classList.toggle("white-plays", whitePlays);
    const lies = pawns.join(" ");
    if (lies !== this.lies) {
      this.lies = lies;
      const focused = this.tray.contains(document.activeElement);
      this.tray.replaceChildren(...pawns.map((pawn) => this.#button(pawn)));
      if (focused && !this.tray.contains(document.activeElement)) this.tray.firstChild?.focus();
    }
    for (const pawn of pawns) this.#button(pawn).setAttribute("aria-pressed", picked?.pawn === pawn);
  }

  #button(pawn) {
    if (!this.buttons.has(pawn)) this.buttons.set(pawn, this.#newButton(pawn));
    return this.buttons.get(pawn);
  }

  #newButton(pawn) {
    const button = document.createElement("button");
    button.type = "button";
    button.dataset.pawn = pawn;
    button.dataset.at = "";
    button.setAttribute("aria-label", `${pawnName(pawn)}, off the board`);
    button.title = pawnName(pawn);
    button.append(pawnPicture(pawn));
    button.onpointerdown = (event) => {
      if (event.button === 0) this.drag.startFromBox(pawn, event);
    };
    button.onclick = ({ detail }) => {
      if (detail === 0) this.drag.pickByKey(pawn); // or a screen reader's; a finger's tap is seen by the drag controller
    };
    return button;
  }
}
