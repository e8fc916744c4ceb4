// A new game in every detail: the box, the number of players, who plays in which seat, and the options in plain words.

import { make } from "../page/elements.js";
import { GameRequest } from "./game_request.js";
import { gettext, pgettext } from "../wording/gettext.js";
import { combineListeners } from "../page/listeners.js";
import { gameName } from "../wording/game_names.js";
import { withSpaces } from "../wording/pawn_and_ticket_names.js";
import { NameFields } from "../wording/player_names.js";
import { dialog } from "./dialogs.js";

/** @import { GameOffer, OptionValue, SeatedProgram } from "../../messages.d.ts" */
/** @import { Send } from "../page/connection.js" */
/** @import { Listeners } from "../page/listeners.js" */

/** @typedef {(seats: Record<string, string>, closed: () => void) => void} OpenDetails gets the player of each seat */

/** @type {Record<string, {label: string, values?: Record<string, string>, hint?: string}>} */
const OPTIONS = {
  x_fares: {
    label: gettext("Mister X's taxi, bus and underground tickets"),
    values: { unlimited: gettext("never run out"), counted: gettext("are counted") },
  },
  last_chance: {
    label: gettext("When the log is full"),
    values: { false: gettext("the game is over"), true: gettext("the detectives finish the round") },
  },
  log_windows: { label: gettext("Moves that Mister X has to survive") },
  voluntary_surfacing: {
    label: gettext("Mister X may show himself of his own will"),
    values: { false: gettext("no"), true: gettext("yes, and takes a ticket from each pawn") },
  },
  cut_off: { label: gettext("Detectives shut the routes they stand on"), values: { false: gettext("no"), true: gettext("yes") } },
  uncover_half: {
    label: gettext("The hidden first half of a double move"),
    values: { false: gettext("stays hidden"), true: gettext("is shown when Mister X's next turn begins") },
  },
  experts: {
    label: gettext("One-way streets"),
    values: { false: gettext("none: all tiles lie dark side up"), true: gettext("some tiles lie light side up") },
  },
  dice: { label: gettext("Who rolls the dice"), values: { rolled: gettext("the table"), entered: gettext("we do, and enter them by key") } },
  reveal_route: {
    label: gettext("When Mister X is seen"),
    values: { false: gettext("his way there stays hidden"), true: gettext("his way there is revealed") },
  },
  x_colour: { label: gettext("Mister X's pawn"), values: { black: pgettext("pawn", "black"), blue: pgettext("pawn", "blue") } },
  layout: { label: gettext("How the tiles lie, row by row"), hint: gettext("such as ABC DEF GHI; empty: the table draws") },
};
/** The warning before a game is dropped. */
export const DROPPED = gettext("The game that is going on will be dropped, and counts for nobody.");
const DROP = gettext("Drop it and begin");
/**
 * Who can play in a seat: a person, or the computer at one of its levels.
 * @type {[string, string][]}
 */
const PLAYERS = [
  ["person", gettext("people")],
  ["easy", gettext("the computer, easy")],
  ["medium", gettext("the computer, medium")],
  ["skilled", gettext("the computer, skilled")],
  ["hard", gettext("the computer, hard")],
  ["expert", gettext("the computer, expert")],
];

/**
 * Add the dialog.
 * @param {Send} send sends an order
 * @param {(rules: string) => void} showRules opens the rules of a game
 * @param {() => void} focusTurn puts the focus on the board, where a game is played by keyboard
 * @returns {{open: OpenDetails, listeners: Listeners, refused: (text: string) => boolean}} `open` opens it; its
 *   listeners; `refused` is asked first about every refusal: if it concerns this dialog, the dialog shows it and stays
 *   open with all choices
 */
