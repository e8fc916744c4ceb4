// The detective's lesson: the table's own page without its menus, on a practice table, with explanations.

import { zoomToStation } from "./board/zoom_to_station.js";
import { openConnection } from "./page/connection.js";
import { DragController } from "./moving_pawns/drag_controller.js";
import { byId, make } from "./page/elements.js";
import { shortcutsEnabled } from "./page/keyboard_shortcuts.js";
import { gettext } from "./wording/gettext.js";
import { DetectiveLesson, withAdvice } from "./tutorial/detective_lesson.js";
import { RESTARTED, LessonCard } from "./tutorial/lesson_card.js";
import { signalRefusal } from "./sounds/refusal_signal.js";
import { withKeyNames } from "./wording/key_names.js";
import { combineListeners } from "./page/listeners.js";
import { addTableKeys } from "./panels/table_keys.js";
import { addUndo } from "./panels/undo.js";
import { PawnBox } from "./board/pawn_box.js";
import { settingsDialog } from "./settings/settings_dialog.js";
import { buildTableView } from "./page/table_view.js";

/** @import { BoardMessage, Scene } from "../messages.d.ts" */
/** @import { Board, Hands } from "./board/board.js" */
/** @import { Send } from "./page/connection.js" */
/** @import { Listeners } from "./page/listeners.js" */

/** @type {Send} */
let sendOrder = () => false;
/** @type {Listeners} */
let held = {};
let giveUp = () => {};
/** @type {?Board} */
let map = null;
/** @type {?BoardMessage} */
let outline = null;

const card = new LessonCard(byId("lesson"), 3, [
  ["/tutorial_mr_x", gettext("Now be Mister X")],
  ["/tutorial", gettext("Once more")],
  ["/", gettext("To the table")],
]);
let lesson = new DetectiveLesson();
const send = /** @type {Send} */ ((order) => sendOrder(order));
const refuse = (/** @type {string} */ why) => {
  card.react(withAdvice(why));
  signalRefusal();
};

// Create the hands that move pawns on this page.
/** @type {(board: Board) => Hands} */
function makeHands(board) {
  map = board;
  const drag = new DragController(board, send, refuse);
  held = drag.held.listeners;
  giveUp = () => drag.giveUp();
  return { drag, box: new PawnBox(byId("box"), drag) };
}

// On a small screen, zoom in on the detective so far that a finger can hit the stations in reach.
/** @param {Scene} scene */
function zoomToMove(scene) {
  if (!map || !outline || scene.rules === null) return;
  const [move] = scene.moves;
  const at = move && scene.pawns[move.pawn];
  if (at !== undefined) zoomToStation(map, outline, at, scene.moves.map(({ to }) => to));
}

settingsDialog(byId("settings"), ["board", "sound"]);

let said = "";
let begun = false;
const view = buildTableView(make("div"), makeHands, undefined, shortcutsEnabled);
/** @type {Listeners} */
const taught = {
  up() {
    if (begun) card.react(RESTARTED); // shown until the learner's next move has a result
    begun = true;
    said = "";
    lesson = new DetectiveLesson();
  },
  board: (message) => (outline = message),
  scene(scene) {
    const step = lesson.follow(scene);
    card.say(step);
    if (step.done) card.react("");
    else if (lesson.reaction !== said) card.react((said = lesson.reaction));
    if (scene.phase === "play" && !scene.in_hand.length) zoomToMove(scene);
  },
  refused: ({ text }) => refuse(withKeyNames(text)),
};
const controls = combineListeners(held, addTableKeys(byId("keys"), send, () => giveUp()), addUndo(byId("keys"), send));
sendOrder = openConnection("table", combineListeners(controls, view, taught));
