// The cover over Mister X's page. The player opens it by a press, or holds it open, and it closes automatically.
// If nobody else plays, nothing is covered.

import { byId, closest } from "../page/elements.js";
import { gettext } from "../wording/gettext.js";

/** The cover over the page's secrets. It is closed at first. */
export class Cover {
  #open = false;
  #needed = true;
  #hold = false;
  #pressed = ""; // the place on the keyboard of the P that opened the cover
  #quiet = 60_000; // milliseconds
  #changed;
  #drop;
  /** @type {ReturnType<typeof setTimeout> | undefined} */
  #timer;
  #look = byId("look");

  /**
   * @param {(open: boolean) => void} changed called with true if secrets are shown now, else false
   * @param {() => boolean} drop takes back a choice, as Escape does before it covers; returns whether there was one
   */
  constructor(changed, drop) {
    this.#changed = changed;
    this.#drop = drop;
    this.#look.addEventListener("click", ({ detail }) => {
      if (!this.#hold || detail === 0) this.#set(!this.#open); // a screen reader presses and cannot hold
    });
    this.#look.addEventListener("pointerdown", (event) => {
      if (!this.#hold || event.button !== 0) return;
      this.#look.setPointerCapture(event.pointerId);
      this.#set(true);
    });
    for (const end of ["pointerup", "pointercancel"]) this.#look.addEventListener(end, () => this.#hold && this.cover());
    byId("hide").addEventListener("click", () => this.cover());
    document.addEventListener("keydown", (event) => this.#press(event));
    document.addEventListener("keyup", (event) => this.#release(event));
    document.addEventListener("visibilitychange", () => (document.hidden ? this.#hide() : this.#needed || this.#set(true)));
    for (const away of ["blur", "pagehide", "beforeprint"]) addEventListener(away, () => this.#hide());
    for (const sign of ["pointerdown", "pointermove", "keydown", "wheel"]) {
      addEventListener(sign, () => this.#open && this.#wait(), { passive: true, capture: true });
    }
  }

  /**
   * Whether the page shows secrets.
   * @returns {boolean} false while they are covered
   */
  get open() {
    return this.#open;
  }

  /**
   * Set how the cover works at this table.
   * @param {object} wanted the settings
   * @param {boolean} wanted.alone whether nobody else plays: then nothing is covered, except with hold
   * @param {boolean} wanted.hold whether secrets show only while the button is held
   * @param {number} wanted.quiet seconds without a touch after which the cover closes
   */
  configure({ alone, hold, quiet }) {
    const needed = hold || !alone;
    if (hold !== this.#hold || (needed && !this.#needed)) this.cover();
    this.#hold = hold;
    this.#needed = needed;
    this.#quiet = quiet * 1000;
    this.#look.textContent = hold ? gettext("Hold to look") : gettext("Look");
    document.body.toggleAttribute("data-hold", hold);
    byId("hide").hidden = !needed;
    if (!needed) this.#set(true);
  }

  /**
   * Allow a look, or forbid it while there is nothing to show. The button keeps the focus either way.
   * @param {boolean} allowed whether there is something to show
   */
  allow(allowed) {
    this.#look.ariaDisabled = String(!allowed);
  }

  /** Cover the secrets. */
  cover() {
    this.#set(false);
  }

  // Cover the secrets, if there is anyone to hide them from.
  #hide() {
    if (this.#needed) this.cover();
  }

  /** @param {boolean} open */
  #set(open) {
    if (open && (document.hidden || this.#look.ariaDisabled === "true")) return;
    clearTimeout(this.#timer);
    if (open) this.#wait();
    if (open === this.#open) return;
    this.#open = open;
    byId("secret").inert = !open;
    document.body.toggleAttribute("data-open", open);
    this.#changed(open);
    if (!open) this.#look.focus({ preventScroll: true });
    else if (!this.#hold) byId("prompt").focus({ preventScroll: true }); // the button is gone; it is read out there
  }

  #wait() {
    clearTimeout(this.#timer);
    if (!this.#hold) this.#timer = setTimeout(() => this.#hide(), this.#quiet);
  }

  #escape() {
    if (document.querySelector("dialog[open]")) return;
    if (!this.#open || !this.#drop()) this.#hide();
  }

  /** @param {KeyboardEvent} event */
  #press(event) {
    if (event.altKey || event.ctrlKey || event.metaKey) {
      if (this.#hold) this.cover(); // some systems never report that P goes up while one of these is held
      return;
    }
    if (event.key === "Escape") this.#escape();
    const asked = event.key === "p" && !closest(event.target, "#stations, dialog"); // there P leads to the station before
    if (!asked || event.repeat) return;
    this.#pressed = event.code;
    if (this.#hold) this.#set(true);
    else if (this.#needed) this.#set(!this.#open);
  }

  // Cover when P goes up, even if it is another letter by then, as with Shift, or another element has the focus.
  /** @param {KeyboardEvent} event */
  #release({ code }) {
    if (this.#hold && code === this.#pressed) this.cover();
  }
}
