// The head of the page has a fixed size, so that the board below stays where it is: its words become smaller until they
// fit. What is too long even so can be scrolled.

const SMALLEST = 4; // steps down; the sheet says how large each is

/**
 * Keep the words of the head small enough for it, whatever they are. They are measured once a frame, however often they
 * have changed: to measure is to have all of the page placed.
 * @param {HTMLElement} head of a fixed size, with the words in it
 */
export function shrinkToFit(head) {
  let waits = false;

  function shrink() {
    waits = false;
    for (let step = 0; step <= SMALLEST; step += 1) {
      head.dataset.step = String(step);
      if (head.scrollHeight <= head.clientHeight) {
        head.removeAttribute("tabindex");
        return;
      }
    }
    head.tabIndex = 0; // it scrolls, by keys as well
  }
  new ResizeObserver(shrink).observe(head);
  const words = { childList: true, characterData: true, subtree: true, attributeFilter: ["hidden"] };
  new MutationObserver(() => {
    if (!waits) requestAnimationFrame(shrink);
    waits = true;
  }).observe(head, words);
}
