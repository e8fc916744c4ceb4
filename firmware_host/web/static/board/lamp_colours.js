// The lamps' colours: as bytes in a frame, and as people see them.

import { gettext } from "../wording/gettext.js";

/** @typedef {[number, number, number]} Rgb red, green and blue, 0 to 255 */

/** @type {Rgb} */
const PLATE = [33, 43, 68]; // a dark station's, as the drawing of the board has it
/** @type {[number, string][]} */
const HUES = [
  [15, "red"],
  [40, "orange"],
  [68, "yellow"],
  [165, "green"],
  [200, "turquoise"],
  [255, "blue"],
  [310, "purple"],
  [345, "pink"],
  [361, "red"],
];

/** @type {Record<string, string>} */
const LIT = {
  red: gettext("lit red"),
  orange: gettext("lit orange"),
  yellow: gettext("lit yellow"),
  green: gettext("lit green"),
  turquoise: gettext("lit turquoise"),
  blue: gettext("lit blue"),
  purple: gettext("lit purple"),
  pink: gettext("lit pink"),
  white: gettext("lit white"),
};

/**
 * Return the colour of one lamp from its bytes in a frame.
 * @param {Uint8Array} frame three bytes a lamp; none at all while the lamps cannot be reached
 * @param {number} lamp its place in the chain, from 0
 * @returns {string} "#rrggbb", or "" while it is dark
 */
export function colourAt(frame, lamp) {
  const at = 3 * lamp;
  const bits = ((frame[at] ?? 0) << 16) | ((frame[at + 1] ?? 0) << 8) | (frame[at + 2] ?? 0);
  return bits ? `#${bits.toString(16).padStart(6, "0")}` : "";
}

// Take a colour "#rrggbb" apart.
/** @type {(colour: string) => Rgb} */
function parts(colour) {
  const part = (/** @type {number} */ at) => parseInt(colour.slice(at, at + 2), 16);
  return [part(1), part(3), part(5)];
}

/**
 * Return how bright a lamp is: the sum of its three lights.
 * @param {string} colour "#rrggbb"
 * @returns {number} 0 to 765
 */
export function brightness(colour) {
  const [red, green, blue] = parts(colour);
  return red + green + blue;
}

/**
 * Return how a lamp's light looks: a full colour, and how much of it an eye sees; a quarter of the power is more than
 * half of the brightness.
 * @param {string} colour "#rrggbb" as the bytes say
 * @returns {{paint: string, ink: string}} the light's colour with its strength as alpha, for CSS; and whether "dark" or
 *   "pale" writing is readable on a plate that shines like this
 */
export function lampPaint(colour) {
  const levels = parts(colour);
  const most = Math.max(...levels);
  const strength = (most / 255) ** (1 / 2.6);
  const tint = (/** @type {number} */ level) => Math.round(255 * (level / most) ** (1 / 1.6)); // deeper than a screen's
  const full = /** @type {Rgb} */ (levels.map(tint));
  const light = (/** @type {0 | 1 | 2} */ n) => ((PLATE[n] + (full[n] - PLATE[n]) * strength) / 255) ** 2.2;
  const luminance = 0.2126 * light(0) + 0.7152 * light(1) + 0.0722 * light(2);
  return { paint: `rgb(${full.join(" ")} / ${strength.toFixed(3)})`, ink: luminance > 0.18 ? "dark" : "pale" };
}

/**
 * Name a lamp's colour as people do, however bright it is.
 * @param {string} colour "#rrggbb"
 * @returns {string} such as "yellow"
 */
export function colourName(colour) {
  const [red, green, blue] = parts(colour);
  const most = Math.max(red, green, blue);
  const spread = most - Math.min(red, green, blue);
  if (spread < 0.35 * most) return "white";
  const sixth =
    most === red ? (green - blue) / spread : most === green ? 2 + (blue - red) / spread : 4 + (red - green) / spread;
  const hue = (sixth * 60 + 360) % 360;
  return HUES.find(([upTo]) => hue < upTo)?.[1] ?? "red";
}

/**
 * Say that a lamp shines in a colour.
 * @param {string} name the colour's, by `colourName`
 * @returns {string} such as "lit yellow"
 */
export function litWords(name) {
  return LIT[name] ?? name;
}
