// A player's move. The player chooses a station, then a ticket if several lead there, then confirms.
// A double move has two steps.

import { TRY_AGAIN } from "../page/connection.js";
import { make } from "../page/elements.js";
import { signalRefusal } from "../sounds/refusal_signal.js";
import { gettext, ngettext } from "../wording/gettext.js";
import { Plan, DOUBLE, MOVES, same, stepWords } from "./player_choices.js";
import { joinWords } from "../wording/joining.js";
import { pawnName, ticketName } from "../wording/pawn_and_ticket_names.js";
import { ticketSign } from "../wording/signs.js";

/** @import { BoardMessage, Choice, Scene, Secrets } from "../../messages.d.ts" */
/** @import { TicketQuestion } from "../board/ticket_chooser.js" */
/** @import { Send } from "../page/connection.js" */
/** @import { Step } from "./player_choices.js" */

const BLACK = "black"; // the ticket for every kind of line

/** @typedef {{scene: Scene, knowledge: ?Secrets}} Seat the table's scene, and the player's choices, if any */

/** The panel in which a player chooses a move. The map beside it offers the same choices. */
export class PlayerMovePanel {
  plan = new Plan();
  /** @type {Step[]} */
  moves = []; // the possible next steps
  /** @type {?number} */
  chosen = null; // the station that still needs a ticket
  threats = true;
  atOnce = false; // whether the page sends a move as soon as it is chosen: the player can undo it
  /** @type {?(step: Step) => string} */
  wordsForBoard = null; // describes a move that the player makes at the board, not on this page
  #place;
  #send;
  #changed;
  /** @type {?Seat} */
  #seat = null;
  /** @type {Choice[]} */
  #said = []; // the choices for the table; the first has been sent, the others wait
  #stage = "";
  #drawn = "";
  #refusal = make("p", { class: "refusal", role: "alert" });
  /** @type {Map<number, string[]>} */
  #dangers = new Map();

  /**
   * @param {HTMLElement} place the element to put it in
   * @param {Send} send sends an order
   * @param {() => void} changed called when the plan changes
   */
  constructor(place, send, changed) {
    this.#place = place;
    this.#send = send;
    this.#changed = changed;
  }

  /**
   * Whether a choice is sent and not answered.
   * @returns {boolean} true until the table carries it out or refuses it
   */
  get busy() {
    return this.#said.length > 0;
  }

  /**
   * The start of the next step.
   * @returns {?number} the station; null if no step can be planned
   */
  get from() {
    const { steps, double } = this.plan;
    const planned = steps.length > 0 && !double;
    return this.busy || planned ? null : steps.at(-1)?.to ?? this.#seat?.knowledge?.at ?? null;
  }

