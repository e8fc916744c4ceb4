// The sheet at the foot of a player's page on a phone. Pulled up, it covers the map and shows the public facts.

const DOWN = 48; // pixels that a finger moves down, with nothing left to scroll, to let the sheet go

/**
 * Let a sheet be pulled up by its button, or by scrolling it, and let it go by a finger that moves down.
 * @param {HTMLElement} sheet the sheet, which scrolls its content
 * @param {HTMLElement} button shows whether the sheet is pulled up, and changes that
 * @returns {() => void} lets the sheet go
 */
export function pullUp(sheet, button) {
  let from = 0;
  const isUp = () => button.ariaExpanded === "true";
  const pull = (/** @type {boolean} */ up) => {
    button.ariaExpanded = String(up);
    document.body.toggleAttribute("data-pulled", up);
    if (!up) sheet.scrollTop = 0;
  };
  button.addEventListener("click", () => pull(!isUp()));
  sheet.addEventListener("scroll", () => sheet.scrollTop > 0 && !isUp() && pull(true));
  sheet.addEventListener("touchstart", ({ touches }) => (from = touches[0]?.clientY ?? 0), { passive: true });
  const release = (/** @type {TouchEvent} */ { changedTouches }) => {
    const moved = (changedTouches[0]?.clientY ?? 0) - from;
    if (isUp() && sheet.scrollTop <= 0 && moved > DOWN) pull(false);
  };
  sheet.addEventListener("touchend", release, { passive: true });
  document.addEventListener("keydown", ({ key }) => key === "Escape" && isUp() && pull(false));
  return () => pull(false);
}
