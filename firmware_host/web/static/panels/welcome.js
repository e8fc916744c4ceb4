// The first page: what would you like to play? It has five tickets, then the games, then the levels of the computer.

import { byId, make } from "../page/elements.js";
import { svg } from "../page/svg.js";
import { languageChoice } from "../settings/settings_dialog.js";
import { GAMES, gameName } from "../wording/game_names.js";
import { GameRequest } from "./game_request.js";
import { takeSeat } from "../player_pages/mr_x_seat.js";
import { gettext } from "../wording/gettext.js";
import { combineListeners, onSceneOrTable } from "../page/listeners.js";
import { LEVELS, NameFields } from "../wording/player_names.js";
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
 * @property {string} title its name
 * @property {string} words a sentence about it
 * @property {string} stub who it is for
 * @property {string[]} computers the seats in which the computer plays
 */

/** @type {Way[]} */
const WAYS = [
  {
    ticket: "taxi",
    title: gettext("Chase Mister X"),
    words: gettext("You lead the detectives, the computer hides."),
    stub: gettext("Alone or together"),
    computers: ["mr_x"],
  },
  {
    ticket: "black",
    title: gettext("Be Mister X"),
    words: gettext("You hide, the computer hunts you."),
    stub: gettext("Alone"),
    computers: ["detectives"],
  },
  {
    ticket: "bus",
    title: gettext("Around this table"),
    words: gettext("People play, all at this screen."),
    stub: gettext("2 to 6 players"),
    computers: [],
  },
  {
    ticket: "boat",
    title: gettext("Join by phone"),
    words: gettext("Chase, hide or look on, on a screen of your own."),
    stub: gettext("With a code"),
    computers: [],
  },
  {
    ticket: "underground",
    title: gettext("Watch"),
    words: gettext("The computer plays both sides."),
    stub: gettext("Sit back"),
    computers: ["mr_x", "detectives"],
  },
];
const JOIN = "boat"; // the way on which no game begins, unless there is none
const USUAL = "medium";
const SEARCH_NEEDS = gettext(
  "Hard and expert need more software on the table's machine, the extra “players”: {command} in yardboard's folder.",
  { command: "pip install '.[players]'" },
);

const LAMPS = 9; // that breathe on the picture behind

/**
 * Add the first page.
 * @param {HTMLElement} opener opens it later
 * @param {Send} send sends an order
 * @param {OpenDetails} details opens the dialog with every detail of a game
 * @param {(rules: string) => void} showRules opens the rules of a game
 * @param {() => void} focusTurn puts the focus on the board, where a game is played by keyboard
 * @param {(joining: boolean) => void} awaitPhones called with every game: whether players are to join it by phone
 * @returns {{listeners: Listeners, refused: (text: string) => boolean}} what it listens to; `refused` is asked about
 *   every refusal: if it is this page's it says it
 */
