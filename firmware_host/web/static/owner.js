// The owner's page of a real board: begins games and presses the table's keys, which needs no hidden knowledge.

import { NO_ANSWER, openConnection } from "./page/connection.js";
import { byId } from "./page/elements.js";
import { combineListeners } from "./page/listeners.js";
import { askForAccess } from "./owner/access.js";
import { logOut, ownerSession } from "./owner/owner_session.js";
import { tableSection } from "./owner/table_section.js";
import { settingsDialog } from "./settings/settings_dialog.js";

/** @import { Send } from "./page/connection.js" */

/** @type {Send} */
let sendOrder = () => false;
const line = byId("line");

settingsDialog(byId("settings"));
byId("leave").addEventListener("click", () => void logOut());

// Show what the owner can do, once the table has let this page in.
/** @param {string} session */
function open(session) {
  const section = byId("table");
  const listeners = combineListeners(tableSection((order) => sendOrder(order)), {
    up: () => {
      line.textContent = "";
      section.hidden = byId("leave").hidden = false;
    },
    down: (why) => {
      line.textContent = why || NO_ANSWER;
      if (why) askForAccess(byId("access"), why);
      section.hidden = Boolean(why);
    },
  });
  sendOrder = openConnection("owner", listeners, session);
}

const session = ownerSession();
if (session === null) askForAccess(byId("access"), "");
else open(session);
