// The page of a detectives' player, on their own phone: whose turn it is, their pawns, what each ticket reaches. It has
// only public data. At a simulated table the player moves pawns here; at a real board the page shows where to put them.

import { keep, readKept } from "./page/browser_store.js";
import { NO_ANSWER, openConnection } from "./page/connection.js";
import { byId, make, renewChildren, showIf, srOnly } from "./page/elements.js";
import { gettext } from "./wording/gettext.js";
import { combineListeners } from "./page/listeners.js";
import { tapKey } from "./page/holdable_keys.js";
import { nonce } from "./page/nonce.js";
import { showMoments } from "./moments/moments.js";
import { coachPanel } from "./panels/coach.js";
import { phonesAwaited } from "./panels/join_by_phone.js";
import { dicePanel } from "./panels/dice.js";
import { gameEnd } from "./panels/game_end.js";
import { LogLamps } from "./panels/log_lamps.js";
import { mrXLogPanel } from "./panels/mr_x_log.js";
import { newsPanel } from "./panels/news.js";
import { playersPanel } from "./panels/players.js";
import { successChipsPanel } from "./panels/success_chips.js";
import { addTableKeys } from "./panels/table_keys.js";
import { soleTurn } from "./panels/turn_and_prompt.js";
import { addUndo } from "./panels/undo.js";
import { DetectiveSeatsPanel } from "./player_pages/detective_seats.js";
import { wordsForBoard, DetectiveTurn, detectiveHeadline } from "./player_pages/detective_turn.js";
import { showOffView } from "./board/off_view.js";
import { askedByTable } from "./board/ticket_chooser.js";
import { PlayerMap } from "./player_pages/player_map.js";
import { PlayerMovePanel } from "./player_pages/player_move.js";
import { pullUp } from "./player_pages/pull_up.js";
import { shrinkToFit } from "./page/shrink_to_fit.js";
import { settingsDialog } from "./settings/settings_dialog.js";
import { cues } from "./sounds/cues.js";
import { tableSounds } from "./sounds/table_sounds.js";
import { keyNames, withKeyNames } from "./wording/key_names.js";
import { whyNotThere } from "./wording/illegal_move.js";
import { playersOf } from "./wording/player_names.js";
import { pawnDisc } from "./wording/signs.js";
import { keepAwake } from "./page/wake_lock.js";
import { pawnName } from "./wording/pawn_and_ticket_names.js";

/** @import { Order, PhonesMessage, Scene, TableMessage } from "../messages.d.ts" */

const KEPT = "yardboard-phone"; // so a browser keeps by what its phone is known
const MARK = 8; // number of its letters that the table publishes with each seat
const SLOW = 5000; // milliseconds after which the player may choose again if a move had no effect

const session = readKept(KEPT) ?? nonce();
keep(KEPT, session);

/** @type {?Scene} */
let scene = null; // none while the table does not answer
/** @type {PhonesMessage} */
let phones = { seats: {} };
/** @type {TableMessage} */
let table = { simulated: false, devices: [] };
let movable = false; // whether players move pawns on this page, not on a real board
/** @type {?string} */
let undoes = null; // the pawn whose move can be taken back
/** @type {?number} */
let seated = null; // the player of this phone, who sits down again after the table restarts
/** @type {?string} */
let looked = null; // the player's selected pawn
let wasOnTurn = "";
let ownDrawn = "";
let late = 0;

const say = (/** @type {Order} */ order) => {
  if (order.do === "choose") {
    clearTimeout(late);
    late = setTimeout(() => move.busy && move.refuse(""), SLOW);
  }
  if (order.do === "undo") move.refuse(""); // what is on its way is to come back
  return send(order);
};
const side = byId("side");
const line = byId("line");
const seats = new DetectiveSeatsPanel(byId("seats"), say);
const move = new PlayerMovePanel(byId("choose"), say, show);
const map = new PlayerMap(byId("board"), move, pick);
showOffView(map.board, byId("board"));
const awaited = phonesAwaited(side, () => false, false);
const end = gameEnd(map.board, byId("prompt").parentElement ?? side, side, () => say({ do: "again" }));
const lamps = new LogLamps();
const letSheetGo = pullUp(byId("sheet"), byId("pull"));

