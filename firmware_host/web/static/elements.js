// Elements of the page, made without any HTML in a string.

/**
 * A new element.
 * @param {string} name its tag
 * @param {Object<string, *>} attributes those that are null, undefined or false are left out; functions are listeners
 * @param {...(Node|string)} children
 * @returns {HTMLElement}
 */
export function make(name, attributes = {}, ...children) {
  const element = document.createElement(name);
  for (const [key, value] of Object.entries(attributes)) {
    if (typeof value === "function") element.addEventListener(key, value);
    else if (value === true) element.setAttribute(key, "");
    else if (value !== null && value !== undefined && value !== false) element.setAttribute(key, value);
  }
  element.append(...children);
  return element;
}

/** Words for a screen reader alone. */
export function srOnly(text) {
  return make("span", { class: "unseen" }, text);
}

/**
 * A part of the side of the page: a section with a heading, hidden until it has something to say.
 * @param {Element} place where it is put
 * @param {string} id
 * @param {string} title
 * @returns {{section: HTMLElement, body: HTMLElement, title: HTMLElement}}
 */
export function addPanel(place, id, title) {
  const heading = make("h2", { id: `${id}-title` }, title);
  const body = make("div", { class: "body" });
  const section = make("section", { id, class: "part", "aria-labelledby": heading.id, hidden: true }, heading, body);
  place.append(section);
  return { section, body, title: heading };
}

/**
 * Several listeners as one: each kind of message goes to all that want it.
 * @param {...Object<string, function>} listeners
 * @returns {Object<string, function>}
 */
export function combineListeners(...listeners) {
  const kinds = new Set(listeners.flatMap((listener) => Object.keys(listener)));
  const all = {};
  for (const kind of kinds) {
    const wanting = listeners.filter((listener) => listener[kind]);
    all[kind] = (said) => wanting.forEach((listener) => listener[kind](said));
  }
  return all;
}
