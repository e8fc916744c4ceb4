// The first page: what would you like to play? Five tickets to begin with, then the game and how well a computer plays.

import { byId, make } from "../page/elements.js";
import { GAMES } from "../wording/game_names.js";
import { GameRequest } from "./game_request.js";
import { takeSeat } from "../player_pages/mr_x_seat.js";
import { gettext, pgettext } from "../wording/gettext.js";
import { combineListeners, onSceneOrTable } from "../page/listeners.js";
import { NameFields } from "../wording/player_names.js";
import { phoneInvitation } from "./join_by_phone.js";
import { DROPPED } from "./new_game_dialog.js";

/** @import { BoardMessage, GameOffer, TableMessage } from "../../messages.d.ts" */
/** @import { Send } from "../page/connection.js" */
/** @import { Listeners } from "../page/listeners.js" */
/** @import { OpenDetails } from "./new_game_dialog.js" */

/**
 * A way to begin.
 * @typedef {object} Way
 * @property {string} ticket the ticket that it looks like
 * @property {string} title what it is called
 * @property {string} words one sentence
 * @property {string[]} computers the seats in which the computer plays
 */

/** @type {Way[]} */
const WAYS = [
  {
    ticket: "taxi",
    title: gettext("Chase Mister X"),
    words: gettext("You lead the detectives, the computer hides."),
    computers: ["mr_x"],
  },
  {
    ticket: "black",
    title: gettext("Be Mister X"),
    words: gettext("You hide, the computer hunts you."),
    computers: ["detectives"],
  },
  {
    ticket: "bus",
    title: gettext("Around this table"),
    words: gettext("People play, all at this screen."),
    computers: [],
  },
  {
    ticket: "boat",
    title: gettext("Join by phone"),
    words: gettext("Chase, hide or look on, on a screen of your own."),
    computers: [],
  },
  {
    ticket: "underground",
    title: gettext("Watch"),
    words: gettext("The computer plays both sides."),
    computers: ["mr_x", "detectives"],
  },
];
const JOIN = "boat"; // the way on which no game begins, unless there is none
/** @type {Record<string, string>} */
const LEVELS = {
  easy: pgettext("level", "easy"),
  medium: pgettext("level", "medium"),
  hard: pgettext("level", "hard"),
  expert: pgettext("level", "expert"),
};
const USUAL = "medium";

const LAMPS = 9; // that breathe on the picture behind

/**
 * Add the first page.
 * @param {HTMLElement} button opens it later
 * @param {Send} send sends an order
 * @param {OpenDetails} details opens the dialog with every detail of a game
 * @param {(rules: string) => void} tellRules opens the rules of a game
 * @param {() => void} focusTurn puts the focus on the board, where a game is played by keyboard
 * @returns {{listeners: Listeners, refused: (text: string) => boolean}} what it listens to; `refused` is asked about
 *   every refusal: if it is this page's it says it
 */
