// A small screen of a table, such as the handset's or the public display: its pixels on a canvas.

const WIDTH = 128;
const HEIGHT = 64;
const LIT = 0xff_ff_f2_e2; // alpha, blue, green, red
const UNLIT = 0xff_08_05_03;

/**
 * Draw the screen's picture, one pixel of the canvas for each pixel of the screen.
 * @param {HTMLCanvasElement} canvas gets 128 x 64 pixels
 * @param {?string} pixels its rows from above, a bit a pixel, the leftmost first, as base64; null while it is dark
 */
export function drawPixels(canvas, pixels) {
  if (canvas.width !== WIDTH) canvas.width = WIDTH;
  if (canvas.height !== HEIGHT) canvas.height = HEIGHT;
  const bits = pixels === null ? "" : atob(pixels);
  const picture = new ImageData(WIDTH, HEIGHT);
  const dots = new Uint32Array(picture.data.buffer); // its first byte is the red one on every machine of today
  for (let pixel = 0; pixel < WIDTH * HEIGHT; pixel += 1) {
    const lit = (bits.charCodeAt(pixel >> 3) >> (7 - (pixel & 7))) & 1; // of no bits at all: NaN, which is unlit
    dots[pixel] = lit ? LIT : UNLIT;
  }
  canvas.getContext("2d")?.putImageData(picture, 0, 0);
}

/**
 * Keep a canvas as large as its parent allows, each pixel of the screen a whole number of the device's own.
 * @param {HTMLElement} parent what it is in, with nothing else that takes room
 * @param {HTMLCanvasElement} canvas the canvas
 */
export function fitInto(parent, canvas) {
  new ResizeObserver(() => {
    const dots = devicePixelRatio;
    const room = Math.min((parent.clientWidth * dots) / WIDTH, (parent.clientHeight * dots) / HEIGHT);
    const each = Math.max(1, Math.floor(room)) / dots;
    canvas.style.setProperty("width", `${WIDTH * each}px`);
    canvas.style.setProperty("height", `${HEIGHT * each}px`);
  }).observe(parent);
}
