// Applies the settings to the page before anything is drawn: colours.css has a palette for each attribute.

import { onSetting, setting } from "./settings.js";

const LIGHT = matchMedia("(prefers-color-scheme: light)");
const MORE = matchMedia("(prefers-contrast: more)");
/** Whether the page is printed. */
export const PAPER = matchMedia("print");

/** @type {Set<() => void>} */
const listeners = new Set();

/**
 * Return whether the page has its look by day or by night.
 * @returns {"day" | "night"} the setting, or else the device's
 */
export function theme() {
  if (PAPER.matches) return "day"; // paper is white
  const look = setting("look");
  if (look !== "device") return look;
  return LIGHT.matches ? "day" : "night";
}

/**
 * Add a listener to changes of the page's look.
 * @param {() => void} listener called after each change
 */
export function onTheme(listener) {
  listeners.add(listener);
}

// Parts around the page, such as a phone's bar, get the colour of the page's ground.
const tint = document.head.appendChild(document.createElement("meta"));
tint.name = "theme-color";

function apply() {
  const { dataset } = document.documentElement;
  dataset["theme"] = theme();
  dataset["palette"] = setting("palette");
  dataset["contrast"] = setting("contrast") === "high" || MORE.matches ? "high" : "usual";
  tint.content = getComputedStyle(document.documentElement).getPropertyValue("--night").trim();
  for (const listener of listeners) listener();
}

apply();
onSetting(apply);
for (const asked of [LIGHT, MORE, PAPER]) asked.addEventListener("change", apply);
