// Requests to root, for tasks that the table's user may not do, and their outcomes.

import { make } from "../page/elements.js";
import { gettext } from "../wording/gettext.js";
import { AskAgain, askForJson, askTable, reasonOf } from "./owner_session.js";

const AGAIN = 1000; // milliseconds between two looks at what became of a request
const UNSEEN = 15; // looks in a row after which nobody seems to carry requests out
const LONGEST = 1800; // looks after which the page stops looking: root has half an hour

/** @typedef {{state: null | "busy" | "begun" | "done" | "refused", text: string}} Outcome */

/**
 * Send a request to root, and show its outcome.
 * @param {HTMLElement} place where it is shown
 * @param {"restart" | "power-off" | "update"} what the kind of request
 * @returns {Promise<boolean>} whether it was done
 */
export async function askRoot(place, what) {
  try {
    const read = await askForJson("/owner/requests", { method: "POST", body: JSON.stringify({ do: what }) });
    return await followRequest(place, /** @type {{request: string}} */ (read).request);
  } catch (error) {
    sayRefused(place, error);
    return false;
  }
}

/**
 * Show the outcome of a request until it is done or refused. Meanwhile the table may not answer, as while it restarts.
 * @param {HTMLElement} place where it is shown
 * @param {string} request its id
 * @returns {Promise<boolean>} whether it was done
 * @throws {Error} the table refuses this page, for example because it is logged out
 */
export async function followRequest(place, request) {
  say(place, "waits", gettext("Asked…"));
  let unseen = 0;
  for (let looked = 0; looked < LONGEST && unseen < UNSEEN; looked += 1) {
    await new Promise((later) => setTimeout(later, AGAIN));
    const { state, text } = await outcomeOf(request);
    if (state === "done" || state === "refused") {
      say(place, state, state === "done" ? gettext("Done.") : gettext("Refused."), text);
      return state === "done";
    }
    if (state === "begun") say(place, "waits", gettext("It is being done…"));
    unseen = state === null ? unseen + 1 : 0;
  }
  await askTable(`/owner/requests/${request}/withdraw`, { method: "POST" });
  const [why, where] = unseen
    ? [gettext("Nobody carries requests out on this machine."), "systemctl status yardboard-requests.path"]
    : [gettext("The table cannot do this now"), "journalctl -u yardboard-requests"];
  say(place, "refused", why, where);
  return false;
}

/** @type {(request: string) => Promise<Outcome>} */
async function outcomeOf(request) {
  try {
    return /** @type {Outcome} */ (await askForJson(`/owner/requests/${request}`));
  } catch (error) {
    if (error instanceof AskAgain) return { state: "begun", text: "" }; // the table is away
    throw error;
  }
}

/**
 * Show the state of a request.
 * @param {HTMLElement} place the element that shows it
 * @param {"waits" | "done" | "refused"} state how it looks
 * @param {string} words the text to show
 * @param {string} [english] a program's own text about it
 */
export function say(place, state, words, english = "") {
  place.dataset["state"] = state;
  place.replaceChildren(words, ...(english ? [make("pre", { lang: "en", tabindex: 0 }, english)] : []));
}

/**
 * Show why something failed.
 * @param {HTMLElement} place the element that shows it
 * @param {unknown} error what was thrown
 */
export function sayRefused(place, error) {
  say(place, "refused", reasonOf(error));
}

/**
 * Create an element for the state of a request.
 * @returns {HTMLElement} the element, empty
 */
export function statusPlace() {
  return make("div", { class: "outcome", role: "status" });
}
