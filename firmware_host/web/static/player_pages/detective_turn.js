// The texts and choices of a detectives' player's page, from public data only. Pure.

import { diceSentence } from "../wording/dice_words.js";
import { gettext } from "../wording/gettext.js";
import { keyName, withKeyNames } from "../wording/key_names.js";
import { joinWords } from "../wording/joining.js";
import { pawnName, ticketName } from "../wording/pawn_and_ticket_names.js";
import { describeLines } from "../wording/station_descriptions.js";

/** @import { Choice, Scene, GameScene, Secrets } from "../../messages.d.ts" */
/** @import { TicketQuestion } from "../board/ticket_chooser.js" */
/** @import { Step } from "./player_choices.js" */
/** @import { Lines } from "../wording/station_descriptions.js" */

/** One moment of the game, as one of the players sees it. */
export class DetectiveTurn {
  scene;
  player;
  pawns;
  /** @type {?string} */
  actor; // the pawn that is looked at, and moved if it is its turn

  /**
   * @param {Scene} scene the table's scene
   * @param {number} player the number of the player
   * @param {string[]} pawns the pawns that this player moves
   * @param {?string} looked the pawn that the player has selected
   */
  constructor(scene, player, pawns, looked) {
    this.scene = /** @type {GameScene} */ (scene); // there are no players without a game
    this.player = player;
    this.pawns = pawns;
    const { turn, moved } = this.scene;
    const next = pawns.find((pawn) => turn.includes(pawn)) ?? pawns.find((pawn) => !moved.includes(pawn));
    this.actor = looked !== null && pawns.includes(looked) ? looked : (next ?? pawns[0] ?? null);
  }

  /**
   * Return another moment for the same player.
   * @param {GameScene} scene how the table stood then
   * @returns {DetectiveTurn} that moment
   */
  of(scene) {
    return new DetectiveTurn(scene, this.player, this.pawns, null);
  }

  /**
   * The player's name.
   * @returns {string} a name; "" if the player gave none
   */
  get name() {
    return this.scene.names[this.player] ?? "";
  }

  /**
   * Whether the player has to move.
   * @returns {boolean} true if one of the player's pawns is on turn
   */
  get onTurn() {
    const { phase, turn, wrong, paused } = this.scene;
    return phase === "play" && !wrong && !paused && turn.some((pawn) => this.pawns.includes(pawn));
  }

  /**
   * Return where the player may go, or may be able to go on the next turn, by the lines and the tickets left.
   * @param {Lines} lines those of the board
   * @returns {Secrets} the input of the move panel and of the player's map; it contains no secret
   */
  knowledge(lines) {
    const { actor, scene } = this;
    const pawn = actor ?? "";
    const at = scene.pawns[pawn] ?? null;
    const now = scene.moves.filter((one) => one.pawn === pawn);
    const offered = now.flatMap(({ to, tickets }) => tickets.map((ticket) => move(pawn, to, ticket)));
    const later = at === null || scene.turn.includes(pawn) ? [] : ahead(scene, pawn, at, lines);
    const choices = offered.length ? offered : later;
    return { at, actor: pawn, stations: [], choices, doubles: [], shows: false, threats: {} };
  }
}

/** @type {(pawn: string, to: number, ticket: string) => Choice} */
function move(pawn, to, ticket) {
  return { kind: "pawn", pawn, to, ticket };
}

/** @type {(scene: GameScene, pawn: string, at: number, lines: Lines) => Choice[]} */
function ahead({ tickets }, pawn, at, lines) {
  const hand = tickets[pawn] ?? {};
  const isBobby = !("taxi" in hand) && Object.values(tickets).some((other) => "taxi" in other);
  const ways = [...describeLines(at, lines)].filter(([kind]) => (isBobby ? kind !== "boat" : hand[kind]));
  return ways.flatMap(([kind, ends]) => ends.map((to) => move(pawn, to, isBobby ? "free" : kind)));
}

/**
 * Return what the player has to do now.
 * @param {Scene} scene the table's scene
 * @param {?DetectiveTurn} turn the player's turn; null if the phone has no seat
 * @param {{busy: boolean, question: ?TicketQuestion}} choice whether a move is on its way, and the open question
 * @returns {string} a sentence
 */
export function detectiveHeadline(scene, turn, { busy, question }) {
  if (scene.rules === null) return gettext("There is no game yet.");
  if (scene.ended) return `${scene.ended.who}. ${scene.ended.why}`;
  if (busy) return gettext("On your way…");
  const pawn = turn?.onTurn ? turn.actor : null;
  if (pawn !== null && question) return byWhat(pawn, question);
  if (pawn !== null && !scene.prompt.keys.length) return whereTo(scene, pawn);
  return diceSentence(scene) || withKeyNames(scene.prompt.text);
}

/** @type {(pawn: string, question: TicketQuestion) => string} */
function byWhat(pawn, { station, ways }) {
  const tickets = joinWords(ways.map(({ ticket }) => ticketName(ticket)), "or");
  return gettext("{pawn} to {station}: {tickets}?", { pawn: pawnName(pawn), station, tickets });
}

/** @type {(scene: GameScene, pawn: string) => string} */
function whereTo({ turn, pawns, prompt }, pawn) {
  const station = pawns[pawn];
  if (!turn.includes(pawn)) return withKeyNames(prompt.text);
  if (station === undefined) return gettext("Choose where you begin.");
  return [gettext("{pawn} is on {station}.", { pawn: pawnName(pawn), station }), gettext("Where to?")].join(" ");
}

/**
 * Describe a move that was chosen on this page, but is made on the board.
 * @param {DetectiveTurn} turn the player
 * @param {Step} step the move
 * @returns {string} a sentence or two
 */
export function wordsForBoard({ scene, actor, onTurn }, { to, ticket }) {
  const pawn = pawnName(actor ?? "");
  if (!onTurn || !scene.turn.includes(actor ?? "")) return gettext("It is not {pawn}'s turn yet.", { pawn });
  if (ticket === "stay") {
    return gettext("Leave {pawn} where it stands, and press {key} at the table.", { pawn, key: keyName("confirm") });
  }
  const set = gettext("Set {pawn} down on {station}, at the table.", { pawn, station: to });
  const ways = scene.moves.find((one) => one.pawn === actor && one.to === to)?.tickets ?? [];
  return ways.length > 1 ? [set, gettext("When it asks by what, press {key}.", { key: keyName(ticket) })].join(" ") : set;
}
