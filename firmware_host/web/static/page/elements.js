// Elements of the page, made without any HTML in a string.

/** @typedef {string | number | boolean | null | undefined | ((event: Event) => void)} Attribute */

/**
 * Make a new element.
 * @template {keyof HTMLElementTagNameMap} Tag
 * @param {Tag} name its tag
 * @param {Record<string, Attribute>} attributes null, undefined and false are left out; functions are listeners
 * @param {...(Node|string)} children what it holds
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
 * @param {...(Node | string)} children all that it is to have; none that listens
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
 * Find an element that the page's HTML has.
 * @param {string} id its id
 * @returns {HTMLElement} the element
 * @throws {Error} the page has none of that id
 */
export function byId(id) {
  const element = document.getElementById(id);
  if (!element) throw new Error(`this page has no #${id}`);
  return element;
}

/**
 * Show something, or hide it, on a page whose HTML has it.
 * @param {string} id its id
 * @param {boolean} so whether it is to be seen
 */
export function showIf(id, so) {
  document.getElementById(id)?.toggleAttribute("hidden", !so);
}

/**
 * Find what an event happened in.
 * @param {?EventTarget} target the event's
 * @param {string} selector says what is looked for
 * @returns {?Element} the target or the nearest element around it that is such; null if there is none
 */
export function closest(target, selector) {
  return target instanceof Element ? target.closest(selector) : null;
}

/**
 * Make words for a screen reader alone.
 * @param {string} text what it reads
 * @returns {HTMLElement} a span that nobody sees
 */
export function srOnly(text) {
  return make("span", { class: "unseen" }, text);
}

/**
 * Add a panel to the side of the page: a section with a heading, hidden until it has something to say.
 * @param {Element} place where it is put
 * @param {string} id its id
 * @param {string} title its heading
 * @returns {{section: HTMLElement, body: HTMLElement}} the section, and in it the place for what it says
 */
export function addPanel(place, id, title) {
  const heading = make("h2", { id: `${id}-title` }, title);
  const body = make("div", { class: "body" });
  const section = make("section", { id, class: "part", "aria-labelledby": heading.id, hidden: true }, heading, body);
  place.append(section);
  return { section, body };
}
