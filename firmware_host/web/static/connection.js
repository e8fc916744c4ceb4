// The page's line to the table: one WebSocket that comes back by itself.

const FIRST_WAIT = 300; // milliseconds until the first try to come back
const LONGEST_WAIT = 5000;
const FINAL = new Set([4401, 4403]); // the table has said no: to ask again would not help
const TICK = 500; // milliseconds between two looks at how long the table has been quiet; it says something each second
const QUIET = 6; // so many ticks without a word, and the table is gone, whatever the line says

/**
 * Opens the line.
 * @param {string} page what this page is: "table", "spectator" or "handset"
 * @param {Object<string, function>} on what to do with each kind of message; "lamps" gets the bytes; "up" and "down"
 *   tell how the line is
 * @param {?string} [session] by what the handset is known
 * @returns {function(object): boolean} sends an order; false while the line is down
 */
export function openConnection(page, on, session) {
  let line = null;
  let up = false;
  let quiet = 0;
  let wait = FIRST_WAIT;

  function say(what) {
    if (line?.readyState !== WebSocket.OPEN) return false;
    line.send(JSON.stringify(what));
    return true;
  }

  function hear(data) {
    quiet = 0;
    wait = FIRST_WAIT;
    if (!up) on.up?.();
    up = true;
    if (typeof data !== "string") {
      on.lamps?.(new Uint8Array(data));
      return;
    }
    const { kind, ...said } = JSON.parse(data);
    if (kind === "beat") say({ do: "heard", ...said }); // by this the table knows how old an order is
    else on[kind]?.(said);
  }

  function lose(why = null) {
    line = null;
    up = false;
    on.down?.(why ?? "");
    if (why !== null) return;
    setTimeout(connect, wait);
    wait = Math.min(LONGEST_WAIT, wait * 2);
  }

  function connect() {
    const opened = new WebSocket(`${location.protocol === "https:" ? "wss" : "ws"}://${location.host}/ws`);
    const isMine = () => line === opened; // and was not given up
    line = opened;
    quiet = 0;
    opened.binaryType = "arraybuffer";
    opened.onopen = () => isMine() && say({ do: "hello", page, session });
    opened.onmessage = ({ data }) => isMine() && hear(data);
    opened.onclose = ({ code, reason }) => isMine() && lose(FINAL.has(code) ? reason : null);
  }

  // Ticks are counted, not the time: a page that was itself asleep has not waited for the table.
  setInterval(() => {
    quiet += 1;
    if (line === null || quiet <= QUIET) return;
    const silent = line;
    lose();
    silent.close();
  }, TICK);

  connect();
  return say;
}
