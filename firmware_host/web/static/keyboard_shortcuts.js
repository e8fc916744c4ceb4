// Which letters press the table's keys. Who is hindered by that, as by a program that listens, can switch it off.

const STORED = "letters";
const ALL = { t: "table.taxi", b: "table.bus", u: "table.underground", c: "table.confirm", Backspace: "table.back" };

/** A key of the keyboard -> the table's key that it presses; empty while that is switched off. */
export const shortcuts = {};

/** Whether letters press keys; kept in this browser. */
export function shortcutsEnabled() {
  return localStorage.getItem(STORED) !== "off";
}

/** Switches it on or off. */
export function enableShortcuts(on) {
  localStorage.setItem(STORED, on ? "on" : "off");
  for (const letter of Object.keys(shortcuts)) delete shortcuts[letter];
  if (on) Object.assign(shortcuts, ALL);
}

enableShortcuts(shortcutsEnabled());