export function welcomePage(opener, send, details, showRules, focusTurn, awaitPhones) {
  const city = make("div", { class: "city", "aria-hidden": "true" }, make("div", { class: "map" }), manInAHat());
  const content = make("div", { class: "content" });
  const warning = make("p", { class: "warning", role: "alert" });
  const shown = make("dialog", { id: "welcome", class: "by-night", "aria-labelledby": "welcome-title" }, city, content);
  document.body.append(shown);
  /** @type {GameOffer[]} */
  let offers = [];
  let going = false; // a game, which would be dropped
  /** @type {?boolean} */
  let none = null; // whether there is no game to go back to; null until the table reports this
  let level = USUAL;
  let askAgain = () => {}; // asks the current question again
  function warn(/** @type {string} */ text) {
    warning.textContent = text;
    if (text) warning.scrollIntoView({ block: "nearest" });
  }
  let byKeyboard = false; // whether it is asked for by a key
  let alone = false; // whether the game that is asked for has no other player than Mister X
  const request = new GameRequest(send, () => void begun(), warn);

  // Close the page. A person who plays Mister X alone gets to his map.
  async function begun() {
    shown.close();
    if (byKeyboard) focusTurn();
    if (alone && !(await takeSeat())) location.assign("/seat");
  }

  /**
   * @param {"ways" | "games"} view what is chosen
   * @param {...(Node|string)} children
   */
  function fill(view, ...children) {
    warn("");
    request.forget();
    shown.dataset["view"] = view;
    content.replaceChildren(...children);
    if (!warning.isConnected) content.append(warning);
  }

  function askWay() {
    const learn = make(
      "a",
      { class: "slip learn", href: "/tutorial" },
      make("span", {}, make("strong", {}, gettext("Learn in two minutes")), make("small", {}, gettext("Three moves on the real map, then you play"))),
      playSign(),
    );
    fill(
      "ways",
      make("div", { class: "opening" }, make("h2", { id: "welcome-title" }, "Yardboard"), make("p", { class: "lead" }, gettext("Somewhere in London a man in a hat has just bought a ticket.")), learn),
      make("ul", { class: "ways" }, ...WAYS.map((way, n) => make("li", {}, wayTicket(way, n + 1, () => askMore(way))))),
      foot(),
    );
    if (shown.open) learn.focus();
  }

  // Create the row of links below the tickets.
  function foot() {
    const link = (/** @type {string} */ text, /** @type {() => void} */ click) =>
      make("button", { type: "button", class: "link", "aria-haspopup": "dialog", click }, text);
    const back = make("button", { type: "button", class: "link", click: () => shown.close() }, gettext("Back to the table"));
    back.hidden = none === true;
    const past = make("a", { class: "link", href: "/games" }, gettext("Past games"));
    past.hidden = byId("past").hidden;
    return make(
      "footer",
      {},
      back,
      past,
      link(gettext("Settings"), () => byId("settings").click()), // the page's own button is below this dialog
      link(gettext("Rules"), () => showRules("classic")),
      languageChoice("welcome-language"),
    );
  }

  /** @param {Way} way */
  function askMore(way) {
    askAgain = () => askMore(way);
    const steps = way.ticket === JOIN ? [...join(), onward(askWay, button("main", gettext("Choose the game"), () => askGame(way)))] : games(way, askWay);
    fill("games", ...heading(way), ...steps);
    if (way.ticket !== JOIN) begins();
  }

  // The players' phones have joined, or will. Ask which game to play.
  /** @param {Way} way */
  function askGame(way) {
    askAgain = () => askGame(way);
    fill("games", ...heading(way), ...games(way, () => askMore(way)));
    begins();
  }

  function begins() {
    if (going) warn(DROPPED);
    const first = content.querySelector("input:checked, button");
    if (first instanceof HTMLElement) first.focus();
  }

  /** @param {Way} way */
  function heading({ ticket, title, words }) {
    return [make("h2", { id: "welcome-title", tabindex: -1, "data-ticket": ticket }, title), make("p", { class: "lead" }, words), warning];
  }

  /**
   * @param {Way} way
   * @param {() => void} back
   */
  function games(way, back) {
    const seats = () => Object.fromEntries(way.computers.map((seat) => [seat, level]));
    const names = new NameFields("way");
    names.ask(people(way));
    const begin = (/** @type {string} */ rules) => {
      names.keep();
      byKeyboard = document.activeElement?.matches(":focus-visible") ?? false;
      alone = way.computers.includes("detectives") && !way.computers.includes("mr_x");
      awaitPhones(way.ticket === JOIN);
      request.ask({ do: "new_game", rules, seats: seats(), ...names.wish });
    };
    const offered = offers.toSorted((one, other) => placeOf(one.rules) - placeOf(other.rules));
    const cards = offered.map((game) => gameCard(game, () => begin(game.rules), () => showRules(game.rules)));
    const needs = make("p", { class: "needs", role: "status" });
    const choose = (/** @type {string} */ chosen) => {
      level = chosen;
      if (!way.computers.length) return;
      const able = offered.map(({ levels: some }) => some.includes(level)); // not every game is played at every level
      for (const [n, card] of cards.entries()) card.allow(able[n] === true);
      const searches = offered.some(({ levels: some }) => some.includes("skilled") && !some.includes(chosen));
      needs.textContent = searches ? SEARCH_NEEDS : "";
    };
    choose(level);
    const all = () => {
      names.keep();
      shown.close();
      details(seats(), () => none && open());
    };
    return [
      ...(way.computers.length ? [levels(Object.keys(LEVELS), level, choose), needs] : []),
      names.element,
      make("ul", { class: "games" }, ...cards.map(({ element }) => element)),
      onward(back, button("quiet", gettext("Every option…"), all)),
    ];
  }

  const open = () => {
    if (shown.open) return;
    askWay();
    shown.showModal();
  };
  shown.addEventListener("cancel", (event) => none && event.preventDefault());
  // Also while nothing has the focus, but not in another dialog over this one.
  document.addEventListener("keydown", ({ key, target, ctrlKey, altKey, metaKey }) => {
    const within = !(target instanceof Element) || (target.closest("dialog") ?? shown) === shown;
    if (!shown.open || !within || shown.dataset["view"] !== "ways") return;
    if (ctrlKey || altKey || metaKey || target instanceof HTMLSelectElement) return;
    const way = WAYS[Number(key) - 1];
    if (way) askMore(way);
  });
  opener.addEventListener("click", open);

  const asking = onSceneOrTable((scene, table) => {
    const late = !offers.length;
    offers = table.simulated ? table.boxes : [];
    if (late && offers.length && shown.dataset["view"] === "games") askAgain(); // a ticket was chosen before they came
    opener.hidden = !offers.length;
    going = scene.rules !== null && (scene.phase === "play" || scene.phase === "resume");
    const before = none;
    none = scene.rules === null;
    if (none && asks(table) && !document.querySelector("dialog[open]")) open();
    else if (before && !none) shown.close(); // somebody else has begun one
  });
  const listeners = combineListeners(asking, request.listeners, { board: (said) => light(city, said) });
  return { listeners, refused: (text) => request.refused(text) };
}

