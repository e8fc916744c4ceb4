// The box beside the board: the pawns of this game that are off it, to be dragged out or taken by a click.

import { figure } from "./pawns.js";
import { pawnName } from "./wording.js";

export class Box {
  /**
   * @param {HTMLElement} place the element that holds them
   * @param {Hands} hands
   */
  constructor(place, hands) {
    this.hands = hands;
    this.tray = document.createElement("div");
    this.tray.className = "tray";
    place.append(this.tray);
    this.buttons = new Map();
    this.lies = "";
  }

  /**
   * These pawns lie in the box.
   * @param {string[]} pawns
   * @param {?{pawn: string}} taken what is in the hand
   * @param {boolean} whitePlays whether a detective's pawn is white
   */
  fill(pawns, taken, whitePlays) {
    this.tray.classList.toggle("white-plays", whitePlays);
    const lies = pawns.join(" ");
    if (lies !== this.lies) {
      this.lies = lies;
      const focused = this.tray.contains(document.activeElement);
      this.tray.replaceChildren(...pawns.map((pawn) => this.#button(pawn)));
      if (focused && !this.tray.contains(document.activeElement)) this.tray.firstChild?.focus();
    }
    for (const pawn of pawns) this.#button(pawn).setAttribute("aria-pressed", taken?.pawn === pawn);
  }

  #button(pawn) {
    if (!this.buttons.has(pawn)) this.buttons.set(pawn, this.#make(pawn));
    return this.buttons.get(pawn);
  }

  #make(pawn) {
    const button = document.createElement("button");
    button.type = "button";
    button.dataset.pawn = pawn;
    button.dataset.at = "";
    button.setAttribute("aria-label", `${pawnName(pawn)}, off the board`);
    button.title = pawnName(pawn);
    button.append(figure(pawn));
    button.onpointerdown = (event) => {
      if (event.button === 0) this.hands.grip(pawn, event);
    };
    button.onclick = ({ detail }) => {
      if (detail === 0) this.hands.takeByKey(pawn); // or a screen reader's; a finger's tap is felt by the hands
    };
    return button;
  }
}
