// The lamps' colours: as they are in the bytes that come, and as an eye sees them.

const PLATE = [33, 41, 57]; // a dark station's, as in drawing/looks.py
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

/**
 * The colour of one lamp, as its bytes say.
 * @param {Uint8Array} frame three bytes a lamp; none at all while the lamps cannot be reached
 * @param {number} lamp its place in the chain, from 0
 * @returns {string} "#rrggbb", or "" while it is dark
 */
export function colourAt(frame, lamp) {
  const at = 3 * lamp;
  const bits = ((frame[at] ?? 0) << 16) | ((frame[at + 1] ?? 0) << 8) | (frame[at + 2] ?? 0);
  return bits ? `#${bits.toString(16).padStart(6, "0")}` : "";
}

/** Red, green and blue of "#rrggbb". */
function parts(colour) {
  return [1, 3, 5].map((at) => parseInt(colour.slice(at, at + 2), 16));
}

/** How bright a lamp is, "#rrggbb": the sum of its three lights. */
export function brightness(colour) {
  return parts(colour).reduce((sum, part) => sum + part);
}

/**
 * How a lamp's light looks: a full colour, and how much of it an eye sees; a quarter of the power is more than half
 * of the brightness.
 * @param {string} colour "#rrggbb" as the bytes say
 * @returns {{paint: string, ink: string}} the light's colour with its strength as alpha, for CSS; and whether "dark" or
 *   "pale" writing can be read on a plate that shines so
 */
export function lampPaint(colour) {
  const levels = parts(colour);
  const most = Math.max(...levels);
  const strength = (most / 255) ** (1 / 2.6);
  const full = levels.map((level) => Math.round(255 * (level / most) ** (1 / 1.6))); // a little deeper than a screen's
  const shown = full.map((level, n) => PLATE[n] + (level - PLATE[n]) * strength);
  const luminance = 0.2126 * linear(shown[0]) + 0.7152 * linear(shown[1]) + 0.0722 * linear(shown[2]);
  return { paint: `rgb(${full.join(" ")} / ${strength.toFixed(3)})`, ink: luminance > 0.18 ? "dark" : "pale" };
}

function linear(level) {
  return (level / 255) ** 2.2;
}

/**
 * What people call a lamp's colour, however bright it is.
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
  return HUES.find(([upTo]) => hue < upTo)[1];
}