// Return whether a table opens this page automatically. With real hands a key begins a game, as on a real board.
/** @param {TableMessage} table */
function asks(table) {
  return table.simulated && table.power && !table.real_hands;
}

/** @type {(way: Way, number: number, choose: () => void) => HTMLButtonElement} */
function wayTicket({ ticket, title, words, stub }, number, choose) {
  return make(
    "button",
    { type: "button", class: "slip way", "data-ticket": ticket, "aria-keyshortcuts": number, click: choose },
    make("strong", {}, title),
    make("span", {}, words),
    make("small", { "aria-hidden": "true" }, make("span", {}, stub), make("b", {}, String(number))),
  );
}

// Create a game's card, with a button that opens the game's rules.
/** @typedef {{element: HTMLLIElement, allow: (may: boolean) => void}} GameCard */
/** @type {(game: GameOffer, choose: () => void, showRules: () => void) => GameCard} */
function gameCard(game, choose, showRules) {
  const name = gameName(game);
  const why = make("small", { hidden: true }, gettext("Not at this level"));
  const card = make("button", { type: "button", class: "game", "data-rules": game.rules, click: choose }, make("strong", {}, name), make("span", {}, GAMES[game.rules]?.[1] ?? ""), why);
  const label = gettext("Rules of {game}", { game: name });
  const rules = make("button", { type: "button", class: "of-game", "aria-haspopup": "dialog", "aria-label": label, click: showRules }, "?");
  const allow = (/** @type {boolean} */ may) => {
    card.disabled = !may;
    why.hidden = may;
  };
  return { element: make("li", {}, card, rules), allow };
}

/** @type {(kind: string, text: string, click: () => void) => HTMLButtonElement} */
function button(kind, text, click) {
  return make("button", { type: "button", class: `button ${kind}`, click }, text);
}

// Create the row with the buttons to continue and to go back.
/** @type {(back: () => void, on: HTMLButtonElement) => HTMLElement} */
function onward(back, on) {
  return make("div", { class: "onward" }, on, button("", gettext("Back"), back));
}

