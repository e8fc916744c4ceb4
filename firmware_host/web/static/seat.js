// Mister X's page: his map, what each ticket reaches, and what he does. Under the cover there is nothing of it.

import { approachStation } from "./approach_station.js";
import { Board } from "./board.js";
import { openConnection } from "./connection.js";
import { byId, showIf } from "./elements.js";
import { isByTable, session, TRYING, unlock } from "./handset_seat.js";
import { LogLamps } from "./log_lamps.js";
import { mrXLogPanel } from "./panels/mr_x_log.js";
import { playersPanel } from "./panels/players.js";
import { seatInvitation } from "./panels/seat_invitation.js";
import { SeatMovePanel } from "./panels/seat_move.js";
import { Cover } from "./seat_cover.js";
import { dangersOf, SeatMarks } from "./seat_marks.js";
import { settingsDialog } from "./settings/settings_dialog.js";
import { headline, whenSeen } from "./seat_wording.js";
import { keepAwake } from "./wake_lock.js";

/** @import { BoardMessage, Scene, SeatMessage, Secrets } from "../messages.d.ts" */

const REACH = 30; // pixels from a station in which a tap is meant for it, where it can be reached

/** @type {?SeatMessage} */
let seat = null;
/** @type {?BoardMessage} */
let outline = null;
const cover = new Cover((open) => {
  show();
  if (open) approach();
});
const marks = new SeatMarks();
const side = byId("side");
const line = byId("line");
const board = new Board(byId("board"), undefined, {
  tap: (x, y) => pick(stationNear(x, y)),
  activateStation: ({ n }) => void pick(n),
});
const move = new SeatMovePanel(byId("choose"), (order) => send(order), show);
const lamps = new LogLamps();
const panels = [mrXLogPanel(side, lamps), playersPanel(side)];
const wake = keepAwake();
const invitation = document.body.dataset["lesson"] ? null : seatInvitation(side);

// The station that a tap means: one that can be reached, if it is near, or else the one that lies there.
/** @type {(x: number, y: number) => ?number} */
function stationNear(x, y) {
  const can = new Set(move.moves.map(({ to }) => to));
  const far = (/** @type {{x: number, y: number}} */ at) => Math.hypot(at.x - x, at.y - y);
  const within = Math.max(REACH / (board.zoom.scale || 1), outline?.radius ?? 0);
  const near = outline?.stations.filter((one) => can.has(one.n) && far(one) <= within) ?? [];
  return near.sort((one, other) => far(one) - far(other))[0]?.n ?? null;
}

/** @param {?number} station */
function pick(station) {
  return cover.open && station !== null && move.pick(station);
}

/** Show what the page may show now: all of it, or nothing that is secret. */
function show() {
  const looked = cover.open ? seat : null;
  move.setSeat(looked, outline);
  if (!cover.open) invitation?.close();
  byId("turn").textContent = looked?.mr_x ? whenSeen(looked.scene, looked.mr_x) : "";
  byId("prompt").textContent = looked ? headline(looked, move) : "";
  if (!seat) return;
  const secrets = looked?.mr_x ?? null;
  const shown = known(seat.scene, secrets);
  board.setScene(shown);
  showMarks(secrets);
  for (const panel of panels) panel.scene(shown);
}

// Return the scene with what only he knows put into it.
/** @type {(scene: Scene, secrets: ?Secrets) => Scene} */
function known(scene, secrets) {
  if (scene.rules === null || secrets === null) return scene;
  const { at, actor, stations } = secrets;
  const log = scene.log.map((entry) => ({ ...entry, station: stations[entry.window] ?? entry.station }));
  const pawns = at === null ? scene.pawns : { ...scene.pawns, [actor]: at };
  const moves = move.moves.map(({ to, ticket }) => ({ pawn: actor, to, tickets: [ticket] }));
  return { ...scene, pawns, log, moves };
}

/** @param {?Secrets} secrets */
function showMarks(secrets) {
  const { layers } = board;
  if (!layers) return;
  const can = new Set(secrets ? move.moves.map(({ to }) => to) : []);
  for (const n of layers.stations.byNumber.keys()) layers.stations.setLamp(n, can.has(n) ? "#fad032" : "");
  if (!secrets) {
    marks.clear();
    return;
  }
  const { moves, plan, chosen, threats } = move;
  marks.draw(layers, { secrets, moves, steps: plan.steps, chosen, threats });
  move.setDangers(dangersOf(secrets));
}

// On a small screen go so near to where he is that a finger hits what he can reach.
function approach() {
  const at = seat?.mr_x?.at;
  if (outline && at) approachStation(board, outline, at, move.moves.map(({ to }) => to));
}

settingsDialog(byId("settings"), ["board"]);
showIf("leave", isByTable());
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
      line.textContent = why ? refusal || why : TRYING;
    },
    board: (said) => {
      outline = said;
      board.setBoard(said);
      board.overlay.insertBefore(marks.layer, board.layers?.pawns.layer ?? null);
      lamps.listeners.board?.(said);
      show();
    },
    seat: (said) => {
      const from = seat?.mr_x?.at;
      seat = said;
      cover.allow(true);
      wake.scene(said.scene);
      cover.configure(said.hold, said.quiet_s);
      showIf("small", said.small);
      move.goOn(said);
      show();
      if (cover.open && said.mr_x?.at !== from) approach();
    },
    refused: ({ text }) => move.refuse(text),
  },
  session(),
);
