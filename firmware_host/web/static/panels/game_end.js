// The end of a game on every page: the stage on the board, and in the column how the game ended, Mister X's route as a
// list, and what to do next: play the same game again, watch the replay, or share a picture.

import { make, renewChildren, srOnly } from "../page/elements.js";
import { move } from "../page/motion.js";
import { gettext, ngettext } from "../wording/gettext.js";
import { meansName, pawnName, ticketName } from "../wording/pawn_and_ticket_names.js";
import { ticketSign } from "../wording/signs.js";
import { roundsOf } from "../board/route_line.js";
import { Finale } from "../moments/finale.js";
import { shareKey } from "./share_game.js";

/** @import { Ending, GameScene, Scene } from "../../messages.d.ts" */
/** @import { Board } from "../board/board.js" */
/** @import { Listeners } from "../page/listeners.js" */

const SAID = new Set(["captured", "walked_in", "trapped", "escaped"]); // reasons that the sentence itself gives

/** @typedef {Listeners & {allowAgain(may: boolean): void}} GameEnd what it listens to; lets this page begin a game */

/**
 * Show the end of a game on a page.
 * @param {Board} board on which the route is drawn
 * @param {Element} head the element with the page's sentence; the sentence about the end replaces it
 * @param {Element} side the column; the route and the keys are put at its top
 * @param {() => void} [playAgain] begins the same game again, on a page that can
 * @returns {GameEnd} what it listens to; "again" is offered once the page is allowed to
 */
export function gameEnd(board, head, side, playAgain) {
  const finale = new Finale(board);
  const announcement = make("p", { class: "unseen", role: "status" });
  const who = make("p", { class: "who" });
  const line = make("h2", { id: "end-title" });
  const why = make("p", { class: "why" });
  const list = make("ol", { class: "journey", tabindex: 0, "aria-label": gettext("Mister X's route") });
  const again = make("button", { type: "button", class: "button main", id: "again", hidden: true, click: () => playAgain?.() }, gettext("Again"));
  const replay = make("a", { class: "button", id: "look-again", hidden: true }, gettext("Replay"));
  const share = shareKey();
  const keys = make("div", { class: "end-keys" }, again, replay, share.button, share.status);
  const words = make("div", { id: "ending", hidden: true }, who, line, why);
  const section = make("section", { id: "end", class: "part", "aria-labelledby": line.id, hidden: true }, list, keys);
  head.append(words, announcement);
  side.prepend(section);

  /** @type {?number} */
  let newest = null; // the newest finished game that is known of,
  /** @type {?number} */
  let before = null; // and what it was while this one was played
  /** @type {?Scene} */
  let scene = null;

  function offerGame() {
    const number = newest === before ? null : newest;
    replay.hidden = number === null;
    replay.href = `/games/${number}`;
    share.offer(number === null ? null : { number, text: announcement.textContent });
  }

  /** @type {(ended: GameScene, ending: Ending, now: boolean) => void} */
  function show(ended, ending, now) {
    who.textContent = ending.who;
    line.replaceChildren(...coloured(ending));
    why.textContent = (SAID.has(ended.outcome?.reason ?? "") ? [] : [ending.why]).concat(fromWhere(ended)).join(" ");
    renewChildren(list, ...rows(ended, board));
    announcement.textContent = `${ending.who}. ${ending.headline}.`;
    const options = finale.show(ended, now);
    if (now && options.delay) move(words, [{ opacity: 0 }, { opacity: 1 }], options);
  }

  return {
    allowAgain: (may) => (again.hidden = !may),
    games(said) {
      newest = said.newest;
      if (scene?.ended === null) before = newest;
      offerGame();
    },
    board: () => scene?.ended && scene.rules !== null && finale.show(scene, false),
    scene(said) {
      const had = scene;
      scene = said;
      const ending = said.rules === null ? null : said.ended;
      if (ending === null) before = newest;
      if (JSON.stringify(had?.ended ?? null) === JSON.stringify(ending)) return;
      section.hidden = words.hidden = ending === null;
      document.body.toggleAttribute("data-ended", ending !== null);
      announcement.textContent = "";
      if (said.rules === null || ending === null) finale.clear();
      else show(said, ending, had !== null && had.ended === null);
      offerGame();
    },
  };
}

// Return the sentence, with the catcher's name in its colour.
/** @param {Ending} ending */
function coloured({ headline, by }) {
  const name = by ? pawnName(by) : "";
  const at = name ? headline.indexOf(name) : -1;
  if (at < 0) return [headline];
  return [headline.slice(0, at), make("b", { "data-of": by }, name), headline.slice(at + name.length)];
}

// Return where Mister X began, how many moves he made, and how many of them hid their transport.
/** @param {GameScene} scene */
function fromWhere({ route, log }) {
  const [start] = route;
  if (start === undefined || route.length < 2) return [];
  const black = log.filter(({ ticket }) => ticket === "black").length;
  const from = { start, black };
  const count = route.length - 1;
  if (black === 1) return [ngettext("From {start} in {count} move, one of them black.", "From {start} in {count} moves, one of them black.", count, from)];
  if (black) return [ngettext("From {start} in {count} move, {black} of them black.", "From {start} in {count} moves, {black} of them black.", count, from)];
  return [ngettext("From {start} in {count} move.", "From {start} in {count} moves.", count, from)];
}

/** @type {(surfacing: number[], window: number) => string[]} */
function seenAt(surfacing, window) {
  return surfacing.includes(window) ? [gettext("seen")] : [];
}

// Return Mister X's route, one row for each move: its round, its ticket, its station, and a note.
/** @type {(scene: GameScene, board: Board) => HTMLElement[]} */
function rows({ route, log, surfacing, ended }, board) {
  const rounds = roundsOf(log);
  return route.slice(1).map((station, n) => {
    const ticket = log[n]?.ticket ?? "free";
    const by = (n === route.length - 2 && ended?.by) || "";
    const line = ticket === "black" && board.moves.only(route[n] ?? 0, station);
    const means = line ? [gettext("by {means}", { means: meansName(line) })] : [];
    const notes = [...means, ...(by ? [gettext("caught")] : seenAt(surfacing, n + 1))];
    return make(
      "li",
      {},
      make("span", { class: "number", "aria-hidden": "true" }, String(rounds[n] ?? n + 1)),
      ...(ticket === "free" ? [] : [ticketSign(ticket), srOnly(`${ticketName(ticket)}: `)]),
      make("b", {}, String(station)),
      make("span", { class: "note", "data-of": by }, notes.join(", ")),
    );
  });
}
