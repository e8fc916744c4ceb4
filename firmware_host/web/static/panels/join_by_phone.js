// How a phone joins: the code and the link of the page on which a detectives' player chooses a seat. The user opens it.
// It also opens automatically while a game waits for a phone, or a phone is disconnected.

import { addPanel, make, renewChildren } from "../page/elements.js";
import { fetchJson } from "../page/fetch_json.js";
import { gettext } from "../wording/gettext.js";
import { joinWords } from "../wording/joining.js";
import { pawnName } from "../wording/pawn_and_ticket_names.js";
import { playersOf } from "../wording/player_names.js";
import { dialog, openBy } from "./dialogs.js";
import { phoneCode } from "./phone_code.js";

/** @import { PhonesMessage, Scene } from "../../messages.d.ts" */
/** @import { Listeners } from "../page/listeners.js" */
/** @import { PhoneLink } from "./phone_code.js" */

const AWAY = 5000; // milliseconds without its page after which a phone counts as away: it may only load it again

/** How to use the code. */
const HOW_TO_JOIN = gettext("Scan the code with each phone, or open the link there, and choose whom you play. One phone, one player.");

/**
 * Create the invitation for the phones of the detectives' players. It asks the table for the link at once.
 * @returns {HTMLElement} an element that fills itself
 */
export function phoneInvitation() {
  const said = make("div", { class: "invitation" });
  const here = make("a", { class: "button", href: "/detective" }, gettext("Join on this device"));
  const ask = () =>
    fetchJson("/detective/link").then(
      (link) => said.replaceChildren(...phoneCode(/** @type {PhoneLink} */ (link), HOW_TO_JOIN, ask), here),
      (/** @type {unknown} */ error) => said.replaceChildren(make("p", { role: "alert" }, /** @type {Error} */ (error).message)),
    );
  void ask();
  return said;
}

/**
 * Let a button show the invitation, on a page for spectators.
 * @param {HTMLElement} button the button
 */
export function joinByPhone(button) {
  const content = make("div", {});
  openBy(button, dialog("join", gettext("Join by phone"), content), () => content.replaceChildren(phoneInvitation()));
}

/**
 * Add the panel of the players' phones: who has joined, whose phone is away, and the code while a phone is awaited.
 * @param {Element} place the element to put it in
 * @param {() => boolean} expects returns whether the game also waits for phones that have never joined
 * @param {boolean} lists whether the panel lists who has joined
 * @returns {Listeners} its listeners
 */
export function phonesAwaited(place, expects, lists) {
  const { section, body } = addPanel(place, "awaited", gettext("Phones"));
  const [away, code] = [make("div", { role: "status" }), make("div", { class: "scanned" })];
  body.append(away, code);
  place.prepend(section);
  /** @type {?Scene} */
  let scene = null;
  /** @type {PhonesMessage} */
  let phones = { seats: {} };
  /** @type {Map<string, ReturnType<typeof setTimeout>>} */
  const lost = new Map(); // player whose phone's line is lost -> when it counts as away
  /** @type {Set<string>} */
  const missing = new Set(); // players whose phone is away
  let asked = false;

  function show() {
    const missed = playersIn(scene).filter(([player]) => missing.has(player));
    const waits = missed.length > 0 || (expects() && scene !== null && waitsForPhones(scene, phones));
    const joined = lists ? playersIn(scene).filter(([player]) => phones.seats[player]?.here) : [];
    renewChildren(
      away,
      ...joined.map(([, player]) => make("p", { class: "joined" }, gettext("{player} has joined.", { player }))),
      ...missed.map(([, player]) => make("p", { class: "away" }, gettext("{player}'s phone is away.", { player }))),
    );
    code.hidden = !waits;
    section.hidden = !away.hasChildNodes() && !(waits && code.hasChildNodes());
    if (waits && !asked) ask();
  }

  /** @param {string} player */
  function miss(player) {
    missing.add(player);
    show();
  }

  function ask() {
    asked = true;
    fetchJson("/detective/link").then(
      (answer) => {
        const link = /** @type {PhoneLink} */ (answer);
        if (link.here) return; // no phone could open it
        code.replaceChildren(...phoneCode(link, HOW_TO_JOIN, ask));
        show();
      },
      () => (asked = false), // it is asked for again with the next scene
    );
  }

  return {
    scene(said) {
      scene = said;
      show();
    },
    phones(said) {
      phones = said;
      asked &&= code.hasChildNodes(); // phones may have been let in since
      const gone = Object.keys(said.seats).filter((player) => !said.seats[player]?.here);
      for (const [player, timer] of lost) {
        if (gone.includes(player)) continue;
        clearTimeout(timer);
        lost.delete(player);
        missing.delete(player);
      }
      for (const player of gone) if (!lost.has(player)) lost.set(player, setTimeout(() => miss(player), AWAY));
      show();
    },
  };
}

// Return the players of a game in play whose phones are known: the number of each, and their name.
/** @type {(scene: ?Scene) => [string, string][]} */
function playersIn(scene) {
  if (scene === null || scene.rules === null || scene.ended) return [];
  const { names } = scene;
  return [...playersOf(scene)].map(([player, pawns]) => {
    const moved = joinWords(pawns.map(pawnName));
    return [String(player), names[player] || moved];
  });
}

// Return whether players may still join by phone: at the start of a game, or later if others have joined by phone.
/** @type {(scene: Scene, phones: PhonesMessage) => boolean} */
function waitsForPhones(scene, { seats }) {
  if (scene.rules === null || scene.ended) return false;
  const free = [...playersOf(scene).keys()].some((player) => !seats[player]);
  return free && (scene.phase === "set_up" || scene.round <= 1 || Object.keys(seats).length > 0);
}
