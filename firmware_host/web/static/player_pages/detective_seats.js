// Who are you? The seats of the detectives' players, and which of them have a phone already.

import { make } from "../page/elements.js";
import { signalRefusal } from "../sounds/refusal_signal.js";
import { gettext } from "../wording/gettext.js";
import { joinWords } from "../wording/joining.js";
import { pawnName } from "../wording/pawn_and_ticket_names.js";
import { playersOf } from "../wording/player_names.js";
import { pawnDisc } from "../wording/signs.js";

/** @import { GameScene, PhoneSeat, PhonesMessage, Scene } from "../../messages.d.ts" */
/** @import { Send } from "../page/connection.js" */

/** The panel in which a phone chooses whom it plays. */
export class DetectiveSeatsPanel {
  #place;
  #send;
  #refusal = make("p", { class: "refusal", role: "alert" });
  #drawn = "";

  /**
   * @param {HTMLElement} place the element to put it in
   * @param {Send} send sends an order
   */
  constructor(place, send) {
    this.#place = place;
    this.#send = send;
  }

  /**
   * Show the seats, or nothing.
   * @param {?Scene} scene the table's scene; null where there is nothing to be chosen
   * @param {PhonesMessage} phones which of them have a phone
   */
  show(scene, phones) {
    const drawn = JSON.stringify([scene && [...playersOf(scene)], scene?.names, phones]);
    if (drawn === this.#drawn) return;
    this.#drawn = drawn;
    this.#refusal.textContent = "";
    if (scene === null || scene.rules === null) this.#place.replaceChildren();
    else this.#list(scene, phones);
  }

  /**
   * Show why the player cannot have a seat.
   * @param {string} text a sentence
   */
  refuse(text) {
    if (text) signalRefusal();
    this.#refusal.textContent = text;
  }

  /** @type {(scene: GameScene, phones: PhonesMessage) => void} */
  #list(scene, phones) {
    const players = [...playersOf(scene)];
    const none = make("p", {}, gettext("The computer plays the detectives."));
    const seats = players.map(([player, pawns]) => {
      const phone = phones.seats[player];
      const [who, which] = named(scene, player, pawns);
      const take = () => (phone?.here ? this.#ask(scene, phones, player, who) : this.#send({ do: "sit", player }));
      const discs = make("span", { class: "discs" }, ...pawns.map((pawn) => pawnDisc(pawn)));
      const small = make("small", {}, [which, stateOf(phone)].filter(Boolean).join(" · "));
      const button = make("button", { type: "button", class: "button", click: take }, discs, make("bdi", {}, who), small);
      return make("li", {}, button);
    });
    const watch = make("p", { class: "row" }, make("a", { class: "button", href: "/spectate" }, gettext("Only watch")));
    const heading = make("h2", {}, gettext("Who are you?"));
    this.#place.replaceChildren(heading, players.length ? make("ul", {}, ...seats) : none, watch, this.#refusal);
  }

  // Ask before a seat is taken from another phone.
  /** @type {(scene: GameScene, phones: PhonesMessage, player: number, who: string) => void} */
  #ask(scene, phones, player, who) {
    const take = () => this.#send({ do: "sit", player, over: true });
    const sure = make("button", { type: "button", class: "button main", click: take }, gettext("Take it over"));
    const back = make("button", { type: "button", class: "button", click: () => this.#list(scene, phones) }, gettext("Back"));
    const question = gettext("Another phone plays {who} now. Take its seat over?", { who });
    this.#place.replaceChildren(make("h2", {}, question), make("p", { class: "row" }, sure, back), this.#refusal);
    sure.focus({ preventScroll: true });
  }
}

// Return a seat's name, and its pawns if the name does not show them.
/** @type {(scene: GameScene, player: number, pawns: string[]) => [string, string]} */
function named(scene, player, pawns) {
  const name = scene.names[player] ?? "";
  const moved = joinWords(pawns.map(pawnName));
  return name ? [name, moved] : [moved, ""];
}

/** @param {PhoneSeat | undefined} phone */
function stateOf(phone) {
  if (!phone) return gettext("free");
  return phone.here ? gettext("plays on another phone") : gettext("its phone is away");
}
