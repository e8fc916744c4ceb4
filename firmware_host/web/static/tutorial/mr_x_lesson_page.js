// Explains Mister X's lesson beside his own page.

import { listenToo, NO_ANSWER } from "../page/connection.js";
import { byId } from "../page/elements.js";
import { gettext } from "../wording/gettext.js";
import { ANEW, LessonCard } from "./lesson_card.js";
import { reactionTo, tellMrX } from "./mr_x_lesson.js";

/** @import { SeatMessage } from "../../messages.d.ts" */

/** @type {?SeatMessage} */
let seat = null;
let said = "";
let begun = false;
let away = ""; // why there is no table, if there is none
const card = new LessonCard(byId("lesson"), 3, [
  ["/", gettext("To the table")],
  ["/tutorial_mr_x", gettext("Once more")],
  ["/tutorial", gettext("Be the detective")],
]);

function tell() {
  const told = away ? { step: 0, words: away } : tellMrX(seat);
  card.say(told);
  const reaction = seat !== null && seat.scene.rules !== null && !told.done ? reactionTo(seat.scene) : "";
  if (reaction !== said) card.react((said = reaction));
}

listenToo({
  up() {
    away = "";
    tell();
    if (begun) card.react(ANEW);
    begun = true;
  },
  down(why) {
    away = why || NO_ANSWER;
    seat = null;
    tell();
  },
  seat(told) {
    seat = told;
    tell();
  },
  refused: ({ text }) => card.react(text),
});
tell();
