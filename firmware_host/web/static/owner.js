// The owner's page of a real board: the public part of the game, and everything for the table's maintenance.

import { NO_ANSWER, openConnection } from "./page/connection.js";
import { byId } from "./page/elements.js";
import { combineListeners } from "./page/listeners.js";
import { askForAccess } from "./owner/access.js";
import { careSection } from "./owner/care_section.js";
import { healthSection } from "./owner/health_section.js";
import { forgetSession, logOut, ownerSession } from "./owner/owner_session.js";
import { settingsSection } from "./owner/settings_section.js";
import { tableSection } from "./owner/table_section.js";
import { settingsDialog } from "./settings/settings_dialog.js";

/** @import { Send } from "./page/connection.js" */

/** @type {Send} */
let sendOrder = () => false;
const line = byId("line");
const parts = byId("parts");
/** @type {Record<string, () => void>} */
const opened = {}; // part -> what to do when it is opened

// Show the part that the address names, or the first.
function showPart() {
  const named = location.hash.slice(1);
  const shown = ["table", ...Object.keys(opened)].includes(named) ? named : "table";
  for (const section of document.querySelectorAll(".part-of-page")) section.toggleAttribute("hidden", section.id !== shown);
  for (const link of parts.querySelectorAll("a")) {
    if (link.hash === `#${shown}`) link.setAttribute("aria-current", "page");
    else link.removeAttribute("aria-current");
  }
  opened[shown]?.();
  scrollTo(0, 0);
}

// Show the sections for the owner, once the table has let this page in.
/** @param {string} session */
function open(session) {
  const health = healthSection(byId("condition"));
  Object.assign(opened, {
    setup: settingsSection(byId("setup")),
    condition: health.open,
    care: careSection(byId("care")),
  });
  const listeners = combineListeners(tableSection((order) => sendOrder(order)), health.listeners, {
    up: () => {
      line.textContent = "";
      if (!parts.hidden) return;
      parts.hidden = byId("leave").hidden = false;
      document.body.toggleAttribute("data-open", true);
      showPart();
    },
    down: (why) => {
      line.textContent = why ? "" : NO_ANSWER;
      if (!why) return;
      forgetSession(session);
      if (ownerSession() !== null) {
        location.reload(); // another tab has logged in since
        return;
      }
      for (const section of document.querySelectorAll(".part-of-page")) section.toggleAttribute("hidden", true);
      parts.hidden = byId("leave").hidden = true;
      document.body.toggleAttribute("data-open", false);
      askForAccess(byId("access"), why);
    },
  });
  addEventListener("hashchange", showPart);
  sendOrder = openConnection("owner", listeners, session);
}

settingsDialog(byId("settings"));
byId("leave").addEventListener("click", () => void logOut());
const session = ownerSession();
if (session === null) askForAccess(byId("access"), "");
else open(session);
