// Another game: which box, how many players, and its options in plain words.

import { make } from "../elements.js";
import { withSpaces } from "../wording.js";
import { dialog, opener } from "./dialogs.js";

/** @import { GameOffer, OptionValue } from "../../messages.d.ts" */
/** @import { Send } from "../connection.js" */
/** @import { Listeners } from "../listeners.js" */

/** @type {Record<string, {label: string, values?: Record<string, string>, hint?: string}>} */
const OPTIONS = {
  x_fares: {
    label: "Mister X's taxi, bus and underground tickets",
    values: { unlimited: "never run out", counted: "are counted" },
  },
  last_chance: {
    label: "When the log is full",
    values: { false: "the game is over", true: "the detectives finish the round" },
  },
  log_windows: { label: "Moves that Mister X has to survive" },
  voluntary_surfacing: {
    label: "Mister X may show himself of his own will",
    values: { false: "no", true: "yes, and takes a ticket from each pawn" },
  },
  cut_off: { label: "Detectives shut the routes they stand on", values: { false: "no", true: "yes" } },
  uncover_half: {
    label: "The hidden first half of a double move",
    values: { false: "stays hidden", true: "is told when Mister X's next turn begins" },
  },
  experts: {
    label: "One-way streets",
    values: { false: "none: all tiles lie dark side up", true: "some tiles lie light side up" },
  },
  dice: { label: "Who rolls the dice", values: { rolled: "the table", entered: "we do, and enter them by key" } },
  reveal_route: {
    label: "When Mister X is seen",
    values: { false: "his way there stays hidden", true: "his way there is revealed" },
  },
  x_colour: { label: "Mister X's pawn", values: { black: "black", blue: "blue" } },
  layout: { label: "How the tiles lie, row by row", hint: "such as ABC DEF GHI; empty: the table draws" },
};
const DROPPED = "The game that is going on will be dropped, and counts for nobody.";
const BEGUN = "A new game"; // so begins what is told of it
const DEAF = "The table does not answer. Try again when it does.";

/**
 * Add the dialog, and the button that opens it.
 * @param {Element} menu where its button is put
 * @param {Send} send sends an order
 * @returns {{listeners: Listeners, refused: (text: string) => boolean}} what it listens to; `refused` is asked first
 *   about every refusal: if it is this dialog's the dialog says it, and stays open with all that was chosen
 */
export function newGameDialog(menu, send) {
  const box = make("select", { id: "new-box" });
  const players = make("select", { id: "new-players" });
  const options = make("div", { class: "fields" });
  const warning = make("p", { class: "warning", role: "alert" });
  const begin = make("button", { type: "submit", class: "button main" }, "Begin");
  const form = make(
    "form",
    {},
    field("Game", box),
    field("Players, with Mister X", players),
    options,
    warning,
    begin,
  );
  const shown = dialog("newgame", "New game", form);
  /** @type {GameOffer[]} */
  let boxes = [];
  let going = false; // a game, which would be dropped
  let told = 0; // lines of news
  /** @type {?number} */
  let asked = null; // how many of them there were when the table was asked for a game

  const chosen = () => boxes.find(({ rules }) => rules === box.value);
  const calm = () => warn("", "Begin");
  /**
   * @param {string} text
   * @param {string} next what stands on the button
   */
  function warn(text, next = begin.textContent) {
    asked = null;
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
    options.replaceChildren(...Object.entries(offer.options).map(([name, values]) => option(name, values)));
  }

  box.addEventListener("change", choose);
  form.addEventListener("submit", (event) => {
    event.preventDefault(); // it closes as soon as the game has begun
    if (going && !warning.textContent) {
      warn(DROPPED, "Drop it and begin");
      return;
    }
    const count = Number(players.value);
    const chosenOptions = wanted(options, chosen()?.options ?? {});
    if (!send({ do: "new_game", rules: box.value, players: count, options: chosenOptions })) {
      warn(DEAF);
      return;
    }
    asked = told;
    begin.disabled = true;
  });
  shown.addEventListener("close", calm);
  const button = opener("New game…", shown, () => boxes.length && choose());
  menu.prepend(button);

  /** @type {Listeners} */
  const listeners = {
    table(said) {
      const offers = said.simulated ? said.boxes : [];
      button.hidden = !offers.length;
      if (JSON.stringify(offers) === JSON.stringify(boxes) || button.hidden) return;
      boxes = offers;
      box.replaceChildren(...boxes.map(({ rules, title }) => make("option", { value: rules }, title)));
    },
    scene({ phase, rules }) {
      going = rules !== null && (phase === "play" || phase === "resume");
      if (!shown.open && rules && boxes.some((each) => each.rules === rules)) box.value = rules;
    },
    news(said) {
      const count = asked === null ? 0 : Math.min(said.told - asked, said.lines.length);
      told = said.told;
      if (said.lines.slice(said.lines.length - count).some((line) => line.startsWith(BEGUN))) shown.close();
    },
    down: () => asked !== null && warn(DEAF),
  };
  const refused = (/** @type {string} */ text) => {
    if (asked === null) return false;
    warn(inTheseWords(text));
    return true;
  };
  return { listeners, refused };
}

// Return what the table says of an order, with the options called as they are here.
/** @param {string} text */
function inTheseWords(text) {
  /** @type {(said: string, name: string, value?: string) => string} */
  const inWords = (said, name, value) => {
    const known = OPTIONS[name];
    if (!known) return said;
    return value === undefined ? known.label : `“${known.label}: ${known.values?.[value] ?? value}”`;
  };
  return text.replace(/^options: /, "").replaceAll(/\b([a-z_]+)(?: = (\w+)|(?=:| '))/g, inWords);
}

// Put a control, which has an id, under its label.
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

// Make the field of an option; the usual one of its values is the first.
/** @type {(name: string, values: OptionValue[]) => HTMLDivElement} */
function option(name, values) {
  const { label, values: said = {}, hint = "" } = OPTIONS[name] ?? { label: withSpaces(name) };
  const [usual] = values;
  const id = `new-${name}`;
  if (usual === "" && values.length === 1) {
    return field(label, make("input", { id, name, maxlength: 32, autocomplete: "off" }), hint);
  }
  const plain = (/** @type {OptionValue} */ value) =>
    typeof value === "boolean" ? (value ? "yes" : "no") : withSpaces(String(value));
  const say = (/** @type {OptionValue} */ value) => said[String(value)] ?? plain(value);
  return field(label, make("select", { id, name }, ...choices(values, usual, say)), hint);
}

// Return what was chosen, each as the kind of value that was offered; usual values need not be said.
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
