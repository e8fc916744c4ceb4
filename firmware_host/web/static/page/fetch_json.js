// Requests to the table for JSON over HTTP.

import { gettext } from "../wording/gettext.js";

/**
 * Request JSON from the table. If the table is busy, wait and ask again.
 * @param {string} address its path
 * @param {"GET" | "POST"} method POST if the request also changes something
 * @returns {Promise<unknown>} the table's answer
 * @throws {Error} the table refuses the request; the message says why, for people
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
