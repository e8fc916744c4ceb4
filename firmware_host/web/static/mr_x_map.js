// Mister X's page: his map, what each ticket reaches, and his choices. While covered, the page contains none of it.

import { NO_ANSWER, openConnection } from "./page/connection.js";
import { byId, make, renewChildren, showIf } from "./page/elements.js";
import { combineListeners } from "./page/listeners.js";
import { showMoments } from "./moments/moments.js";
import { dicePanel } from "./panels/dice.js";
import { LogLamps } from "./panels/log_lamps.js";
import { gameEnd } from "./panels/game_end.js";
import { mrXLogPanel } from "./panels/mr_x_log.js";
import { newsPanel } from "./panels/news.js";
import { playersPanel } from "./panels/players.js";
import { successChipsPanel } from "./panels/success_chips.js";
import { soleTurn } from "./panels/turn_and_prompt.js";
import { Cover } from "./player_pages/cover.js";
import { isAlone, isByTable, isOwnMachine, session, unlock } from "./player_pages/mr_x_seat.js";
import { headline, whenSeen } from "./player_pages/mr_x_words.js";
import { playOnAPhone } from "./player_pages/play_on_a_phone.js";
import { PlayerMap } from "./player_pages/player_map.js";
import { PlayerMovePanel } from "./player_pages/player_move.js";
import { settingsDialog } from "./settings/settings_dialog.js";
import { shrinkToFit } from "./page/shrink_to_fit.js";
import { captionRefusals } from "./sounds/refusal_signal.js";
import { keepAwake } from "./page/wake_lock.js";
import { gettext } from "./wording/gettext.js";
import { keyNames, withKeyNames } from "./wording/key_names.js";
import { whyMrXCannotGo } from "./wording/illegal_move.js";

/** @import { GameScene, LastMove, Scene, SeatMessage, Secrets } from "../messages.d.ts" */

const SEEN = 2500; // milliseconds in which he sees what he has done, before his map is covered at the table's screen

/** @type {?SeatMessage} */
let seat = null;
let covering = 0;
const cover = new Cover(() => show(), () => move.drop());
/** @type {?number} */
let followed = null; // the station to which the map has come; null under the cover
const side = byId("side");
const line = byId("line");
const menu = byId("menu");
const prompt = byId("prompt");
const move = new PlayerMovePanel(byId("choose"), (order) => send(order), show);
const map = new PlayerMap(byId("board"), move, pick);
const undo = make("button", { type: "button", id: "undo", hidden: true, "aria-label": gettext("Undo"), click: () => move.drop() }, "↶");
byId("board").append(undo);
const lamps = new LogLamps();
const panels = combineListeners(
  lamps.listeners,
  dicePanel(side),
  successChipsPanel(map.board.frame, lamps),
  mrXLogPanel(map.board.frame, lamps),
  playersPanel(side),
  newsPanel(side),
);
const moments = showMoments(map.board);
const wake = keepAwake();
const lesson = "lesson" in document.body.dataset;
const end = gameEnd(map.board, byId("prompt").parentElement ?? side, side, lesson ? undefined : () => send({ do: "again" }));
const invitation = lesson ? null : playOnAPhone(byId("invite"));

/** @type {(station: number, precise: boolean) => boolean} */
function pick(station, precise) {
  if (!cover.open) return false;
  const picked = (precise && move.goTo(station)) || move.pick(station);
  if (!picked) sayWhyNot(station);
  return picked;
}

// Show why Mister X cannot go to the tapped station.
/** @param {number} station */
function sayWhyNot(station) {
  const from = move.from;
  if (!seat?.mr_x || from === null) return;
  map.board.refuse(station);
  move.refuse(whyMrXCannotGo(seat.scene, map.outline?.lines ?? [], seat.mr_x.actor, from, station));
}

/** Show what the page may show now: everything, or only what is not secret. */
function show() {
  placeKeys();
  const looked = cover.open ? seat : null;
  move.setSeat(looked && { scene: looked.scene, knowledge: looked.mr_x }, map.outline);
  if (!cover.open) invitation?.close();
  showSentence(looked);
  if (!seat) return;
  const secrets = looked?.mr_x ?? null;
  const shown = known(seat.scene, secrets);
  map.show(shown, secrets);
  panels.scene?.(shown);
  follow(secrets);
}

/** @param {typeof seat} looked the messages that the page may show; null while they are covered */
function showSentence(looked) {
  byId("turn").textContent = looked?.mr_x ? whenSeen(looked.scene, looked.mr_x) : "";
  prompt.setAttribute("data-of", looked ? soleTurn(looked.scene) : "");
  renewChildren(prompt, ...(looked ? [make("span", { class: "hero" }, headline(looked, move))] : []));
}

