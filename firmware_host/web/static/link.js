// The page's line to the table: one WebSocket that comes back by itself.

const FIRST_WAIT = 300; // milliseconds until the first try to come back
const LONGEST_WAIT = 5000;
const FINAL = new Set([4401, 4403]); // the table has said no: to ask again would not help

/**
 * Opens the line.
 * @param {string} page what this page is: "table", "spectator" or "handset"
 * @param {Object<string, function>} on what to do with each kind of message; "lamps" gets the bytes; "up" and "down"
 *   tell how the line is
 * @returns {function(object): boolean} sends an order; false while the line is down
 */
export function open(page, on) {
  let socket = null;
  let wait = FIRST_WAIT;

  function connect() {
    socket = new WebSocket(`${location.protocol === "https:" ? "wss" : "ws"}://${location.host}/ws`);
    socket.binaryType = "arraybuffer";
    socket.onopen = () => {
      socket.send(JSON.stringify({ do: "hello", page }));
    };
    socket.onmessage = ({ data }) => {
      wait = FIRST_WAIT;
      on.up?.();
      if (typeof data !== "string") {
        on.lamps?.(new Uint8Array(data));
        return;
      }
      const { kind, ...said } = JSON.parse(data);
      on[kind]?.(said);
    };
    socket.onclose = ({ code, reason }) => {
      on.down?.(FINAL.has(code) ? reason : "");
      if (FINAL.has(code)) return;
      setTimeout(connect, wait);
      wait = Math.min(LONGEST_WAIT, wait * 2);
    };
  }

  connect();
  return (order) => {
    if (socket.readyState !== WebSocket.OPEN) return false;
    socket.send(JSON.stringify(order));
    return true;
  };
}
