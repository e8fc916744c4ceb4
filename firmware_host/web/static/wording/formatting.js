// The formats of dates, times and numbers.

import { LANGUAGE } from "./gettext.js";

// The page's language with the browser's region: English regions order the parts of a date in different ways.
const LOCALE = navigator.languages.find((one) => one.split("-")[0] === LANGUAGE) ?? LANGUAGE;

/**
 * Format a moment in the page's language: "Sat 21 Nov 2026, 17:14".
 * @param {string} time in ISO 8601
 * @returns {string} its date and time of day
 */
export function formatDate(time) {
  return new Date(time).toLocaleString(LOCALE, {
    weekday: "short",
    day: "numeric",
    month: "short",
    year: "numeric",
    hour: "2-digit",
    minute: "2-digit",
  });
}

/**
 * Format a share in per cent: "37%".
 * @param {number} share from 0 to 1
 * @returns {string} the formatted text
 */
export function formatShare(share) {
  return share.toLocaleString(LOCALE, { style: "percent" });
}

/**
 * Format seconds as minutes: "4:05", "1:04:05".
 * @param {number} seconds the seconds
 * @returns {string} minutes and seconds, with hours where there are any
 */
export function formatDuration(seconds) {
  const whole = Math.max(0, Math.round(seconds));
  const two = (/** @type {number} */ number) => String(number).padStart(2, "0");
  const hours = Math.floor(whole / 3600);
  const minutes = Math.floor(whole / 60) % 60;
  return `${hours ? `${hours}:${two(minutes)}` : minutes}:${two(whole % 60)}`;
}