// The links to other pages are on the cover, or below the covered part. Undo is shown while a move is planned.
function placeKeys() {
  const place = byId(cover.open ? "secret" : "covered");
  if (menu.parentElement !== place) place.append(menu);
  undo.hidden = !cover.open || !move.planned;
}

// On a small screen, zoom in on his station, or on the one after the first half of a double move, once the choices have
// taken their space.
/** @param {?Secrets} secrets what he knows; null while that is covered */
function follow(secrets) {
  const next = move.busy || move.plan.complete ? followed : move.from;
  const at = secrets === null ? null : next ?? secrets.at;
  if (at === followed) return;
  followed = at;
  if (at === null) map.leave();
  else requestAnimationFrame(() => requestAnimationFrame(() => cover.open && map.zoomTo(at)));
}

// Return the scene with Mister X's own knowledge. It omits the coach, who advises the detectives.
/** @type {(scene: Scene, secrets: ?Secrets) => Scene} */
function known(scene, secrets) {
  if (scene.rules === null) return scene;
  const coach = { ...scene.coach, stations: {}, advice: null };
  if (secrets === null) return { ...scene, coach };
  const { at, actor, stations } = secrets;
  const log = scene.log.map((entry) => ({ ...entry, station: stations[entry.window] ?? entry.station }));
  const pawns = at === null ? scene.pawns : { ...scene.pawns, [actor]: at };
  const moves = move.moves.map(({ to, ticket }) => ({ pawn: actor, to, tickets: [ticket] }));
  return { ...scene, pawns, log, moves, coach, last_moves: lastMovesWith(scene, stations) };
}

// Return the last moves: the public ones, but with Mister X's own moves, which only he knows.
/** @type {(scene: GameScene, stations: number[]) => LastMove[]} */
function lastMovesWith({ last_moves: seen, log }, stations) {
  const [from, to] = stations.slice(-2);
  const ticket = log.at(-1)?.ticket;
  if (ticket === undefined || from === undefined || to === undefined) return seen;
  const others = seen.filter(({ pawn }) => pawn !== "mr_x");
  return from === to ? others : [...others, { pawn: "mr_x", from, to, ticket }];
}

// Return whether Mister X has to move.
function isMoving() {
  return (seat?.mr_x?.choices.length ?? 0) > 0;
}

// At the table's own screen, others look at the screen next: cover the map again after Mister X's move.
/** @param {boolean} was whether he was to move before */
function coverAfterMove(was) {
  if (isMoving()) clearTimeout(covering); // a move that was taken back, or the next one
  if (!was || isMoving() || !isByTable() || !isOwnMachine() || !seat || seat.scene.rules === null) return;
  if (!isAlone(seat.scene)) covering = setTimeout(() => cover.cover(), SEEN);
}

captionRefusals();
settingsDialog(byId("settings"), ["board"]);
shrinkToFit(byId("head"));
showIf("leave", isByTable() || isOwnMachine());
addEventListener("hashchange", () => location.reload()); // another token, for the page that is open already

let refusal = await unlock((text) => (line.textContent = text));
const send = openConnection(
  "handset",
  {
    up: () => {
      refusal = "";
      line.textContent = "";
    },
    down: (why) => {
      cover.cover(); // first: the page must not show the table's last message
      cover.allow(false);
      wake.down();
      seat = null;
      move.refuse(""); // an order may be lost; the next scene will show it
      line.textContent = why ? refusal || why : NO_ANSWER;
    },
    board: (said) => {
      map.setBoard(said);
      panels.board?.(said);
      show();
      end.board?.(said);
    },
    games: (said) => end.games?.(said),
    seat: (said) => {
      keyNames.seat?.(said);
      const moving = isMoving();
      if (seat?.scene.ended && !said.scene.ended && !isAlone(said.scene)) cover.cover(); // others look at his end, too
      seat = said;
      document.body.dataset.phase = said.scene.phase;
      coverAfterMove(moving);
      cover.allow(true);
      wake.scene(said.scene);
      cover.configure({ alone: isAlone(said.scene), hold: said.hold, quiet: said.quiet_s });
      showIf("small", said.small);
      move.goOn({ scene: said.scene, knowledge: said.mr_x });
      end.allowAgain(!lesson && said.small);
      show();
      moments.scene?.(said.scene);
      end.scene?.(said.scene);
    },
    news: (said) => panels.news?.(said),
    refused: ({ text }) => move.refuse(withKeyNames(text)),
  },
  session(),
);