  /**
   * The question which ticket to use to the chosen station.
   * @returns {?TicketQuestion} null while no ticket is needed
   */
  get question() {
    const { chosen } = this;
    if (chosen === null) return null;
    const ways = this.#waysTo(chosen);
    const choose = (/** @type {string} */ ticket) => {
      const step = ways.find((one) => one.ticket === ticket);
      if (step) this.#take(step);
    };
    const counted = ways.map(({ ticket }) => ({ ticket, left: this.#left(ticket) }));
    return { station: chosen, ways: counted, choose, drop: () => this.#back() };
  }

  /**
   * Whether there is a choice that was not sent to the table.
   * @returns {boolean} true until the player sends it or takes it back
   */
  get planned() {
    const { steps, double } = this.plan;
    return !this.busy && (this.chosen !== null || steps.length > 0 || double);
  }

  /**
   * Take back the last choice that was not sent to the table.
   * @returns {boolean} whether there was such a choice
   */
  drop() {
    const { planned } = this;
    if (planned) this.#back();
    return planned;
  }

  /**
   * Show the player's choices.
   * @param {?Seat} seat the player's scene and choices; null for none
   * @param {?BoardMessage} board the board
   */
  setSeat(seat, board) {
    this.#seat = seat;
    const knowledge = seat?.knowledge;
    const can = knowledge && seat.scene.rules !== null && seat.scene.phase === "play" && !this.busy;
    this.moves = can ? this.plan.next(knowledge, board) : [];
    this.#draw();
  }

  /**
   * Take the table's new state. If the table has carried out the sent choice, send the next one.
   * @param {Seat} seat the new state
   */
  goOn(seat) {
    const stage = stageOf(seat);
    if (stage === this.#stage) return;
    this.#stage = stage;
    this.#refusal.textContent = "";
    this.plan.clear();
    this.chosen = null;
    this.#said.shift();
    const [next] = this.#said;
    if (next && seat.knowledge?.choices.some((one) => same(one, next))) this.#sendChoice(next);
    else this.#said = [];
  }

  /**
   * Show that the table has refused a choice.
   * @param {string} text the reason
   */
  refuse(text) {
    this.#said = [];
    if (this.atOnce) this.plan.clear(); // a choice that was sent at once must not be sent again
    this.#refusal.textContent = text;
    if (text) signalRefusal();
    this.#changed();
  }

  /**
   * Set where detectives may be after their next move.
   * @param {Map<number, string[]>} dangers station -> detectives
   */
  setDangers(dangers) {
    this.#dangers = dangers;
  }

  /**
   * Choose a station.
   * @param {number} station the station
   * @returns {boolean} whether it can be reached
   */
  pick(station) {
    const ways = this.#waysTo(station);
    const [only] = ways;
    if (!only) return false;
    if (ways.length === 1) {
      this.#take(only);
    } else {
      this.chosen = station;
      this.#renew();
    }
    return true;
  }

  /**
   * Go to the chosen station. If it still needs a ticket, use the only ticket that is not black.
   * @param {number} station the station
   * @returns {boolean} whether the station is chosen and its ticket is clear
   */
  goTo(station) {
    if (this.wordsForBoard || this.busy || this.plan.double) return false;
    const usual = this.#waysTo(station).filter(({ ticket }) => ticket !== BLACK);
    const [step, other] = this.chosen === station ? usual : this.plan.steps;
    if (step?.to !== station || other) return false;
    this.plan.steps = [step];
    this.chosen = null;
    this.#commit(this.plan.choices);
    return true;
  }

  /** @param {number} station */
  #waysTo(station) {
    return this.moves.filter(({ to }) => to === station);
  }

  /** @param {Step} step */
  #take(step) {
    this.plan.steps.push(step);
    this.chosen = null;
    if (this.atOnce && !this.wordsForBoard) this.#commit(this.plan.choices);
    else this.#renew();
  }

  #back() {
    if (this.chosen === null && !this.plan.steps.pop()) this.plan.double = false;
    this.chosen = null;
    this.#renew();
  }

  #startDouble() {
    this.plan.clear();
    this.plan.double = true;
    this.chosen = null;
    this.#renew();
  }

  /** @param {Choice[]} choices */
  #commit(choices) {
    this.#said = choices;
    const [first] = choices;
    if (first) this.#sendChoice(first);
    this.#changed();
  }

  /** @param {Choice} choice */
  #sendChoice(choice) {
    if (!this.#send({ do: "choose", action: choice })) this.refuse(TRY_AGAIN);
  }

