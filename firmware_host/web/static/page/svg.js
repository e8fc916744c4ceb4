// SVG elements.

const SVG = "http://www.w3.org/2000/svg";

/** Width of the paper around the board in its drawing, in units. */
export const EDGE = 22;

/**
 * Create a new SVG element.
 * @template {keyof SVGElementTagNameMap} Tag
 * @param {Tag} name its tag
 * @param {Record<string, string | number>} attributes its attributes
 * @param {...(Node|string)} children its children
 * @returns {SVGElementTagNameMap[Tag]} the element
 */
export function svg(name, attributes = {}, ...children) {
  const element = document.createElementNS(SVG, name);
  for (const [key, value] of Object.entries(attributes)) element.setAttribute(key, String(value));
  element.append(...children);
  return element;
}
