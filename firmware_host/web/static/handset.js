// Mister X's handset: his screen, pixel for pixel, and his keys.

import { open } from "./link.js";

const KEYS = ["up", "down", "select", "back", "peek"];
const words = document.getElementById("words");
const line = document.getElementById("line");

/** Changes the token out of the address for a session, and takes it out of the address at once. */
async function unlock() {
  const token = location.hash.slice(1);
  history.replaceState(null, "", location.pathname);
  if (!token) return;
  const body = JSON.stringify({ token });
  const answer = await fetch("/handset/session", { method: "POST", body });
  if (!answer.ok) line.textContent = (await answer.json()).error;
}

function show(pixels) {
  const context = document.getElementById("screen").getContext("2d");
  const picture = context.createImageData(128, 64);
  const bits = pixels === null ? "" : atob(pixels);
  for (let pixel = 0; pixel < 128 * 64; pixel++) {
    const lit = bits && (bits.charCodeAt(pixel >> 3) >> (7 - (pixel & 7))) & 1;
    picture.data.set(lit ? [230, 244, 255, 255] : [4, 6, 10, 255], 4 * pixel);
  }
  context.putImageData(picture, 0, 0);
}

await unlock();
const send = open("handset", {
  up: () => (line.textContent = ""),
  down: (why) => (line.textContent = why || "The table does not answer; trying again…"),
  handset: ({ pixels, lines }) => {
    show(pixels);
    words.textContent = lines.join("\n");
  },
});
document.getElementById("keys").append(
  ...KEYS.map((key) => {
    const button = document.createElement("button");
    button.textContent = key;
    button.onpointerdown = () => send({ do: "key", key: `handset.${key}`, down: true });
    button.onpointerup = () => send({ do: "key", key: `handset.${key}`, down: false });
    return button;
  }),
);
