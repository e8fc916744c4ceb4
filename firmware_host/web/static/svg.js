// Making SVG.

const SVG = "http://www.w3.org/2000/svg";

/** How much paper a board's drawing has around the board, in its units. */
export const EDGE = 22;

/**
 * A new SVG element.
 * @param {string} name
 * @param {Object<string, string|number>} attributes
 * @param {...Node} children
 * @returns {SVGElement}
 */
export function svg(name, attributes = {}, ...children) {
  const element = document.createElementNS(SVG, name);
  for (const [key, value] of Object.entries(attributes)) element.setAttribute(key, value);
  element.append(...children);
  return element;
}
