// Elements of the page, created without HTML in strings.

/** @typedef {string | number | boolean | null | undefined | ((event: Event) => void)} Attribute */

/**
 * Create a new element.
 * @template {keyof HTMLElementTagNameMap} Tag
 * @param {Tag} name its tag
 * @param {Record<string, Attribute>} attributes null, undefined and false are left out; functions are listeners
 * @param {...(Node|string)} children its children
 * @returns {HTMLElementTagNameMap[Tag]} the element
 */
export function make(name, attributes = {}, ...children) {
  const element = document.createElement(name);
  for (const [key, value] of Object.entries(attributes)) {
    if (typeof value === "function") element.addEventListener(key, value);
    else if (value === true) element.setAttribute(key, "");
    else if (value !== null && value !== undefined && value !== false) element.setAttribute(key, String(value));
  }
  element.append(...children);
  return element;
}

/**
 * Give an element other children, and keep each child that would be the same. The browser neither places nor paints a
 * kept child again.
 * @param {Element} place whose children
 * @param {...(Node | string)} children all its new children; none with a listener
 */
export function renewChildren(place, ...children) {
  const had = [...place.childNodes];
  children.forEach((child, n) => {
    const wanted = typeof child === "string" ? document.createTextNode(child) : child;
    const old = had[n];
    if (!old) place.append(wanted);
    else if (!old.isEqualNode(wanted)) old.replaceWith(wanted);
  });
  for (const old of had.slice(children.length)) old.remove();
}

/**
 * Find an element of the page's HTML.
 * @param {string} id its id
 * @returns {HTMLElement} the element
 * @throws {Error} if the page has no element with that id
 */
export function byId(id) {
  const element = document.getElementById(id);
  if (!element) throw new Error(`this page has no #${id}`);
  return element;
}

/**
 * Show or hide an element, if the page's HTML has it.
 * @param {string} id its id
 * @param {boolean} so whether to show it
 */
export function showIf(id, so) {
  document.getElementById(id)?.toggleAttribute("hidden", !so);
}

/**
 * Find the element around an event's target.
 * @param {?EventTarget} target the event's
 * @param {string} selector the selector of the wanted element
 * @returns {?Element} the target or the nearest element around it that matches; null if there is none
 */
export function closest(target, selector) {
  return target instanceof Element ? target.closest(selector) : null;
}

/**
 * Create a text for screen readers only.
 * @param {string} text what it reads
 * @returns {HTMLElement} an invisible span
 */
export function srOnly(text) {
  return make("span", { class: "unseen" }, text);
}

/**
 * Add a panel to the side of the page: a section with a heading, hidden until it has content.
 * @param {Element} place the element to put it in
 * @param {string} id its id
 * @param {string} title its heading
 * @returns {{section: HTMLElement, body: HTMLElement}} the section, and the place in it for content
 */
export function addPanel(place, id, title) {
  const heading = make("h2", { id: `${id}-title` }, title);
  const body = make("div", { class: "body" });
  const section = make("section", { id, class: "part", "aria-labelledby": heading.id, hidden: true }, heading, body);
  place.append(section);
  return { section, body };
}
