// The page's line to the table: one WebSocket that reconnects automatically.

import { gettext } from "../wording/gettext.js";
import { openSocket } from "./early_socket.js";
import { onSetting, setting } from "../settings/settings.js";

/** @import { Messages, Order, Tick } from "../../messages.d.ts" */
/** @import { Listeners } from "./listeners.js" */

/** @typedef {{kind: "beat"} & Tick | {kind: keyof Messages}} Said a message that comes as text */
/** @typedef {(order: Order) => boolean} Send sends an order; false while the line is down */

/** The text that a page shows while the line is down. */
export const NO_ANSWER = gettext("The table does not answer; trying again…");

/** The text for a user whose order or request has not reached the table. */
export const TRY_AGAIN = gettext("The table does not answer. Try again when it does.");

const FIRST_WAIT = 300; // milliseconds until the first try to come back
const LONGEST_WAIT = 5000;
const FINAL = new Set([4401, 4403]); // the table has refused: another try would not help
const FULL = 4429; // the table has no room: the page tries again, and shows the reason until then
const PADDED_TO = 256; // each order of Mister X is shorter, and padded to this length, so that it reveals no station
const TICK = 500; // milliseconds between two checks for a quiet table; it sends a message each second
const QUIET = 6; // ticks without a message after which the table counts as disconnected
const OPENING = 20; // ticks that a line may take to open on a busy machine

/** @type {Listeners[]} */
const others = [];

/**
 * Add listeners to the page's messages. A lesson uses this.
 * @param {Listeners} listeners called after the page's own
 */
export function listenToo(listeners) {
  others.push(listeners);
}

/**
 * Open the line to the table, or to another one that the page's body names.
 * @param {string} page the kind of this page: "table", "spectator", "handset", "detective" or "owner"
 * @param {Listeners} listeners the listeners for each kind of message
 * @param {?string} [session] the session of a handset, a detectives' player's phone or the owner's page
 * @returns {Send} sends an order
 */
export function openConnection(page, listeners, session) {
  /** @type {?WebSocket} */
  let line = null;
  let up = false;
  let quiet = 0;
  let wait = FIRST_WAIT;
  let palette = setting("palette");

  /** @type {Send} */
  function say(order) {
    if (line?.readyState !== WebSocket.OPEN) return false;
    line.send(JSON.stringify(order).padEnd(page === "handset" ? PADDED_TO : 0));
    return true;
  }

  /** @param {string | ArrayBuffer} data */
  function receive(data) {
    quiet = 0;
    wait = FIRST_WAIT;
    if (!up) for (const each of [listeners, ...others]) each.up?.();
    up = true;
    if (typeof data !== "string") listeners.lamps?.(new Uint8Array(data));
    else receiveText(data);
  }

  /** @param {string} data */
  function receiveText(data) {
    /** @type {unknown} */
    const read = JSON.parse(data);
    const message = /** @type {Said} */ (read);
    if (message.kind === "beat") {
      say({ do: "heard", at: message.at }); // shows the table how old an order is
      return;
    }
    const { kind, ...said } = message;
    for (const each of [listeners, ...others]) each[kind]?.(/** @type {never} */ (said));
  }

  /** @type {(code?: number, reason?: string) => void} */
  function lose(code = 0, reason = "") {
    line = null;
    up = false;
    const why = FINAL.has(code) || code === FULL ? reason : "";
    for (const each of [listeners, ...others]) each.down?.(why);
    if (FINAL.has(code)) return;
    setTimeout(connect, wait);
    wait = Math.min(LONGEST_WAIT, wait * 2);
  }

  function connect() {
    const opened = openSocket();
    const isMine = () => line === opened; // and was not given up
    line = opened;
    quiet = 0;
    opened.binaryType = "arraybuffer";
    const greet = () => {
      if (!isMine()) return;
      quiet = 0;
      say({ do: "hello", page, session, palette });
    };
    opened.onopen = greet;
    opened.onmessage = (/** @type {MessageEvent<string | ArrayBuffer>} */ { data }) => isMine() && receive(data);
    opened.onclose = ({ code, reason }) => isMine() && lose(code, reason);
    if (opened.readyState === WebSocket.OPEN) greet();
  }

  // Count ticks, not time: a page that was asleep itself has not waited for the table.
  setInterval(() => {
    quiet += 1;
    if (line === null || quiet <= (line.readyState === WebSocket.CONNECTING ? OPENING : QUIET)) return;
    const silent = line;
    lose();
    silent.close();
  }, TICK);

  // The lamps arrive in the palette that the page chose when it opened the line.
  onSetting(() => {
    if (!listeners.lamps || setting("palette") === palette) return;
    palette = setting("palette");
    const before = line;
    if (before === null) return;
    connect();
    before.close();
  });

  connect();
  return say;
}
