// The time line of a past game: a slider with a step for each thing that was done, and keys to let it play.

import { formatDuration } from "./formatting.js";
import { make } from "./elements.js";
import { svg } from "./svg.js";

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

function sign(name) {
  return svg("svg", { viewBox: "0 0 16 16", "aria-hidden": "true" }, svg("path", { d: SIGNS[name] }));
}

export class Timeline {
  #number = 0;
  #timer = null;
  #speed = 1;

  /**
   * @param {Element} place where it is put
   * @param {Object} game a game as /games/{n}.json gives it
   * @param {function(number, boolean): void} show shows a step; tells whether it came by playing
   */
  constructor(place, game, show) {
    this.game = game;
    this.show = show;
    const key = (id, label, click) =>
      make("button", { type: "button", "data-time": id, "aria-label": label, title: label, click }, sign(id));
    this.play = key("play", "Play", () => this.toggle());
    this.slider = make("input", {
      id: "step",
      type: "range",
      min: "0",
      max: String(game.steps.length - 1),
      value: "0",
      "aria-label": "Step of the game",
      input: () => this.go(Number(this.slider.value)),
    });
    this.told = make("p", { id: "told", role: "status" });
    this.when = make("p", { id: "when" });
    const speeds = SPEEDS.map((speed) => make("option", { value: speed, selected: speed === 1 }, `${speed}×`));
    const changed = () => this.#pace(Number(speed.value));
    const speed = make("select", { id: "speed", "aria-label": "Speed", change: changed }, ...speeds);
    const keys = make(
      "div",
      { class: "playing" },
      key("first", "To the start", () => this.go(0)),
      key("back", "One step back", () => this.go(this.#number - 1)),
      this.play,
      key("on", "One step on", () => this.go(this.#number + 1)),
      key("last", "To the end", () => this.go(this.#last)),
      speed,
      this.when,
    );
    place.append(this.told, this.slider, keys);
    document.addEventListener("keydown", (event) => this.#key(event));
  }

  get #last() {
    return this.game.steps.length - 1;
  }

  /** Shows a step, and stops playing. */
  go(number) {
    this.#stop();
    this.#show(number, false);
  }

  /** Plays on from here, or from the start if this is the end; or stops. */
  toggle() {
    if (this.#timer !== null) {
      this.#stop();
      return;
    }
    if (this.#number === this.#last) this.#show(0, false);
    this.#label("Pause", "pause");
    this.#wait();
  }

  #wait() {
    this.#timer = setTimeout(() => {
      this.#show(this.#number + 1, true);
      if (this.#number === this.#last) this.#stop();
      else this.#wait();
    }, PACE / this.#speed);
  }

  #pace(speed) {
    this.#speed = speed;
    if (this.#timer === null) return;
    clearTimeout(this.#timer);
    this.#wait();
  }

  #stop() {
    clearTimeout(this.#timer);
    this.#timer = null;
    this.#label("Play", "play");
  }

  #label(label, name) {
    this.play.setAttribute("aria-label", label);
    this.play.title = label;
    this.play.replaceChildren(sign(name));
  }

  #show(number, byPlaying) {
    this.#number = Math.max(0, Math.min(this.#last, number));
    const step = this.game.steps[this.#number];
    this.slider.value = String(this.#number);
    this.slider.setAttribute("aria-valuetext", `Step ${this.#number} of ${this.#last}: ${step.words[0]}`);
    this.told.textContent = step.words[0];
    const round = step.round ? `Round ${step.round}` : "Before the first round";
    this.when.textContent = `${round} · step ${this.#number} of ${this.#last} · ${formatDuration(step.after)}`;
    this.show(this.#number, byPlaying);
  }

  #key(event) {
    if (event.ctrlKey || event.altKey || event.metaKey || event.target.closest?.("input, select, button, a")) return;
    const does = {
      ArrowLeft: () => this.go(this.#number - 1),
      ArrowRight: () => this.go(this.#number + 1),
      Home: () => this.go(0),
      End: () => this.go(this.#last),
      " ": () => this.toggle(),
    }[event.key];
    if (!does) return;
    event.preventDefault();
    does();
  }
}
