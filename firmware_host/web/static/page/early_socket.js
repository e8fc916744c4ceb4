// Opens the socket of a page that shows the table before the page's own script has arrived. On a slow line this saves a
// round trip. Mister X's pages have no early socket, because it would lack the cookie that they get first.

const EARLY = ["table", "spectator", "detective"];

/** @type {?WebSocket} */
let early = EARLY.includes(document.body.dataset.page ?? "") ? open() : null;

function open() {
  const scheme = location.protocol === "https:" ? "wss" : "ws";
  const path = document.body.dataset.line ?? "/ws";
  return new WebSocket(`${scheme}://${location.host}${path}?language=${document.documentElement.lang}`);
}

/**
 * Open a socket to the table, or to another one that the page's body names.
 * @returns {WebSocket} the early socket at the first call, if it is still open; it may be open already
 */
export function openSocket() {
  const first = early;
  early = null;
  return first !== null && first.readyState <= WebSocket.OPEN ? first : open();
}
