// Mister X's seat: what a tab keeps that has it, and how a page on the table's own machine takes it.

/** Under this name a tab keeps the session, over a reload; no other tab, host or port has it. */
export const KEPT = "session";

/** Under this name a tab keeps that it came from the table, and goes back there. */
export const BY_TABLE = "by-table";

/**
 * Make something that nobody else knows, 128 bits of chance: it tells this page, asking again, from another.
 * @returns {string} hexadecimal digits
 */
export function nonce() {
  return [...crypto.getRandomValues(new Uint8Array(16))].map((byte) => byte.toString(16).padStart(2, "0")).join("");
}

/**
 * Take the seat for this tab, if nobody has it; or keep it, if it is this tab's.
 * @returns {Promise<string>} why not, or ""
 */
export async function takeSeat() {
  /** @type {Response} */
  let answer;
  try {
    answer = await fetch("/handset/seat", { method: "POST", body: JSON.stringify({ nonce: nonce() }) });
  } catch {
    return "The table does not answer. Try again when it does.";
  }
  /** @type {unknown} */
  const read = await answer.json();
  const { session, error } = /** @type {{session: string, error: string}} */ (read);
  if (answer.ok) sessionStorage.setItem(KEPT, session);
  else if (sessionStorage.getItem(KEPT) === null) return error;
  sessionStorage.setItem(BY_TABLE, "yes");
  return "";
}
