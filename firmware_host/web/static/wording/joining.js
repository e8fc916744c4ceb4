// Functions that join words and parts of a sentence.

import { gettext } from "./gettext.js";

/**
 * Join independent parts of a sentence: "a; b; c".
 * @param {string[]} parts each without a full stop
 * @returns {string} all of them
 */
export function joinParts(parts) {
  return parts.length ? parts.reduce((first, second) => gettext("{first}; {second}", { first, second })) : "";
}

/**
 * Join words as in a sentence: "a, b and c".
 * @param {string[]} words the words
 * @param {"and" | "or"} last the word before the last one
 * @returns {string} all of them
 */
export function joinWords(words, last = "and") {
  if (words.length < 2) return words.join("");
  const ends = { words: words.slice(0, -1).join(", "), last: words.at(-1) ?? "" };
  return last === "or" ? gettext("{words} or {last}", ends) : gettext("{words} and {last}", ends);
}