export function newGameDialog(send, showRules, focusTurn) {
  const box = make("select", { id: "new-box" });
  const players = make("select", { id: "new-players" });
  const mrX = seat("mr_x");
  const detectives = seat("detectives");
  const names = new NameFields("new");
  const options = make("div", { class: "fields" });
  const trust = make("p", { class: "trusted", role: "status" });
  const warning = make("p", { class: "warning", role: "alert" });
  const begin = make("button", { type: "submit", class: "button main" }, gettext("Begin"));
  const form = make(
    "form",
    {},
    field(gettext("Game"), box),
    make("button", { type: "button", class: "button", click: () => showRules(box.value) }, gettext("Rules of this game")),
    field(gettext("Players, with Mister X"), players),
    field(gettext("Mister X is played by"), mrX),
    field(gettext("The detectives are played by"), detectives),
    trust,
    names.element,
    options,
    warning,
    begin,
  );
  const shown = dialog("newgame", gettext("New game"), form);
  /** @type {GameOffer[]} */
  let boxes = [];
  /** @type {SeatedProgram[]} */
  let programs = [];
  let going = false; // a game, which would be dropped
  let byKeyboard = false; // whether the game is asked for by a key
  let closed = () => {};

  const request = new GameRequest(
    send,
    () => {
      shown.close();
      if (byKeyboard) focusTurn();
    },
    (text, waits) => {
      warn(inTheseWords(text));
      begin.disabled = waits;
    },
  );

  const chosen = () => boxes.find(({ rules }) => rules === box.value);
  const calm = () => {
    request.forget();
    warn("", gettext("Begin"));
  };
  /**
   * @param {string} text
   * @param {string} next what stands on the button
   */
  function warn(text, next = begin.textContent) {
    begin.disabled = false;
    warning.textContent = text;
    begin.textContent = next;
    warning.scrollIntoView({ block: "nearest" });
  }
  function choose() {
    calm();
    const offer = chosen();
    if (!offer) return;
    players.replaceChildren(...choices(offer.players.toSorted(), offer.players[0], String));
    askNames();
    options.replaceChildren(...Object.entries(offer.options).map(([name, values]) => option(name, values)));
  }

  function askNames() {
    const numbers = Array.from({ length: Number(players.value) - 1 }, (_, n) => String(n + 1));
    const label = (/** @type {string} */ n) =>
      numbers.length > 1 ? gettext("Detective player {number} is called", { number: n }) : gettext("The detective is called");
    /** @type {[string, string][]} */
    const mrXName = mrX.value === "person" ? [["mr_x", gettext("Mister X is called")]] : [];
    /** @type {[string, string][]} */
    const playerNames = detectives.value === "person" ? numbers.map((n) => [n, label(n)]) : [];
    names.ask([...mrXName, ...playerNames]);
  }

  // For each chosen program that is not confined, show what it can do.
  function warnOfTrusted() {
    const trusted = programs.filter(({ name, trusted: all }) => all && [mrX.value, detectives.value].includes(name));
    const say = (/** @type {string} */ program) =>
      gettext("{program} can read where Mister X is: nothing on the table's machine shuts this program in.", { program });
    trust.textContent = trusted.map(({ name }) => say(name)).join(" ");
  }

  box.addEventListener("change", choose);
  for (const control of [players, mrX, detectives]) control.addEventListener("change", askNames);
  for (const control of [mrX, detectives]) control.addEventListener("change", warnOfTrusted);
  form.addEventListener("submit", (event) => {
    event.preventDefault(); // it closes as soon as the game has begun
    if (going && begin.textContent !== DROP) {
      warn(DROPPED, DROP);
      return;
    }
    const count = Number(players.value);
    const chosenOptions = wanted(options, chosen()?.options ?? {});
    const seats = { mr_x: mrX.value, detectives: detectives.value };
    byKeyboard = document.activeElement?.matches(":focus-visible") ?? false;
    begin.disabled = true;
    names.keep();
    request.ask({ do: "new_game", rules: box.value, players: count, options: chosenOptions, seats, ...names.wish });
  });
  shown.addEventListener("close", () => {
    calm();
    closed();
  });
  /** @type {OpenDetails} */
  const open = (seats, then) => {
    mrX.value = seats.mr_x ?? "person";
    detectives.value = seats.detectives ?? "person";
    closed = then;
    names.forget();
    choose();
    warnOfTrusted();
    shown.showModal();
  };

  /** @param {SeatedProgram[]} seated the programs that can be chosen beside our own players */
  function offerPrograms(seated) {
    if (JSON.stringify(seated) === JSON.stringify(programs)) return;
    programs = seated;
    for (const control of [mrX, detectives]) {
      const own = [...control.options].slice(0, PLAYERS.length);
      const others = programs.map(({ name }) => make("option", { value: name }, gettext("the program {program}", { program: name })));
      control.replaceChildren(...own, ...others);
    }
  }

  /** @type {Listeners} */
  const listeners = {
    table(said) {
      const offers = said.boxes ?? [];
      offerPrograms(said.programs ?? []);
      if (JSON.stringify(offers) === JSON.stringify(boxes)) return;
      boxes = offers;
      box.replaceChildren(...boxes.map((game) => make("option", { value: game.rules }, gameName(game))));
    },
    scene({ phase, rules }) {
      going = rules !== null && (phase === "play" || phase === "resume");
      if (!shown.open && rules && boxes.some((each) => each.rules === rules)) box.value = rules;
    },
  };
  return { open, listeners: combineListeners(listeners, request.listeners), refused: (text) => request.refused(text) };
}

