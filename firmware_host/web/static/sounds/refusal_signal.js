// The signal of a refusal. Besides its text, a refusal has a buzz, and a caption for users who want captions.

import { soundCaptions } from "./captions.js";

const REFUSAL = "refusal";

/** Signal that something was refused, by the table or by the page. */
export function signalRefusal() {
  document.dispatchEvent(new Event(REFUSAL));
}

/**
 * Add a listener to refusals.
 * @param {() => void} listener called after each
 */
export function onRefusal(listener) {
  document.addEventListener(REFUSAL, listener);
}

/** Give refusals a caption and no sound, because nobody else should notice what Mister X tries. */
export function captionRefusals() {
  const caption = soundCaptions();
  onRefusal(() => caption(["refused"]));
}