  #renew() {
    this.#refusal.textContent = "";
    this.#changed();
    const first = this.#place.querySelector(".go");
    if (first instanceof HTMLElement) first.focus({ preventScroll: true });
  }

  // ---- drawing ----

  #draw() {
    const knowledge = this.#seat?.knowledge ?? null;
    const { moves, plan, chosen, busy, threats } = this;
    const key = JSON.stringify([knowledge && this.#stage, moves, plan, chosen, busy, threats, this.#seat?.scene.rules]);
    if (key === this.#drawn) return;
    this.#drawn = key;
    if (!knowledge || this.#seat?.scene.rules === null) {
      this.#refusal.textContent = "";
      this.#place.replaceChildren();
      return;
    }
    const choose = chosen === null ? this.#destinations() : [make("p", { class: "asks" }, this.#asks(chosen))];
    const parts = plan.complete ? this.#confirm() : choose;
    const shown = [...this.#steps(), ...(busy ? [] : parts), this.#refusal, ...this.#threatSwitch(knowledge)];
    this.#place.replaceChildren(...shown);
  }

  /** @param {number} station */
  #asks(station) {
    return this.atOnce ? gettext("Moves at once; Undo takes it back.") : gettext("By what to {station}?", { station });
  }

  #steps() {
    const { steps, double } = this.plan;
    if (!double && !steps.length) return [];
    const said = (/** @type {Step | undefined} */ step) => (step ? [ticketSign(step.ticket), ` ${stepWords(step)}`] : ["…"]);
    const rows = double ? [steps[0], steps[1]] : [steps[0]];
    return [make("ol", { class: "plan", "data-double": double }, ...rows.map((one) => make("li", {}, ...said(one))))];
  }

  #confirm() {
    const { steps } = this.plan;
    const end = steps.at(-1)?.to;
    const danger = end === undefined ? [] : (this.#dangers.get(end) ?? []);
    const pawns = joinWords(danger.map(pawnName));
    const words = ngettext("{pawns} may be there next.", "{pawns} may be there next.", danger.length, { pawns });
    const warning = danger.length ? [make("p", { class: "warned" }, words)] : [];
    const [step] = steps;
    if (this.wordsForBoard && step) return [make("p", {}, this.wordsForBoard(step)), make("div", { class: "row" }, button([gettext("Change")], "button", () => this.#back()))];
    return [
      ...warning,
      make("div", { class: "row" },
        button([steps.length > 1 ? gettext("Make both moves") : gettext("Go")], "button main go", () => this.#commit(this.plan.choices)),
        button([gettext("Change")], "button", () => this.#back())),
    ];
  }

  // All destinations by ticket, and the player's other actions: for fingers, keys and screen readers alike.
  #destinations() {
    const tickets = [...new Set(this.moves.map(({ ticket }) => ticket))];
    const rows = tickets.map((ticket) => {
      const ends = this.moves.filter((one) => one.ticket === ticket);
      const name = ticket === "free" ? "" : ` ${ticketName(ticket)}`;
      return make("li", {}, make("span", { class: "by" }, ticketSign(ticket), name, ...this.#counted(ticket)),
        make("span", { class: "ends" }, ...ends.map((step) => button([String(step.to)], "button end", () => this.#take(step), stepWords(step)))));
    });
    const twice = this.wordsForBoard || this.atOnce || this.plan.double ? [] : [make("p", { class: "twice" }, gettext("A double click on the map goes at once."))];
    return [make("ul", { class: "reaches" }, ...rows), make("div", { class: "row" }, ...this.#others()), ...(rows.length ? twice : [])];
  }

  /** @param {string} ticket */
  #counted(ticket) {
    const left = this.#left(ticket);
    return left === undefined ? [] : [make("small", {}, ` × ${left}`)];
  }

  // Return how many tickets of a kind the pawn has left after the plan, if tickets are counted.
  /** @param {string} ticket */
  #left(ticket) {
    const scene = this.#seat?.scene;
    const held = scene?.rules ? scene.tickets[this.#seat?.knowledge?.actor ?? ""]?.[ticket] : undefined;
    return held === undefined ? undefined : held - this.plan.uses(ticket);
  }

  #others() {
    if (this.busy || this.#seat?.scene.phase !== "play") return [];
    if (this.plan.double) return [button([gettext("No double move")], "button", () => this.#back())];
    const others = (this.#seat.knowledge?.choices ?? []).filter(({ kind }) => !MOVES.includes(kind));
    return others.map((choice) => choice.kind === DOUBLE
      ? button([ticketSign("double"), " ", gettext("Double move")], "button", () => this.#startDouble())
      : button([otherWords(choice)], "button", () => this.#commit([choice])));
  }

  /** @param {Secrets} knowledge */
  #threatSwitch(knowledge) {
    if (!Object.keys(knowledge.threats).length) return [];
    const box = make("input", { type: "checkbox" });
    box.checked = this.threats;
    box.addEventListener("change", () => {
      this.threats = box.checked;
      this.#changed();
    });
    return [make("label", { class: "threats" }, box, " ", gettext("Where detectives may be next"))];
  }
}

/** @type {(content: (Node | string)[], kind: string, click: () => void, name?: string) => HTMLButtonElement} */
function button(content, kind, click, name) {
  return make("button", { type: "button", class: kind, click, "aria-label": name }, ...content);
}

/** @param {Choice} choice */
function otherWords({ kind, ticket, pawn }) {
  if (kind === "surface") return gettext("Show yourself after your next move");
  if (kind !== "take") return kind === "pass" ? gettext("Pass: no die fits") : kind;
  return gettext("Take {ticket} from {pawn}", { ticket: ticketName(ticket ?? ""), pawn: pawnName(pawn ?? "") });
}

// Return a text that identifies a moment of the game, as far as a player's choices depend on it.
/** @param {Seat} seat */
function stageOf({ scene, knowledge }) {
  if (scene.rules === null) return "";
  const known = [knowledge?.at, knowledge?.actor, knowledge?.choices, knowledge?.shows];
  return JSON.stringify([scene.round, scene.log.length, scene.double, ...known]);
}
