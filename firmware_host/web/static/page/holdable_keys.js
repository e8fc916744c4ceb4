// Keys that fingers, a mouse or a keyboard hold down. They are released whatever happens.

import { closest } from "./elements.js";

/** @import { Send } from "./connection.js" */

/** @typedef {number | string | HTMLButtonElement} Finger a pointer, a keyboard's key, a button that is clicked */

const WRITING = "input, select, textarea, dialog"; // where every key is somebody's writing
const ELSEWHERE = "a[href], button:not([data-key])"; // elements that Enter and Space press without this script
const TAP = 150; // milliseconds for which a screen reader's click holds a key

/**
 * Make buttons into keys that can be held.
 * @param {Element} place the element with the buttons; each has `data-key`, the key's name, and perhaps `data-stays`:
 *   then a mere click, as by a screen reader, holds the button until the next click
 * @param {ReadonlyMap<string, string>} letters name of a key of the keyboard -> the button that it stands for
 * @param {Send} send sends an order
 * @returns {{forget: () => void}} `forget` releases all keys, because the table has done so
 */
export function makeHoldable(place, letters, send) {
  /** @type {NodeListOf<HTMLButtonElement>} */
  const all = place.querySelectorAll("button[data-key]");
  const buttons = new Map([...all].map((button) => [button.dataset.key ?? "", button]));
  /** @type {Map<Finger, string>} */
  const held = new Map(); // which finger is on which key

  const isHeld = (/** @type {string} */ key) => [...held.values()].includes(key);

  /** @param {string} key */
  function mark(key) {
    buttons.get(key)?.toggleAttribute("data-held", isHeld(key));
  }

  /** @type {(finger: Finger, key: string) => void} */
  function down(finger, key) {
    const button = buttons.get(key);
    const there = button && ("wanted" in button.dataset || button.checkVisibility());
    if (held.has(finger) || !there) return; // a letter presses no key that is not there
    if (!isHeld(key) && !send({ do: "key", key, down: true })) return;
    held.set(finger, key);
    mark(key);
  }

  /** @param {Finger} finger */
  function up(finger) {
    const key = held.get(finger);
    if (key === undefined) return;
    held.delete(finger);
    if (!isHeld(key)) send({ do: "key", key, down: false });
    mark(key);
  }

  function letGo() {
    for (const finger of [...held.keys()]) up(finger);
  }

  function forget() {
    held.clear();
    for (const key of buttons.keys()) mark(key);
  }

  for (const [key, button] of buttons) {
    byPointer(button, (finger) => down(finger, key), up);
    button.addEventListener("click", (event) => {
      if (event.detail !== 0) return; // made with a pointer, which has been down and up by now
      if (held.has(button)) {
        up(button);
        return;
      }
      down(button, key);
      if (!("stays" in button.dataset)) setTimeout(() => up(button), TAP);
    });
  }
  byKeyboard(letters, down, up, letGo);
  addEventListener("blur", letGo);
  addEventListener("pagehide", letGo);
  document.addEventListener("visibilitychange", () => {
    if (document.hidden) letGo();
  });
  return { forget };
}

/**
 * Press a key and release it at once.
 * @param {Send} send sends an order
 * @param {string} key the key's name
 */
export function tapKey(send, key) {
  if (send({ do: "key", key, down: true })) send({ do: "key", key, down: false });
}

/** @type {(button: HTMLButtonElement, down: (finger: number) => void, up: (finger: number) => void) => void} */
function byPointer(button, down, up) {
  button.addEventListener("pointerdown", (event) => {
    if (event.button !== 0) return;
    event.preventDefault(); // no focus: Enter would be this key from then on
    button.setPointerCapture(event.pointerId);
    down(event.pointerId);
  });
  for (const end of /** @type {const} */ (["pointerup", "pointercancel", "lostpointercapture"])) {
    button.addEventListener(end, (event) => up(event.pointerId));
  }
  button.addEventListener("contextmenu", (event) => event.preventDefault()); // a long press is a long press
}

/**
 * @param {ReadonlyMap<string, string>} letters
 * @param {(finger: string, key: string) => void} down
 * @param {(finger: string) => void} up
 * @param {() => void} letGo
 */
function byKeyboard(letters, down, up, letGo) {
  addEventListener("keydown", (event) => {
    if (isForPage(event)) return;
    if (event.ctrlKey || event.altKey || event.metaKey) {
      letGo(); // some systems never report that another key goes up while one of these is held
      return;
    }
    const letter = event.key.length === 1 ? event.key.toLowerCase() : event.key;
    const key = (isPress(event) && focusedKey(event)) || letters.get(letter);
    if (!key) return;
    event.preventDefault(); // no click besides, no scrolling
    if (!event.repeat) down(event.code || event.key, key);
  });
  addEventListener("keyup", (event) => {
    if (event.key === " " && focusedKey(event)) event.preventDefault();
    up(event.code || event.key);
  });
}

/**
 * Return whether a key press is for the page itself: the user types, follows a link, or opens the settings.
 * @param {KeyboardEvent} event the key's
 * @returns {boolean} true if it is
 */
export function isForPage(event) {
  const place = isPress(event) ? `${WRITING}, ${ELSEWHERE}` : WRITING;
  return Boolean(closest(event.target, place));
}

/** @param {KeyboardEvent} event */
function isPress({ key }) {
  return key === "Enter" || key === " ";
}

/** @param {Event} event */
function focusedKey(event) {
  return closest(event.target, "[data-key]")?.getAttribute("data-key");
}
