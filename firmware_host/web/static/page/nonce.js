// A value that identifies a page.

/**
 * Create 128 random bits that nobody else knows. They identify this page when it connects again.
 * @returns {string} hexadecimal digits
 */
export function nonce() {
  return [...crypto.getRandomValues(new Uint8Array(16))].map((byte) => byte.toString(16).padStart(2, "0")).join("");
}
