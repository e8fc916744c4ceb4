// Mister X's page: his map, what each ticket reaches, and what he does. Under the cover there is nothing of it.

import { NO_ANSWER, openConnection } from "./page/connection.js";
import { byId, showIf } from "./page/elements.js";
import { gettext, ngettext } from "./wording/gettext.js";
import { showMoments } from "./moments/moments.js";
import { LogLamps } from "./panels/log_lamps.js";
import { mrXLogPanel } from "./panels/mr_x_log.js";
import { playersPanel } from "./panels/players.js";
import { anotherGame } from "./player_pages/another_game.js";
import { Cover } from "./player_pages/cover.js";
import { isByTable, isOwnMachine, opensUncovered, session, unlock } from "./player_pages/mr_x_seat.js";
import { playOnAPhone } from "./player_pages/play_on_a_phone.js";
import { PlayerMap } from "./player_pages/player_map.js";
import { PlayerMovePanel } from "./player_pages/player_move.js";
import { settingsDialog } from "./settings/settings_dialog.js";
import { keepAwake } from "./page/wake_lock.js";
import { keyNames, withKeyNames } from "./wording/key_names.js";
import { whyMrXCannotGo } from "./wording/illegal_move.js";
import { FUGITIVES, pawnName } from "./wording/pawn_and_ticket_names.js";

/** @import { Scene, SeatMessage, Secrets } from "../messages.d.ts" */

const SEEN = 2500; // milliseconds in which he sees what he has done, before his map is covered at the table's screen

/** @type {?SeatMessage} */
let seat = null;
let covering = 0;
const cover = new Cover(() => show(), () => move.drop());
/** @type {?number} */
let followed = null; // the station to which the map has come; null under the cover
const side = byId("side");
const line = byId("line");
const move = new PlayerMovePanel(byId("choose"), (order) => send(order), show);
const map = new PlayerMap(byId("board"), move, pick);
const lamps = new LogLamps();
const panels = [mrXLogPanel(map.board.frame, lamps), playersPanel(side)];
const moments = showMoments(map.board);
const wake = keepAwake();
const lesson = "lesson" in document.body.dataset;
const again = lesson ? null : anotherGame(side, (order) => send(order), true);
const invitation = lesson ? null : playOnAPhone(side);

/** @type {(station: number, precise: boolean) => boolean} */
function pick(station, precise) {
  if (!cover.open) return false;
  const picked = (precise && move.goTo(station)) || move.pick(station);
  if (!picked) sayWhyNot(station);
  return picked;
}

// Say why he cannot go to a station that was meant.
/** @param {number} station */
function sayWhyNot(station) {
  const from = move.from;
  if (!seat?.mr_x || from === null) return;
  move.refuse(whyMrXCannotGo(seat.scene, map.outline?.lines ?? [], seat.mr_x.actor, from, station));
}

/** Show what the page may show now: all of it, or nothing that is secret. */
function show() {
  const looked = cover.open ? seat : null;
  move.setSeat(looked && { scene: looked.scene, own: looked.mr_x }, map.outline);
  if (!cover.open) invitation?.close();
  byId("turn").textContent = looked?.mr_x ? whenSeen(looked.scene, looked.mr_x) : "";
  byId("prompt").textContent = looked ? headline(looked, move) : "";
  if (!seat) return;
  const secrets = looked?.mr_x ?? null;
  const shown = known(seat.scene, secrets);
  map.show(shown, secrets);
  for (const panel of panels) panel.scene(shown);
  follow(secrets);
}

// On a small screen come near to where he is, or where the first half of a double move has led: once all that there is
// to choose has taken its room.
/** @param {?Secrets} secrets what he knows; null where nothing of it is to be seen */
function follow(secrets) {
  const next = move.busy || move.plan.complete ? followed : move.from;
  const at = secrets === null ? null : next ?? secrets.at;
  if (at === followed) return;
  followed = at;
  if (at === null) map.leave();
  else requestAnimationFrame(() => requestAnimationFrame(() => cover.open && map.zoomTo(at)));
}

// Return the scene with what only he knows put into it. The coach tells the detectives: his map has enough on it.
/** @type {(scene: Scene, secrets: ?Secrets) => Scene} */
function known(scene, secrets) {
  if (scene.rules === null) return scene;
  const coach = { ...scene.coach, stations: {}, advice: null };
  if (secrets === null) return { ...scene, coach };
  const { at, actor, stations } = secrets;
  const log = scene.log.map((entry) => ({ ...entry, station: stations[entry.window] ?? entry.station }));
  const pawns = at === null ? scene.pawns : { ...scene.pawns, [actor]: at };
  const moves = move.moves.map(({ to, ticket }) => ({ pawn: actor, to, tickets: [ticket] }));
  return { ...scene, pawns, log, moves, coach };
}

