// Making SVG.

const SVG = "http://www.w3.org/2000/svg";

/** How much paper a board's drawing has around the board, in its units. */
export const EDGE = 22;

/**
 * Make a new SVG element.
 * @template {keyof SVGElementTagNameMap} Tag
 * @param {Tag} name its tag
 * @param {Record<string, string | number>} attributes its attributes
 * @param {...(Node|string)} children what it holds
 * @returns {SVGElementTagNameMap[Tag]} the element
 */
export function svg(name, attributes = {}, ...children) {
  const element = document.createElementNS(SVG, name);
  for (const [key, value] of Object.entries(attributes)) element.setAttribute(key, String(value));
  element.append(...children);
  return element;
}
