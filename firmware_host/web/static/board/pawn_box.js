// The box beside the board, with the pawns of this game that are off the board. The user drags or clicks them out.

import { make } from "../page/elements.js";
import { gettext } from "../wording/gettext.js";
import { pawnPicture } from "./pawns.js";
import { pawnName } from "../wording/pawn_and_ticket_names.js";

/** @import { DragController } from "../moving_pawns/drag_controller.js" */

const EMPTY = gettext("The box is empty: pawns that are off the board lie here.");

/** The box with its pawns. */
export class PawnBox {
  #drag;
  #tray = make("div", { class: "tray", "data-empty": EMPTY });
  /** @type {Map<string, HTMLButtonElement>} */
  #buttons = new Map();
  #lies = "";

  /**
   * @param {HTMLElement} place the element that holds the pawns
   * @param {DragController} drag moves the pawns that are taken out
   */
  constructor(place, drag) {
    this.#drag = drag;
    place.append(this.#tray);
  }

  /**
   * Show these pawns in the box.
   * @param {string[]} pawns the pawns in the box
   * @param {?{pawn: string}} picked the pawn in the hand
   */
  fill(pawns, picked) {
    const lies = pawns.join(" ");
    const buttons = pawns.map((pawn) => this.#button(pawn));
    if (lies !== this.#lies) {
      this.#lies = lies;
      const focused = this.#tray.contains(document.activeElement);
      this.#tray.replaceChildren(...buttons);
      if (focused && !this.#tray.contains(document.activeElement)) buttons[0]?.focus();
    }
    for (const button of buttons) button.setAttribute("aria-pressed", String(picked?.pawn === button.dataset.pawn));
  }

  /** @param {string} pawn */
  #button(pawn) {
    const button = this.#buttons.get(pawn) ?? this.#newButton(pawn);
    this.#buttons.set(pawn, button);
    return button;
  }

  /** @param {string} pawn */
  #newButton(pawn) {
    const name = pawnName(pawn);
    const attributes = { "data-pawn": pawn, "data-at": "", "aria-label": gettext("{pawn}, off the board", { pawn: name }), title: name };
    const button = make("button", { type: "button", ...attributes }, pawnPicture(pawn));
    button.onpointerdown = (event) => {
      if (event.button === 0) this.#drag.startFromBox(pawn, event);
    };
    button.onclick = ({ detail }) => {
      if (detail === 0) this.#drag.pickByKey(pawn); // or a screen reader's; the drag controller sees a finger's tap
    };
    return button;
  }
}
