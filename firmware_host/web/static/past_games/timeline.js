// The time line of a past game: a slider with all steps, and keys that play the game.

import { closest, make } from "../page/elements.js";
import { formatDuration } from "../wording/formatting.js";
import { gettext } from "../wording/gettext.js";
import { svg } from "../page/svg.js";

/** @import { GameRecord, GameStep } from "../../messages.d.ts" */

const PACE = 1100; // milliseconds a step, at the usual speed
const SPEEDS = [0.5, 1, 2, 4];
const SIGNS = {
  first: "M2 2H5V14H2ZM14 2V14L6 8Z",
  back: "M12 2V14L4 8Z",
  play: "M4 2 14 8 4 14Z",
  pause: "M3 2H7V14H3ZM9 2H13V14H9Z",
  on: "M4 2V14L12 8Z",
  last: "M11 2H14V14H11ZM2 2V14L10 8Z",
};

/** @param {keyof typeof SIGNS} name */
function sign(name) {
  return svg("svg", { viewBox: "0 0 16 16", "aria-hidden": "true" }, svg("path", { d: SIGNS[name] }));
}

/** The time line, and the code that plays a game along it. */
export class Timeline {
  #game;
  #onStep;
  #number = 0;
  #timer = 0; // 0: nothing plays
  #speed = 1;
  #play = key("play", gettext("Play"), () => this.toggle());
  #action = make("p", { id: "told", role: "status" });
  #when = make("p", { id: "when" });

  /**
   * @param {Element} place the element to put it in
   * @param {GameRecord} game the game
   * @param {(number: number, step: GameStep, byPlaying: boolean) => void} onStep shows a step
   */
  constructor(place, game, onStep) {
    this.#game = game;
    this.#onStep = onStep;
    this.slider = make("input", {
      id: "step",
      type: "range",
      min: "0",
      max: String(game.steps.length - 1),
      value: "0",
      "aria-label": gettext("Step of the game"),
      input: () => this.go(Number(this.slider.value)),
    });
    const speeds = SPEEDS.map((speed) => make("option", { value: speed, selected: speed === 1 }, `${speed}×`));
    const speed = make("select", { id: "speed", "aria-label": gettext("Speed") }, ...speeds);
    speed.addEventListener("change", () => this.#pace(Number(speed.value)));
    const keys = make(
      "div",
      { class: "playing" },
      key("first", gettext("To the start"), () => this.go(0)),
      key("back", gettext("One step back"), () => this.go(this.#number - 1)),
      this.#play,
      key("on", gettext("One step on"), () => this.go(this.#number + 1)),
      key("last", gettext("To the end"), () => this.go(this.#last)),
      speed,
      this.#when,
    );
    place.append(this.#action, this.slider, keys);
    document.addEventListener("keydown", (event) => this.#key(event));
  }

  get #last() {
    return this.#game.steps.length - 1;
  }

  /**
   * Show a step, and stop playing.
   * @param {number} number the number of the step, from 0; a number beyond the ends means the first or the last step
   */
  go(number) {
    this.#stop();
    this.#show(number, false);
  }

  /** Play on from here, or from the start if this is the end; or stop. */
  toggle() {
    if (this.#timer) {
      this.#stop();
      return;
    }
    if (this.#number === this.#last) this.#show(0, false);
    this.#label(gettext("Pause"), "pause");
    this.#wait();
  }

  #wait() {
    this.#timer = setTimeout(() => {
      this.#show(this.#number + 1, true);
      if (this.#number === this.#last) this.#stop();
      else this.#wait();
    }, PACE / this.#speed);
  }

  /** @param {number} speed */
  #pace(speed) {
    this.#speed = speed;
    if (!this.#timer) return;
    clearTimeout(this.#timer);
    this.#wait();
  }

  #stop() {
    clearTimeout(this.#timer);
    this.#timer = 0;
    this.#label(gettext("Play"), "play");
  }

  /** @type {(label: string, name: keyof typeof SIGNS) => void} */
  #label(label, name) {
    this.#play.setAttribute("aria-label", label);
    this.#play.title = label;
    this.#play.replaceChildren(sign(name));
  }

  /** @type {(number: number, byPlaying: boolean) => void} */
  #show(number, byPlaying) {
    this.#number = Math.max(0, Math.min(this.#last, number));
    const step = this.#game.steps[this.#number];
    if (!step) return;
    const action = step.words[0] ?? "";
    this.slider.value = String(this.#number);
    const place = { step: this.#number, last: this.#last };
    this.slider.setAttribute("aria-valuetext", gettext("Step {step} of {last}: {action}", { ...place, action }));
    this.#action.textContent = action;
    const round = step.round ? gettext("Round {round}", { round: step.round }) : gettext("Before the first round");
    const count = gettext("step {step} of {last}", place);
    this.#when.textContent = `${round} · ${count} · ${formatDuration(step.after)}`;
    this.#onStep(this.#number, step, byPlaying);
  }

  /** @param {KeyboardEvent} event */
  #key(event) {
    if (event.ctrlKey || event.altKey || event.metaKey || event.defaultPrevented) return; // stations have arrows, too
    if (closest(event.target, "input, select, .scrolled, dialog")) return; // and so have these
    if (event.key === "ArrowLeft") this.go(this.#number - 1);
    else if (event.key === "ArrowRight") this.go(this.#number + 1);
    else if (event.key === "Home") this.go(0);
    else if (event.key === "End") this.go(this.#last);
    else if (event.key === " " && !closest(event.target, "button, a")) this.toggle();
    else return;
    event.preventDefault();
  }
}

/** @type {(id: keyof typeof SIGNS, label: string, click: () => void) => HTMLButtonElement} */
function key(id, label, click) {
  return make("button", { type: "button", "data-time": id, "aria-label": label, title: label, click }, sign(id));
}
