// Lets a pawn be seen on its way from where it was to where it is; whoever has asked for less motion sees it there.

const MS = 350;

const calm = matchMedia("(prefers-reduced-motion: reduce)");

/**
 * Show a pawn on its way.
 * @param {SVGElement} pawn which, drawn where it is
 * @param {string} from its transform where it was; "" for a pawn that was not there
 */
export function glide(pawn, from) {
  const to = pawn.style.getPropertyValue("transform");
  if (calm.matches || from === to) return;
  const before = from ? { transform: from } : { transform: `translateY(-40px) ${to}`, opacity: 0 };
  pawn.animate([before, { transform: to }], { duration: MS, easing: "ease-in-out" });
}
