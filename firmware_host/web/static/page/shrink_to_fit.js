// The head of the page has a fixed size, so that the board stays where it is: its words become smaller until they fit.
// On a phone they would soon be too small: there it may then grow over the log, and they try again. What is too long
// even so can be scrolled.

const [SMALL, SMALLEST] = [2, 4]; // steps down, before and after it has grown; the sheet says how large each is

/**
 * Keep the words of the head small enough for it, whatever they are. They are measured once a frame, however often they
 * have changed: to measure is to have all of the page placed.
 * @param {HTMLElement} head of a fixed size, with the words in it
 */
export function shrinkToFit(head) {
  let waits = false;

  /** @type {(tall: boolean, smallest: number) => boolean} */
  function fits(tall, smallest) {
    head.toggleAttribute("data-tall", tall);
    for (let step = 0; step <= smallest; step += 1) {
      head.dataset.step = String(step);
      if (head.scrollHeight <= head.clientHeight) return true;
    }
    return false;
  }

  function shrink() {
    waits = false;
    if (fits(false, SMALL) || fits(true, SMALLEST)) head.removeAttribute("tabindex");
    else head.tabIndex = 0; // it scrolls, by keys as well
  }
  new ResizeObserver(shrink).observe(head);
  const words = { childList: true, characterData: true, subtree: true, attributeFilter: ["hidden"] };
  new MutationObserver(() => {
    if (!waits) requestAnimationFrame(shrink);
    waits = true;
  }).observe(head, words);
}
