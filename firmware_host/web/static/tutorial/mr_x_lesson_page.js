// Explains Mister X's lesson beside his own page.

import { listenToo, NO_ANSWER } from "../page/connection.js";
import { byId } from "../page/elements.js";
import { gettext } from "../wording/gettext.js";
import { RESTARTED, LessonCard } from "./lesson_card.js";
import { reactionTo, lessonStep } from "./mr_x_lesson.js";

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

function show() {
  const step = away ? { step: 0, words: away } : lessonStep(seat);
  card.say(step);
  const reaction = seat !== null && seat.scene.rules !== null && !step.done ? reactionTo(seat.scene) : "";
  if (reaction !== said) card.react((said = reaction));
}

listenToo({
  up() {
    away = "";
    show();
    if (begun) card.react(RESTARTED);
    begun = true;
  },
  down(why) {
    away = why || NO_ANSWER;
    seat = null;
    show();
  },
  seat(message) {
    seat = message;
    show();
  },
  refused: ({ text }) => card.react(text),
});
show();