/** @type {(station: number, precise: boolean) => boolean} */
function pick(station, precise) {
  const turn = mine();
  if (!turn?.actor || move.busy) return false;
  if (precise && move.goTo(station)) return true;
  move.plan.clear(); // another station may be meant
  move.chosen = null;
  show();
  if (!move.pick(station)) {
    map.board.refuse(station);
    move.refuse(whyNotThere(scene, map.outline?.lines ?? [], turn.actor, station));
  }
  return true;
}

// Return the turn of this phone's player; null if the phone has no seat.
function mine() {
  const [player] = Object.entries(phones.seats).find(([, { mark }]) => mark === session.slice(0, MARK)) ?? [];
  const pawns = scene && playersOf(scene).get(Number(player));
  return scene && pawns ? new DetectiveTurn(scene, Number(player), pawns, looked) : null;
}

function show() {
  const turn = mine();
  showTurn(turn);
  seats.show(turn ? null : scene, phones);
  showOwn(turn);
  showMoves(turn);
  showIf("rise", turn !== null);
  end.allowAgain(turn !== null && movable);
}

/** @param {?DetectiveTurn} turn */
function showTurn(turn) {
  const onTurn = turn?.onTurn ?? false;
  const undo = turn !== null && (move.busy || turn.pawns.includes(undoes ?? ""));
  document.body.toggleAttribute("data-mine", onTurn);
  document.body.toggleAttribute("data-undoes", undo);
  byId("turn").textContent = onTurn ? gettext("It is your turn") : "";
  showSentence(turn);
  showIf("keys", movable && (undo || (onTurn && turn?.scene.prompt.keys.length !== 0)));
}

/** @param {?DetectiveTurn} turn */
function showSentence(turn) {
  const prompt = byId("prompt");
  prompt.dataset["of"] = (turn?.onTurn && turn.actor) || (scene ? soleTurn(scene) : "");
  renewChildren(prompt, make("span", { class: "hero" }, scene ? detectiveHeadline(scene, turn, move) : ""));
}

/** @param {?DetectiveTurn} turn */
function showMoves(turn) {
  const knowledge = knowledgeOf(turn);
  move.atOnce = movable;
  move.wordsForBoard = turn && (turn.onTurn && movable ? null : (step) => wordsForBoard(turn, step));
  move.setSeat(turn && { scene: turn.scene, knowledge }, map.outline);
  if (scene) map.show(scene, knowledge, turn?.onTurn && movable ? askedByTable(scene, table, say) : null);
}

/** @param {?DetectiveTurn} turn */
function knowledgeOf(turn) {
  return turn && turn.knowledge(map.outline?.lines ?? []);
}

// Show the player's pawns and where all pawns are. One of the player's is selected, and moved if it is its turn.
/** @param {?DetectiveTurn} turn */
function showOwn(turn) {
  const pawns = scene?.rules ? scene.pawns : {};
  const drawn = JSON.stringify([turn?.pawns, turn?.actor, turn?.name, pawns]);
  if (drawn === ownDrawn) return;
  ownDrawn = drawn;
  const look = (/** @type {string} */ pawn) => {
    looked = pawn;
    move.plan.clear();
    show();
    zoomToPawn();
    const button = byId("own").querySelector("[aria-pressed=true]");
    if (button instanceof HTMLElement) button.focus();
  };
  const buttons = turn?.pawns.map((pawn) => {
    const pressed = String(pawn === turn.actor);
    return make("button", { type: "button", class: "button", "aria-pressed": pressed, click: () => look(pawn) }, ...standing(pawn, pawns[pawn], true));
  });
  const name = turn?.name ? [make("bdi", {}, turn.name)] : [];
  byId("own").replaceChildren(...(buttons ?? []), ...name);
  showOthers(Object.entries(pawns).filter(([pawn]) => !turn?.pawns.includes(pawn)));
}

/** @param {[string, number][]} pawns */
function showOthers(pawns) {
  renewChildren(byId("others"), ...pawns.map(([pawn, at]) => make("li", {}, ...standing(pawn, at))));
}

