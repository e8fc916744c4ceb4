// The head of the page has a fixed size, so that the board below stays where it is: its words become smaller until they
// fit. What is too long even so can be scrolled.

const SMALLEST = 4; // steps down; the sheet says how large each is

/**
 * Keep the words of the head small enough for it, whatever they are.
 * @param {HTMLElement} head of a fixed size, with the words in it
 */
export function shrinkToFit(head) {
  function shrink() {
    for (let step = 0; step <= SMALLEST; step += 1) {
      head.dataset.step = String(step);
      if (head.scrollHeight <= head.clientHeight) return;
    }
  }
  new ResizeObserver(shrink).observe(head);
  const words = { childList: true, characterData: true, subtree: true, attributeFilter: ["hidden"] };
  new MutationObserver(shrink).observe(head, words);
}