// Return whether he is to move.
function isMoving() {
  return (seat?.mr_x?.choices.length ?? 0) > 0;
}

// At the table's own screen others look next: once he has moved his map is covered again.
/** @param {boolean} was whether he was to move before */
function coverAfterMove(was) {
  if (isMoving()) clearTimeout(covering); // a move that was taken back, or the next one
  if (!was || isMoving() || !isByTable() || !isOwnMachine() || !seat || seat.scene.rules === null) return;
  const { owners, seats } = seat.scene;
  const others = Object.values(owners).some((owner) => !(String(owner) in seats));
  if (others) covering = setTimeout(() => cover.cover(), SEEN);
}

settingsDialog(byId("settings"), ["board"]);
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
      cover.cover(); // first: what is taken off the page is what the table told last
      cover.allow(false);
      wake.down();
      seat = null;
      move.refuse(""); // what was said may be lost; how the table stands will tell
      line.textContent = why ? refusal || why : NO_ANSWER;
    },
    board: (said) => {
      map.setBoard(said);
      lamps.listeners.board?.(said);
      show();
    },
    seat: (said) => {
      keyNames.seat?.(said);
      const moving = isMoving();
      seat = said;
      coverAfterMove(moving);
      cover.allow(true);
      wake.scene(said.scene);
      cover.configure(said.hold, said.quiet_s);
      if (opensUncovered()) cover.lift();
      showIf("small", said.small);
      move.goOn({ scene: said.scene, own: said.mr_x });
      again?.show(said.small && said.scene);
      show();
      moments.scene?.(said.scene);
    },
    refused: ({ text }) => move.refuse(withKeyNames(text)),
  },
  session(),
);

/**
 * Say what is to be done now.
 * @param {SeatMessage} told what the table has told
 * @param {{moves: unknown[], busy: boolean}} choice what may be chosen, and whether a choice is on its way
 * @returns {string} a sentence
 */
function headline({ scene, mr_x: his }, { moves, busy }) {
  if (scene.rules === null) return gettext("There is no game yet.");
  if (scene.ended) return `${scene.ended.who}. ${scene.ended.why}`;
  if (!his) return gettext("The computer plays Mister X: there is nothing to be seen here.");
  if (busy) return gettext("On your way…");
  if (!his.choices.length || scene.phase !== "play" || scene.wrong) return withKeyNames(scene.prompt.text);
  return his.at === null ? gettext("Choose where you begin.") : yourTurn(his, scene.double, moves.length > 0);
}

/** @type {(his: Secrets, half: number, goes: boolean) => string} */
function yourTurn({ at, actor }, half, goes) {
  const station = at ?? "";
  const where =
    actor === "mr_x"
      ? gettext("You are on {station}.", { station })
      : gettext("{pawn} is on {station}.", { pawn: pawnName(actor), station });
  if (half === 2) return `${where} ${gettext("Now the second move.")}`;
  return goes ? `${where} ${gettext("Where to?")}` : where;
}

/**
 * Say when he will be seen, or out of sight.
 * @param {Scene} scene how the table stands
 * @param {Secrets} secrets what he knows
 * @returns {string} a sentence, or "" where nothing is to be said
 */
function whenSeen(scene, { shows }) {
  if (scene.rules === null || scene.outcome || !scene.windows) return "";
  const next = scene.log.length + 1;
  const left = Array.from({ length: scene.windows - scene.log.length }, (_, n) => next + n);
  const marked = left.find((window) => scene.surfacing.includes(window) !== scene.in_sight);
  if (scene.in_sight) return marked === undefined ? "" : vanishing(marked, next);
  const now = FUGITIVES.some((pawn) => pawn in scene.pawns) ? `${gettext("They see you now.")} ` : "";
  if (shows) return `${now}${gettext("You are seen after your next move.")}`;
  return marked === undefined ? now : `${now}${surfacing(marked, next)}`;
}

/** @type {(window: number, next: number) => string} */
function surfacing(window, next) {
  return ngettext(
    "You are seen after move {window}; {count} move until then.",
    "You are seen after move {window}; {count} moves until then.",
    window - next,
    { window },
  );
}

/** @type {(window: number, next: number) => string} */
function vanishing(window, next) {
  if (window === next) return gettext("Your next move is hidden.");
  return ngettext(
    "Move {window} will be hidden; {count} move until then.",
    "Move {window} will be hidden; {count} moves until then.",
    window - next,
    { window },
  );
}