// Create the field for who plays in a seat.
/** @param {string} name */
function seat(name) {
  const players = PLAYERS.map(([value, words]) => make("option", { value }, words));
  return make("select", { id: `new-seat-${name}` }, ...players);
}

// Return a text of the table about an order, with the options' names on this page.
/** @param {string} text */
function inTheseWords(text) {
  /** @type {(said: string, name: string, value?: string) => string} */
  const inWords = (said, name, value) => {
    const known = OPTIONS[name];
    if (!known) return said;
    if (value === undefined) return known.label;
    return gettext("“{option}: {value}”", { option: known.label, value: known.values?.[value] ?? value });
  };
  return text.replace(/^options: /, "").replaceAll(/\b([a-z_]+)(?: = (\w+)|(?=:| '))/g, inWords);
}

// Put a control under its label. The control has an id.
/** @type {(label: string, control: HTMLElement, hint?: string) => HTMLDivElement} */
function field(label, control, hint = "") {
  const words = make("label", { for: control.id }, label);
  if (!hint) return make("div", { class: "field" }, words, control);
  control.setAttribute("aria-describedby", `${control.id}-hint`);
  return make("div", { class: "field" }, words, control, make("small", { id: `${control.id}-hint` }, hint));
}

/**
 * @template {OptionValue} Value
 * @param {Value[]} values
 * @param {Value | undefined} usual
 * @param {(value: Value) => string} say
 */
function choices(values, usual, say) {
  return values.map((value) => make("option", { value: String(value), selected: value === usual }, say(value)));
}

// Create the field of an option. The first of its values is the usual one.
/** @type {(name: string, values: OptionValue[]) => HTMLDivElement} */
function option(name, values) {
  const { label, values: said = {}, hint = "" } = OPTIONS[name] ?? { label: withSpaces(name) };
  const [usual] = values;
  const id = `new-${name}`;
  if (usual === "" && values.length === 1) {
    return field(label, make("input", { id, name, maxlength: 32, autocomplete: "off" }), hint);
  }
  const plain = (/** @type {OptionValue} */ value) =>
    typeof value === "boolean" ? (value ? gettext("yes") : gettext("no")) : withSpaces(String(value));
  const say = (/** @type {OptionValue} */ value) => said[String(value)] ?? plain(value);
  return field(label, make("select", { id, name }, ...choices(values, usual, say)), hint);
}

// Return the chosen values, each of its offered type. Usual values are left out.
/** @type {(place: HTMLElement, offered: Record<string, OptionValue[]>) => Record<string, OptionValue>} */
function wanted(place, offered) {
  /** @type {NodeListOf<HTMLInputElement | HTMLSelectElement>} */
  const controls = place.querySelectorAll("[name]");
  /** @type {Record<string, OptionValue>} */
  const found = {};
  for (const control of controls) {
    const values = offered[control.name] ?? [];
    const value = values.find((each) => String(each) === control.value) ?? control.value.trim();
    if (value !== values[0]) found[control.name] = value;
  }
  return found;
}
