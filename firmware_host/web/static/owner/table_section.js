// The table from afar: its prompt, its keys, and its games.

import { byId, make } from "../page/elements.js";
import { combineListeners } from "../page/listeners.js";
import { dialog, openBy } from "../panels/dialogs.js";
import { newGameDialog } from "../panels/new_game_dialog.js";
import { playersPanel } from "../panels/players.js";
import { showRefusals } from "../panels/refusals.js";
import { addTableKeys } from "../panels/table_keys.js";
import { turnAndPrompt } from "../panels/turn_and_prompt.js";
import { addUndo } from "../panels/undo.js";
import { gameRules } from "../panels/game_rules.js";
import { gettext } from "../wording/gettext.js";
import { keyName, keyNames } from "../wording/key_names.js";

/** @import { Order } from "../../messages.d.ts" */
/** @import { Send } from "../page/connection.js" */
/** @import { Listeners } from "../page/listeners.js" */

/**
 * Fill the section.
 * @param {Send} sendOrder sends an order
 * @returns {Listeners} its listeners
 */
export function tableSection(sendOrder) {
  let prompt = "";
  let begun = 0; // the number of the newest game
  const refusals = showRefusals(byId("refused"), (text) => game.refused(text));
  /** @type {(order: Order) => boolean} */
  const send = (order) => {
    if (byId("table").hidden) return false; // a letter that is pressed elsewhere presses no key of the table
    refusals.clear();
    return sendOrder(order.do === "key" || order.do === "undo" ? { ...order, prompt } : order);
  };
  const rules = gameRules(make("button"));
  const game = newGameDialog(send, rules.open, () => byId("prompt").focus());
  const place = byId("game");
  const begin = make("button", { type: "button", class: "button main", "aria-haspopup": "dialog", disabled: true }, gettext("New game…"));
  begin.addEventListener("click", () => game.open({}, () => {}));
  const giveUp = make("button", { type: "button", class: "button", "aria-haspopup": "dialog", hidden: true }, gettext("Give this game up…"));
  giveUpBy(giveUp, send, () => begun);
  place.append(
    make("h2", {}, gettext("The game")),
    make("div", { class: "row" }, begin, giveUp),
    make(
      "p",
      { class: "links" },
      make("a", { href: "/spectate" }, gettext("Watch the board")),
      make("a", { href: "/games" }, gettext("Past games")),
    ),
  );
  return combineListeners(
    keyNames,
    {
      scene: (scene) => {
        prompt = scene.prompt.text;
        giveUp.hidden = scene.rules === null || scene.phase === "over";
      },
      table: (said) => {
        begin.disabled = !said.boxes?.length;
        begun = said.begun ?? 0;
      },
    },
    turnAndPrompt(byId("turn"), byId("prompt"), byId("why")),
    addTableKeys(byId("keys"), send, undefined, keyName),
    addUndo(byId("keys"), send, true),
    playersPanel(byId("side")),
    game.listeners,
    rules.listeners,
    refusals.listeners,
  );
}

// Let a button ask for confirmation before the game in play ends, because then nobody wins it. A game that begins while
// the question is open is not given up.
/** @type {(button: HTMLElement, send: Send, newest: () => number) => void} */
function giveUpBy(button, send, newest) {
  let begun = 0; // the number of the game that the question is about
  const yes = make("button", { type: "button", class: "button main" }, gettext("Give it up"));
  const box = dialog("give-up", gettext("Give this game up?"), make("p", {}, gettext("It ends at once, and nobody wins.")), yes);
  yes.addEventListener("click", () => {
    send({ do: "give_up", begun });
    box.close();
  });
  openBy(button, box, () => {
    begun = newest();
  });
}
