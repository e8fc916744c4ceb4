// The owner's session. The browser keeps it until the owner logs out or the table no longer knows it. Pages send it in
// a header, never in an address.

import { drop, keep, readKept } from "../page/browser_store.js";
import { NO_ANSWER } from "../page/connection.js";
import { gettext } from "../wording/gettext.js";

const KEPT = "yardboard-owner";
const LOGGED_OUT = 401;
const WRONG = 403;
const NOT_NOW = 503;

/** @typedef {{method?: "GET" | "POST", body?: BodyInit}} Asked the method and body of a request; GET by default */

/** The error that the table did not answer or is too busy. The page may ask again. */
export class AskAgain extends Error {}

/**
 * Return the session by which the table identifies this browser.
 * @returns {?string} null if it is not logged in
 */
export function ownerSession() {
  return readKept(KEPT);
}

/**
 * Log in, and reload the page as the owner's.
 * @param {{code: string} | {password: string}} secret what the table showed, or the owner's password
 * @returns {Promise<{why: string, again: boolean}>} the reason for a refusal, and whether the secret may be right later
 */
export async function logIn(secret) {
  try {
    const answer = await fetch("/owner/session", { method: "POST", body: JSON.stringify(secret) });
    /** @type {unknown} */
    const read = await answer.json();
    const given = /** @type {{session: string, error: string}} */ (read);
    if (!answer.ok) return { why: given.error, again: answer.status !== WRONG };
    keep(KEPT, given.session);
    location.reload();
    return { why: "", again: false };
  } catch {
    return { why: NO_ANSWER, again: true };
  }
}

/** End the session here and at the table. */
export async function logOut() {
  await askTable("/owner/leave", { method: "POST" }).catch(() => {}); // a table that is away ends it after half a day
  drop(KEPT);
  location.reload();
}

/**
 * Forget a session, because the table no longer knows it. If another tab has logged in again since, keep that session.
 * @param {?string} ended the session
 */
export function forgetSession(ended) {
  if (ownerSession() === ended) drop(KEPT);
}

/**
 * Ask the table for something, as the owner.
 * @param {string} path its path
 * @param {Asked} [asked] how
 * @param {number} [besides] another status than that of success with which the answer is one
 * @returns {Promise<Response>} the table's answer
 * @throws {Error} the table refuses it, or does not answer; the message says why, for people
 */
export async function askTable(path, asked = {}, besides = 200) {
  const session = ownerSession();
  const headers = { authorization: ["Bearer", session ?? ""].join(" ") };
  const answer = await fetch(path, { ...asked, headers }).catch(() => {
    throw new AskAgain(NO_ANSWER);
  });
  if (answer.ok || answer.status === besides) return answer;
  if (answer.status === LOGGED_OUT) forgetSession(session);
  /** @type {unknown} */
  const read = await answer.json().catch(() => ({ error: gettext("The table cannot do this now") }));
  const why = /** @type {{error: string}} */ (read).error;
  throw answer.status === NOT_NOW ? new AskAgain(why) : new Error(why);
}

/**
 * Ask the table for JSON, as the owner.
 * @param {string} path its path
 * @param {Asked} [asked] how
 * @param {number} [besides] another status than that of success with which the answer is one
 * @returns {Promise<unknown>} what the table says
 * @throws {Error} as `askTable`
 */
export async function askForJson(path, asked, besides) {
  const answer = await askTable(path, asked, besides);
  /** @type {unknown} */
  const read = await answer.json().catch(() => {
    throw new AskAgain(NO_ANSWER); // the line broke
  });
  return read;
}

/**
 * Return why something failed, for people.
 * @param {unknown} error what was thrown
 * @returns {string} its message
 */
export function reasonOf(error) {
  return error instanceof Error ? error.message : String(error);
}