export function welcomePage(button, send, details, tellRules, focusTurn) {
  const city = make("div", { class: "city", "aria-hidden": "true" });
  const content = make("div", { class: "content" });
  const warning = make("p", { class: "warning", role: "alert" });
  const shown = make("dialog", { id: "welcome", class: "by-night", "aria-labelledby": "welcome-title" }, city, content);
  document.body.append(shown);
  /** @type {GameOffer[]} */
  let offers = [];
  let going = false; // a game, which would be dropped
  /** @type {?boolean} */
  let none = null; // whether there is no game at all, and so nothing to go back to; null before the table has told
  let level = USUAL;
  function warn(/** @type {string} */ text) {
    warning.textContent = text;
    if (text) warning.scrollIntoView({ block: "nearest" });
  }
  let byKeyboard = false; // whether it is asked for by a key
  let alone = false; // whether the game that is asked for has no other player than Mister X
  const request = new GameRequest(send, () => void begun(), warn);

  // Close the page; who is Mister X, and alone, comes to his own map.
  async function begun() {
    shown.close();
    if (byKeyboard) focusTurn();
    if (alone && !(await takeSeat())) location.assign("/seat");
  }

  /** @param {...(Node|string)} children */
  function fill(...children) {
    warn("");
    request.forget();
    content.replaceChildren(...children);
    if (!warning.isConnected) content.append(warning);
  }

  function askWay() {
    const close = make("button", { type: "button", class: "button", click: () => shown.close() }, gettext("Back to the table"));
    close.hidden = none === true;
    const settings = () => byId("settings").click(); // the page's own button lies below this dialog
    fill(
      make("h2", { id: "welcome-title" }, "Yardboard"),
      make("p", { class: "lead" }, gettext("Somewhere in London a man in a hat has just bought a ticket.")),
      make("ul", { class: "ways" }, ...WAYS.map((way) => make("li", {}, wayTicket(way, () => askMore(way))))),
      make("a", { class: "button quiet", href: "/tutorial" }, gettext("Learn in two minutes")),
      close,
      make("button", { type: "button", class: "button quiet", "aria-haspopup": "dialog", click: settings }, gettext("Settings")),
    );
  }

  /** @param {Way} way */
  function askMore(way) {
    fill(
      make("h2", { id: "welcome-title", tabindex: -1 }, way.title),
      make("p", { class: "lead" }, way.words),
      warning,
      ...(way.ticket === JOIN ? join() : []),
      ...(way.ticket === JOIN && none ? [make("p", {}, gettext("Then choose the game:"))] : []),
      ...(way.ticket !== JOIN || none ? games(way) : []),
      make("button", { type: "button", class: "button", click: askWay }, gettext("Back")),
    );
    if (way.ticket !== JOIN && going) warn(DROPPED);
    const first = content.querySelector("button, input:checked");
    if (first instanceof HTMLElement) first.focus();
  }

  /** @param {Way} way */
  function games(way) {
    const seats = () => Object.fromEntries(way.computers.map((seat) => [seat, level]));
    const names = new NameFields("way");
    names.ask(people(way));
    const begin = (/** @type {string} */ rules) => {
      names.keep();
      byKeyboard = document.activeElement?.matches(":focus-visible") ?? false;
      alone = way.computers.includes("detectives") && !way.computers.includes("mr_x");
      request.ask({ do: "new_game", rules, seats: seats(), ...names.wish });
    };
    const offered = offers.toSorted((one, other) => placeOf(one.rules) - placeOf(other.rules));
    const cards = offered.map(({ rules, title }) => gameCard(rules, title, () => begin(rules)));
    const choose = (/** @type {string} */ chosen) => {
      level = chosen;
      // Not every game is played at every level, and some levels need what is not installed.
      const asked = way.computers.length > 0;
      for (const [n, card] of cards.entries()) card.disabled = asked && !offered[n]?.levels.includes(level);
    };
    const playable = Object.keys(LEVELS).filter((name) => offers.some(({ levels: some }) => some.includes(name)));
    choose(playable.includes(level) ? level : USUAL);
    const all = () => {
      names.keep();
      shown.close();
      details(seats(), () => none && open());
    };
    return [
      ...(way.computers.length ? [levels(playable, level, choose)] : []),
      names.element,
      make("ul", { class: "games" }, ...cards.map((card, n) => make("li", {}, card, rulesButton(offered[n]?.rules ?? "", tellRules)))),
      make("button", { type: "button", class: "button quiet", click: all }, gettext("Every option…")),
    ];
  }

  const open = () => {
    if (shown.open) return;
    askWay();
    shown.showModal();
  };
  shown.addEventListener("cancel", (event) => none && event.preventDefault());
  button.addEventListener("click", open);

  const asking = onSceneOrTable((scene, table) => {
    offers = table.simulated ? table.boxes : [];
    button.hidden = !offers.length;
    going = scene.rules !== null && (scene.phase === "play" || scene.phase === "resume");
    const before = none;
    none = scene.rules === null;
    if (none && asks(table) && !document.querySelector("dialog[open]")) open();
    else if (before && !none && shown.open) shown.close(); // somebody else has begun one
  });
  const listeners = combineListeners(asking, request.listeners, { board: (said) => light(city, said) });
  return { listeners, refused: (text) => request.refused(text) };
}

