// What tells a page from all others.

/**
 * Make something that nobody else knows, 128 bits of chance: it tells this page, asking again, from another.
 * @returns {string} hexadecimal digits
 */
export function nonce() {
  return [...crypto.getRandomValues(new Uint8Array(16))].map((byte) => byte.toString(16).padStart(2, "0")).join("");
}
