// The panels beside the board wait for the board and for each other: each frame redraws one panel. So no frame takes so
// long that a moving pawn seems to stop.

import { isCalm } from "./motion.js";

/** @import { Listeners } from "./listeners.js" */

/** @typedef {Map<string, () => void>} News kind -> shows a panel the newest message of that kind */

const PATIENCE = 6; // frames in a row that the panels leave to a board with many messages

/**
 * Combine the board and the panels beside it into one listener that serves the board first. A frame in which the board
 * got a message belongs to the board. A panel shows its first message of each kind at once. With reduced motion, or on
 * a hidden page, panels show every message at once.
 * @param {Listeners} board shows its messages at once
 * @param {...Listeners} panels show only the newest message of each kind and can miss older ones
 * @returns {Listeners} the combined listener
 */
export function onePanelAFrame(board, ...panels) {
  /** @type {Map<Listeners, News>} */
  const waiting = new Map();
  const begun = new Set(); // the panels' listeners that have had a first message
  let boardChanged = false; // whether the board got a message since the last frame
  let waited = 0;

  function renewNext() {
    const boardsOwn = boardChanged && waited < PATIENCE;
    boardChanged = false;
    waited = boardsOwn ? waited + 1 : 0;
    const [next] = boardsOwn ? [] : waiting;
    if (next) waiting.delete(next[0]);
    if (waiting.size) requestAnimationFrame(renewNext);
    for (const render of next?.[1].values() ?? []) render();
  }

  /** @type {(panel: Listeners, kind: string, render: () => void) => void} */
  function enqueue(panel, kind, render) {
    if (!waiting.size) requestAnimationFrame(renewNext);
    /** @type {News} */
    const news = waiting.get(panel) ?? new Map();
    news.delete(kind); // keep the order of the messages
    waiting.set(panel, news.set(kind, render));
  }

  const all = [board, ...panels];
  const kinds = new Set(all.flatMap((each) => /** @type {(keyof Listeners)[]} */ (Object.keys(each))));
  const listener = (/** @type {keyof Listeners} */ kind) => (/** @type {never} */ said) => {
    boardChanged ||= kind in board;
    board[kind]?.(said);
    for (const panel of panels) {
      const receive = panel[kind];
      if (!receive) continue;
      const waits = begun.has(receive) && !isCalm() && !document.hidden;
      if (waits || waiting.has(panel)) enqueue(panel, kind, () => receive(said));
      else receive(said);
      begun.add(receive);
    }
  };
  return Object.fromEntries([...kinds].map((kind) => [kind, listener(kind)]));
}
