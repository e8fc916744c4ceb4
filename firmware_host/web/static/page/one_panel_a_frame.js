// The panels beside the board wait for the board and for each other: one of them is renewed in each frame, and no frame
// is so long that a pawn on its way is seen to halt.

import { isCalm } from "./motion.js";

/** @import { Listeners } from "./listeners.js" */

/** @typedef {Map<string, () => void>} News kind -> tells a panel the newest of that kind */

const PATIENCE = 6; // frames in a row that the panels leave to the board, which is told more and more

/**
 * Combine the board and the panels beside it into one listener that lets the board go first: a frame in which it was
 * told something new is its own. What a panel hears of a kind for the first time it shows at once, and everything where
 * nothing moves: where less motion is asked for, and on a page that nobody sees.
 * @param {Listeners} board what is shown at once
 * @param {...Listeners} panels such as show what was last said of each kind, and need not hear what was said before
 * @returns {Listeners} one that tells all of them
 */
export function onePanelAFrame(board, ...panels) {
  /** @type {Map<Listeners, News>} */
  const waiting = new Map();
  const told = new Set(); // what tells a panel of a kind, once it has
  let heard = false; // whether the board was told something since the last frame
  let waited = 0;

  function renewNext() {
    const boardsOwn = heard && waited < PATIENCE;
    heard = false;
    waited = boardsOwn ? waited + 1 : 0;
    const [next] = boardsOwn ? [] : waiting;
    if (next) waiting.delete(next[0]);
    if (waiting.size) requestAnimationFrame(renewNext);
    for (const tell of next?.[1].values() ?? []) tell();
  }

  /** @type {(panel: Listeners, kind: string, tell: () => void) => void} */
  function enqueue(panel, kind, tell) {
    if (!waiting.size) requestAnimationFrame(renewNext);
    /** @type {News} */
    const news = waiting.get(panel) ?? new Map();
    news.delete(kind); // in the order in which they were said
    waiting.set(panel, news.set(kind, tell));
  }

  const all = [board, ...panels];
  const kinds = new Set(all.flatMap((each) => /** @type {(keyof Listeners)[]} */ (Object.keys(each))));
  const listener = (/** @type {keyof Listeners} */ kind) => (/** @type {never} */ said) => {
    heard ||= kind in board;
    board[kind]?.(said);
    for (const panel of panels) {
      const hear = panel[kind];
      if (!hear) continue;
      const waits = told.has(hear) && !isCalm() && !document.hidden;
      if (waits || waiting.has(panel)) enqueue(panel, kind, () => hear(said));
      else hear(said);
      told.add(hear);
    }
  };
  return Object.fromEntries([...kinds].map((kind) => [kind, listener(kind)]));
}