// Return whether a table asks by itself what to play; with real hands a key begins a game, as on a real board.
/** @param {TableMessage} table */
function asks(table) {
  return table.simulated && table.power && !table.real_hands;
}

/** @type {(way: Way, choose: () => void) => HTMLButtonElement} */
function wayTicket({ ticket, title, words }, choose) {
  return make(
    "button",
    { type: "button", class: "way", "data-ticket": ticket, click: choose },
    make("strong", {}, title),
    make("span", {}, words),
  );
}

/** @type {(rules: string, title: string, choose: () => void) => HTMLButtonElement} */
function gameCard(rules, title, choose) {
  return make(
    "button",
    { type: "button", class: "game", "data-rules": rules, click: choose },
    make("strong", {}, GAMES[rules]?.[0] ?? title),
    make("span", {}, GAMES[rules]?.[1] ?? ""),
  );
}

// Make the button that opens the rules of a game.
/** @type {(rules: string, tellRules: (rules: string) => void) => HTMLButtonElement} */
function rulesButton(rules, tellRules) {
  const name = gettext("Rules of {game}", { game: GAMES[rules]?.[0] ?? rules });
  const tell = () => tellRules(rules);
  return make("button", { type: "button", class: "of-game", "aria-haspopup": "dialog", "aria-label": name, click: tell }, gettext("Rules"));
}

// Return where a game stands among the others: those that nobody has told of come last.
/** @param {string} rules */
function placeOf(rules) {
  const place = Object.keys(GAMES).indexOf(rules);
  return place < 0 ? Infinity : place;
}

// Make the choice of how well the computer plays.
/** @type {(names: string[], level: string, choose: (level: string) => void) => HTMLFieldSetElement} */
function levels(names, level, choose) {
  const choice = (/** @type {string} */ name) => {
    const radio = make("input", { type: "radio", name: "level", value: name, checked: name === level });
    radio.addEventListener("change", () => choose(name));
    return make("label", {}, radio, make("span", {}, LEVELS[name] ?? name));
  };
  return make("fieldset", { class: "levels" }, make("legend", {}, gettext("The computer plays")), ...names.map(choice));
}

// Return the seats in which people play who may say what they are called.
/** @type {(way: Way) => [string, string][]} */
function people({ computers }) {
  /** @type {[string, string][]} */
  const seats = [
    ["mr_x", computers.length ? gettext("Your name") : gettext("Mister X is called")],
    ["detectives", computers.length ? gettext("Your name") : gettext("The detectives are called")],
  ];
  return seats.filter(([seat]) => !computers.includes(seat));
}

// Tell how a phone comes to the table.
function join() {
  return [
    phoneInvitation(),
    make("p", {}, gettext("Mister X opens his screen here and chooses “Play on a phone”: his screen is his alone.")),
  ];
}

// Draw the city behind: the board on the table by night, with a few of its lamps.
/** @type {(city: HTMLElement, board: BoardMessage) => void} */
function light(city, { artwork, picture, stations, width, shown }) {
  const drawing = make("img", { alt: "", src: artwork === null ? `/boards/${picture}.svg` : `${artwork}#night` });
  const step = Math.max(1, Math.floor(stations.length / LAMPS));
  const lamps = stations.filter((_, n) => n % step === Math.floor(step / 2)).map(({ x, y }, n) => {
    const lamp = make("i", {});
    lamp.style.setProperty("left", `${(100 * x) / width}%`);
    lamp.style.setProperty("top", `${(100 * y) / shown}%`);
    lamp.style.setProperty("animation-delay", `${-n * 0.7}s`);
    return lamp;
  });
  const map = make("div", { class: "map" }, drawing, ...lamps);
  map.style.setProperty("aspect-ratio", `${width} / ${shown}`);
  city.replaceChildren(map);
}