// Show where a pawn is: by its sign and a number, and in words for screen readers, which differ from the map's.
/** @type {(pawn: string, at: number | undefined, own?: boolean) => Node[]} */
function standing(pawn, at, own = false) {
  const name = pawnName(pawn);
  const words = at === undefined ? name : gettext("{pawn}, on station {station}", { pawn: name, station: at });
  return [pawnDisc(pawn), srOnly(own ? gettext("Your pawn: {pawn}", { pawn: words }) : words), make("span", { "aria-hidden": "true" }, String(at ?? "–"))];
}

// On a small screen, zoom in on the selected pawn.
function zoomToPawn() {
  const turn = mine();
  const at = turn?.actor && turn.scene.pawns[turn.actor];
  if (at) map.zoomTo(at);
}

// Update the page after a change: this player may have a new seat, or the turn.
function renew() {
  let turn = mine();
  const now = turn?.onTurn ? turn.scene.turn.join() : "";
  const comes = now !== "" && now !== wasOnTurn;
  if (now !== wasOnTurn) {
    looked = null; // select the pawn that is to move again
    turn = mine();
  }
  wasOnTurn = now;
  const sits = turn !== null && turn.player !== seated;
  if (turn) {
    seated = turn.player;
    move.goOn({ scene: turn.scene, knowledge: knowledgeOf(turn) });
  }
  show();
  if (sits) letSheetGo();
  if (comes || sits) zoomToPawn();
}

// Take the seat again after a restart, because a restarted table has forgotten its seats.
function sitAgain() {
  if (seated === null || !scene || mine()) return;
  if (seated in phones.seats) seated = null; // another phone has taken it
  else if (playersOf(scene).has(seated)) say({ do: "sit", player: seated });
}

shrinkToFit(byId("head"));
settingsDialog(byId("settings"), ["board", "sound", "install"]);
document.addEventListener("keydown", ({ key }) => {
  if (key !== "Escape" || document.querySelector("dialog[open]") || map.chooser.drop() || move.drop()) return;
  if (move.busy) say({ do: "undo" });
});
byId("rise").addEventListener("click", () => {
  seated = null;
  say({ do: "rise" });
});

const panels = combineListeners(
  awaited,
  addTableKeys(byId("keys"), say),
  addUndo(byId("keys"), say),
  lamps.listeners,
  dicePanel(side, (key) => tapKey(say, key), () => movable && (mine()?.onTurn ?? false)),
  successChipsPanel(map.board.frame, lamps),
  mrXLogPanel(map.board.frame, lamps),
  coachPanel(side),
  playersPanel(side),
  newsPanel(side),
  showMoments(map.board),
  end,
  keepAwake(),
  tableSounds(byId("settings"), () => false, (before, now) => {
    const turn = mine();
    if (!turn) return [];
    const sounds = cues(before, now).filter((sound) => sound === "capture");
    return turn.onTurn && !turn.of(before).onTurn ? [...sounds, "your_turn"] : sounds;
  }),
);

const send = openConnection(
  "detective",
  combineListeners(
    keyNames,
    {
      up: () => (line.textContent = ""),
      down: (why) => {
        scene = null;
        move.refuse("");
        line.textContent = why || NO_ANSWER;
        show();
      },
      board: (said) => {
        map.setBoard(said);
        show();
      },
      pawns: (said) => {
        map.board.setPawns(said);
        const before = undoes;
        undoes = said.undo?.pawn ?? null;
        if (undoes !== before) show();
      },
      table: (said) => {
        table = said;
        movable = said.simulated && said.power && !said.real_hands;
        document.body.dataset.hands = movable ? "helped" : "real";
        show();
      },
      phones: (said) => {
        phones = said;
        renew();
        sitAgain();
      },
      scene: (said) => {
        scene = said;
        document.body.dataset.phase = said.phase;
        renew();
        sitAgain();
      },
      refused: ({ text }) => (mine() ? move : seats).refuse(withKeyNames(text)),
    },
    panels,
  ),
  session,
);
