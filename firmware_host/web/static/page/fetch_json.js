// Asking the table for JSON over HTTP.

import { gettext } from "../wording/gettext.js";

/**
 * Ask the table for something as JSON; wait and ask again where the table is busy.
 * @param {string} address its path
 * @param {"GET" | "POST"} method POST where something is to be done, too
 * @returns {Promise<unknown>} what the table says
 * @throws {Error} there is no such thing; the message says why, for people
 */
export async function fetchJson(address, method = "GET") {
  for (;;) {
    const answer = await fetch(address, { method }).catch(() => {
      throw new Error(gettext("The table does not answer. Load this page again when it is up."));
    });
    if (answer.ok) return answer.json();
    if (answer.status !== 503) {
      /** @type {unknown} */
      const refusal = await answer.json();
      throw new Error(/** @type {{error: string}} */ (refusal).error);
    }
    await new Promise((later) => setTimeout(later, 1000 * Number(answer.headers.get("retry-after"))));
  }
}
