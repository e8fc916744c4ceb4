// Keys that are held down with fingers, a mouse or a keyboard, and that go up whatever happens.

const TAP = 150; // milliseconds for which a key is held that a screen reader only clicks

/**
 * Makes buttons into keys that can be held.
 * @param {Element} place the buttons in it have `data-key`, the key's name, and perhaps `data-stays`: a mere click on
 *   such a one, as a screen reader makes it, holds it until the next
 * @param {Object<string, string>} letters what a key of the keyboard is called -> which button it stands for
 * @param {function(object): boolean} send sends an order; false while the line is down
 * @returns {{letGo: function, forget: function}} takes all fingers off; forgets them, where the table has done so
 */
export function makeHoldable(place, letters, send) {
  const buttons = new Map([...place.querySelectorAll("[data-key]")].map((button) => [button.dataset.key, button]));
  const on = new Map(); // which finger is on which key; a finger is a pointer's number or a keyboard's key

  function mark(key) {
    buttons.get(key).toggleAttribute("data-held", [...on.values()].includes(key));
  }

  function down(finger, key) {
    if (on.has(finger)) return;
    const held = [...on.values()].includes(key);
    if (!held && !send({ do: "key", key, down: true })) return;
    on.set(finger, key);
    mark(key);
  }

  function up(finger) {
    const key = on.get(finger);
    if (!on.delete(finger)) return;
    if (![...on.values()].includes(key)) send({ do: "key", key, down: false });
    mark(key);
  }

  function letGo() {
    for (const finger of [...on.keys()]) up(finger);
  }

  function forget() {
    on.clear();
    for (const key of buttons.keys()) mark(key);
  }

  for (const [key, button] of buttons) {
    byPointer(button, (finger) => down(finger, key), up);
    button.addEventListener("click", (event) => {
      if (event.detail !== 0) return; // made with a pointer, which has been down and up by now
      if (on.has(button)) up(button);
      else {
        down(button, key);
        if (!("stays" in button.dataset)) setTimeout(() => up(button), TAP);
      }
    });
  }
  byKeyboard((event) => event.target.closest?.("[data-key]")?.dataset.key, letters, down, up, letGo);
  addEventListener("blur", letGo);
  addEventListener("pagehide", letGo);
  document.addEventListener("visibilitychange", () => {
    if (document.hidden) letGo();
  });
  return { forget };
}

function byPointer(button, down, up) {
  button.addEventListener("pointerdown", (event) => {
    if (event.button !== 0) return;
    event.preventDefault(); // no focus: Enter would be this key from then on
    button.setPointerCapture(event.pointerId);
    down(event.pointerId);
  });
  for (const end of ["pointerup", "pointercancel", "lostpointercapture"]) {
    button.addEventListener(end, (event) => up(event.pointerId));
  }
  button.addEventListener("contextmenu", (event) => event.preventDefault()); // a long press is a long press
}

function byKeyboard(focused, letters, down, up, letGo) {
  addEventListener("keydown", (event) => {
    if (event.target.closest?.("input, select, textarea, dialog")) return; // somebody writes
    if (event.ctrlKey || event.altKey || event.metaKey) {
      letGo(); // some systems never tell that a key goes up beside these
      return;
    }
    const presses = event.key === "Enter" || event.key === " ";
    const key = (presses && focused(event)) || letters[event.key.length === 1 ? event.key.toLowerCase() : event.key];
    if (!key) return;
    event.preventDefault(); // no click besides, no scrolling
    if (!event.repeat) down(event.code || event.key, key);
  });
  addEventListener("keyup", (event) => {
    if (event.key === " " && focused(event)) event.preventDefault();
    up(event.code || event.key);
  });
}
