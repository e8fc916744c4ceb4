// The head of the page has a fixed size, so that the board does not move. Its words become smaller until they fit. On a
// phone they would soon be too small: there the head may grow over the log, and the words try again. A text that is
// still too long can be scrolled.

const [SMALL, SMALLEST] = [2, 4]; // steps down, before and after it has grown; the sheet says how large each is

// Return where the words of the head end, in pixels from its top, with the space below them. A word that is a button is
// as high as a finger, and its own box reaches below its line.
/** @param {HTMLElement} head */
function lowest(head) {
  const [{ top }, { paddingBlockEnd }] = [head.getBoundingClientRect(), getComputedStyle(head)];
  const ends = [...head.querySelectorAll(":scope > :not(button)")].map((one) => one.getBoundingClientRect().bottom);
  return Math.max(...ends) - top + head.scrollTop + parseFloat(paddingBlockEnd);
}

/**
 * Keep the words of the head small enough to fit. They are measured at most once a frame, because measuring is slow:
 * the browser then lays out the whole page.
 * @param {HTMLElement} head the head, of a fixed size, with the words in it
 */
export function shrinkToFit(head) {
  let waits = false;

  /** @type {(tall: boolean, smallest: number) => boolean} */
  function fits(tall, smallest) {
    head.toggleAttribute("data-tall", tall);
    for (let step = 0; step <= smallest; step += 1) {
      head.dataset.step = String(step);
      if (lowest(head) <= head.clientHeight) return true;
    }
    return false;
  }

  function shrink() {
    waits = false;
    const isWhole = fits(false, SMALL) || fits(true, SMALLEST);
    head.toggleAttribute("data-scrolls", !isWhole);
    if (isWhole) head.removeAttribute("tabindex");
    else head.tabIndex = 0; // by keys as well
  }
  new ResizeObserver(shrink).observe(head);
  const words = { childList: true, characterData: true, subtree: true, attributeFilter: ["hidden"] };
  new MutationObserver(() => {
    if (!waits) requestAnimationFrame(shrink);
    waits = true;
  }).observe(head, words);
}