// Return a game's place in the list; games without a description are last.
/** @param {string} rules */
function placeOf(rules) {
  const place = Object.keys(GAMES).indexOf(rules);
  return place < 0 ? Infinity : place;
}

// Create the choice of the computer's level.
/** @type {(names: string[], level: string, choose: (level: string) => void) => HTMLFieldSetElement} */
function levels(names, level, choose) {
  const choice = (/** @type {string} */ name) => {
    const radio = make("input", { type: "radio", name: "level", value: name, checked: name === level });
    radio.addEventListener("change", () => choose(name));
    return make("label", {}, radio, make("span", {}, LEVELS[name] ?? name));
  };
  return make("fieldset", { class: "levels" }, make("legend", {}, gettext("The computer plays")), ...names.map(choice));
}

// Return the seats of people, who may enter their names.
/** @type {(way: Way) => [string, string][]} */
function people({ computers }) {
  /** @type {[string, string][]} */
  const seats = [
    ["mr_x", computers.length ? gettext("Your name") : gettext("Mister X is called")],
    ["detectives", computers.length ? gettext("Your name") : gettext("The detectives are called")],
  ];
  return seats.filter(([seat]) => !computers.includes(seat));
}

// Show how a phone joins the table.
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
    lamp.style.setProperty("animation-delay", `${-n * 1.7}s`);
    return lamp;
  });
  const map = make("div", { class: "map" }, drawing, ...lamps);
  map.style.setProperty("aspect-ratio", `${width} / ${shown}`);
  city.querySelector(".map")?.replaceWith(map);
}

// Draw Mister X: a coat, a hat with a ticket in its band, and the light behind him. He has no face.
function manInAHat() {
  const path = (/** @type {string} */ kind, /** @type {string} */ d) => svg("path", { class: kind, d });
  const glow = [0.95, 0.62, 0.3, 0.08, 0].map((bright, n) => svg("stop", { offset: n / 4, "stop-opacity": bright }));
  const ticket = svg("g", { class: "stub", transform: "translate(296 92) rotate(8)" });
  ticket.append(
    path("paper", "M4 0h100a4 4 0 0 1 4 4v14a7 7 0 0 0 0 14v14a4 4 0 0 1-4 4H4a4 4 0 0 1-4-4V32a7 7 0 0 0 0-14V4a4 4 0 0 1 4-4z"),
    path("tear", "M27 4v42"),
    svg("text", { x: 66, y: 35 }, "TAXI"),
  );
  return svg(
    "svg",
    { class: "man", viewBox: "0 0 600 920", preserveAspectRatio: "xMidYMax meet" },
    svg("defs", {}, svg("radialGradient", { id: "his-light" }, ...glow)),
    svg("circle", { class: "light", cx: 300, cy: 290, r: 330, fill: "url(#his-light)" }),
    path("coat", "M-40 920C-36 640 20 508 118 444l20-98 162 206 162-206 20 98c98 64 154 196 158 476z"),
    path("coat", "M188 236c0 50 12 84 8 112-4 24-24 46-28 62l132 142 132-142c-4-16-24-38-28-62-4-28 8-62 8-112z"),
    path("edge", "M138 346l162 206 162-206M138 346l-20 98 108 188 74-80 74 80 108-188-20-98M300 552v368"),
    path("coat", "M176 206c2-70 12-130 34-152 18-18 56-16 90-2 34-14 72-16 90 2 22 22 32 82 34 152 40 2 92 18 104 34 8 12-14 26-50 34-54 12-116 18-178 18s-124-6-178-18c-36-8-58-22-50-34 12-16 64-32 104-34z"),
    ticket,
    path("band", "M178 160c70 22 174 22 244 0l2 46c-70 24-178 24-248 0z"),
    path("edge", "M178 160c70 22 174 22 244 0M176 206c70 24 178 24 248 0"),
  );
}

function playSign() {
  return svg("svg", { class: "play", viewBox: "0 0 24 24", "aria-hidden": "true" }, svg("path", { d: "M7 4.5v15l12-7.5z" }));
}
