// Mister X's seat: what a tab or a phone with the seat stores, and how a page takes the seat, on the table's own
// machine or by a token.

import { IN_TAB, keep, readKept } from "../page/browser_store.js";
import { NO_ANSWER, TRY_AGAIN } from "../page/connection.js";
import { nonce } from "../page/nonce.js";

/** @import { Scene } from "../../messages.d.ts" */
/** @import { PhoneLink } from "../panels/phone_code.js" */

/** @typedef {{session: string} | {error: string}} Given the table's answer: a session, or the reason of a refusal */

const [WIDE, HIGH] = [1440, 960]; // pixels of his window, where the screen has so many: numbers are large then
const KEPT = "session"; // so a tab keeps it, over a reload; no other tab, host or port has it
const ON_PHONE = "yardboard-seat"; // so the browser of another machine keeps it: his tab may be closed there
const BY_TABLE = "by-table"; // so it keeps that it came from the table, and goes back there

const OWN = ["localhost", "127.0.0.1", "[::1]"]; // by these names a browser on the table's own machine calls it

const AGAIN = 2000; // milliseconds until the table is asked again
const LONGEST = 5000; // milliseconds that its answer may take

/**
 * Return this page's session: its tab's, or the one that a phone's browser got for a link.
 * @returns {?string} its session; null if it has none
 */
export function session() {
  return readKept(KEPT, IN_TAB) ?? (isOwnMachine() ? null : readKept(ON_PHONE));
}

/** @param {string} given */
function keepSession(given) {
  keep(KEPT, given, IN_TAB);
  if (!isOwnMachine()) keep(ON_PHONE, given);
}

/**
 * Return whether this browser is on the table's own machine, where Mister X needs no token.
 * @returns {boolean} true if it is
 */
export function isOwnMachine() {
  return OWN.includes(location.hostname);
}

/**
 * Return whether this tab was opened from the table's page, and returns there.
 * @returns {boolean} true if it was
 */
export function isByTable() {
  return readKept(BY_TABLE, IN_TAB) !== null;
}

/**
 * Return whether Mister X is the only person in a game: computers play all detectives.
 * @param {Scene} scene the table's scene
 * @returns {boolean} false where no game is in play
 */
export function isAlone(scene) {
  return scene.rules !== null && Object.values(scene.owners).every((owner) => String(owner) in scene.seats);
}

/**
 * Take the seat for this tab, if nobody has it; or keep it, if it is this tab's.
 * @returns {Promise<string>} the reason of a refusal, or ""
 */
export async function takeSeat() {
  try {
    const given = /** @type {Given} */ (await ask("/handset/seat", { nonce: nonce() }));
    if ("session" in given) keepSession(given.session);
    else if (session() === null) return given.error;
  } catch {
    return TRY_AGAIN;
  }
  keep(BY_TABLE, "yes", IN_TAB);
  return "";
}

/**
 * Open Mister X's page in its own window, for a person who plays alone, and give it the seat. A window from an earlier
 * game has an old seat.
 * @returns {boolean} whether there is such a window; some browsers open none
 */
export function openSeat() {
  const [wide, high] = [Math.min(WIDE, screen.availWidth), Math.min(HIGH, screen.availHeight)];
  const page = window.open("", "seat", `width=${wide},height=${high}`);
  if (!page) return false;
  for (const name of [KEPT, BY_TABLE]) keep(name, readKept(name, IN_TAB) ?? "", () => page.sessionStorage);
  page.location.assign("/seat");
  return true;
}

/**
 * Exchange the token in the address for a session. First the token is removed from the address.
 * @param {(text: string) => void} announce shows that it takes a while
 * @returns {Promise<string>} the reason of a refusal; "" if there is none, or no token
 */
export async function unlock(announce) {
  const token = location.hash.slice(1);
  history.replaceState(null, "", location.pathname);
  if (!token) return "";
  const asked = { token, nonce: nonce() };
  for (;;) {
    try {
      const given = /** @type {Given} */ (await ask("/handset/session", asked));
      if (!("session" in given)) return given.error;
      keepSession(given.session);
      return "";
    } catch {
      announce(NO_ANSWER);
      await new Promise((later) => setTimeout(later, AGAIN));
    }
  }
}

/**
 * Ask for an invitation: a link that gives the seat to another screen, once.
 * @returns {Promise<PhoneLink | {error: string}>} the link; or why there is none
 */
export async function invite() {
  try {
    return /** @type {PhoneLink | {error: string}} */ (await ask("/handset/invitation", { session: session() ?? "" }));
  } catch {
    return { error: TRY_AGAIN };
  }
}

// Ask the table for something about the seat. This fails if the table does not answer in time.
/** @type {(path: string, body: Record<string, string>) => Promise<unknown>} */
async function ask(path, body) {
  const answer = await fetch(path, { method: "POST", body: JSON.stringify(body), signal: AbortSignal.timeout(LONGEST) });
  return answer.json();
}
