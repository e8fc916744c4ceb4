// The sounds of the table, which the browser creates from a few tones each.

/**
 * A tone: its pitch in hertz at the start and at the end, when it begins and how long it lasts, in seconds, its wave,
 * and how loud it is, from 0 to 1.
 * @typedef {{from: number, to: number, at: number, lasts: number, wave: OscillatorType, loud: number}} Tone
 */

/** @type {(from: number, to: number, at: number, lasts: number, wave?: OscillatorType, loud?: number) => Tone} */
const tone = (from, to, at, lasts, wave = "sine", loud = 0.2) => ({ from, to, at, lasts, wave, loud });

/**
 * Sound -> its tones.
 * @satisfies {Record<string, Tone[]>}
 */
const SOUNDS = {
  set_down: [tone(190, 90, 0, 0.09, "triangle", 0.35)],
  ticket: [tone(1200, 500, 0, 0.05, "square", 0.04), tone(700, 1500, 0.07, 0.05, "square", 0.04)],
  surfacing: [tone(220, 440, 0, 0.5, "sawtooth", 0.06), tone(659, 659, 0.25, 0.5)],
  dice: [0, 0.07, 0.16, 0.29].map((at, n) => tone(500 - 60 * n, 200, at, 0.04, "square", 0.08)),
  capture: [523, 659, 784, 1047].map((pitch, n) => tone(pitch, pitch, 0.13 * n, 0.35, "triangle", 0.2)),
  your_turn: [tone(660, 660, 0, 0.14), tone(880, 880, 0.12, 0.22)],
  refused: [tone(180, 120, 0, 0.18, "sawtooth", 0.09)],
};

/** @typedef {keyof typeof SOUNDS} Sound */

/**
 * The player of sounds. Browsers allow sound only once the user has touched the page. After an interruption, such as a
 * call on a phone, it goes on as soon as the browser allows it.
 */
export class Synthesizer {
  /** @type {?AudioContext} */
  #context = null;

  constructor() {
    const wake = () => {
      this.#context ??= this.#open();
      this.#resume();
    };
    addEventListener("pointerdown", wake, { capture: true });
    addEventListener("keydown", wake, { capture: true });
    document.addEventListener("visibilitychange", () => this.#resume());
  }

  #open() {
    const context = new AudioContext();
    context.addEventListener("statechange", () => this.#resume());
    return context;
  }

  // Go on after an interruption. If the browser does not allow it yet, try again at the next touch or look at the page.
  #resume() {
    const context = this.#context;
    if (!context || document.hidden || context.state === "running" || context.state === "closed") return;
    context.resume().catch(() => {});
  }

  /**
   * Play a sound if the browser allows it.
   * @param {Sound} sound the sound
   */
  play(sound) {
    if (this.#context?.state !== "running") return;
    for (const one of SOUNDS[sound]) start(this.#context, one);
  }
}

/** @type {(context: AudioContext, tone: Tone) => void} */
function start(context, { from, to, at, lasts, wave, loud }) {
  const begins = context.currentTime + at;
  const pitch = new OscillatorNode(context, { type: wave, frequency: from });
  const volume = new GainNode(context, { gain: 0 });
  pitch.frequency.exponentialRampToValueAtTime(to, begins + lasts);
  volume.gain.setValueAtTime(0, begins);
  volume.gain.linearRampToValueAtTime(loud, begins + 0.008);
  volume.gain.exponentialRampToValueAtTime(0.0001, begins + lasts);
  pitch.connect(volume).connect(context.destination);
  pitch.start(begins);
  pitch.stop(begins + lasts);
}
