// Says texts in the page's language, by gettext: the English texts are the keys to all others. What is said with values
// has places in braces for them: `gettext("{pawn} moves", { pawn: "Red" })`.

/** @typedef {Record<string, string | number>} Values */

/** The page's language, as its HTML has it. */
export const LANGUAGE = document.documentElement.lang || "en";

const MEANING = "\u0004";
const PLURALS = new Intl.PluralRules(LANGUAGE);

/** @type {Record<string, string | string[]>} */
const CATALOGUE = LANGUAGE === "en" ? {} : await loaded();

/** The page's texts; without them it would be half in English, so it does not begin. */
async function loaded() {
  const answer = await fetch(`/static/languages/${LANGUAGE}.json`);
  if (!answer.ok) throw new Error(`there are no texts for the language ${LANGUAGE}: ${answer.status}`);
  return answer.json();
}

/**
 * A text in the page's language, its places filled.
 *
 * @param {string} text
 * @param {Values} [values]
 */
export function gettext(text, values) {
  return filled(one(text) ?? text, values);
}

/**
 * The first text for one of something, else the second.
 *
 * @param {string} single
 * @param {string} many
 * @param {number} count
 * @param {Values} [values]
 */
export function ngettext(single, many, count, values) {
  const form = PLURALS.select(count) === "one" ? 0 : 1;
  const known = CATALOGUE[single];
  const said = Array.isArray(known) ? known[form] : [single, many][form];
  return filled(/** @type {string} */ (said), { count, ...values });
}

/**
 * A text that other languages say in another way elsewhere; the meaning tells translators what this one is.
 *
 * @param {string} meaning
 * @param {string} text
 * @param {Values} [values]
 */
export function pgettext(meaning, text, values) {
  return filled(one(meaning + MEANING + text) ?? text, values);
}

/**
 * A text as it is: it is only marked for translators, and said later.
 *
 * @param {string} text
 */
export function gettextNoop(text) {
  return text;
}

/** @param {string} key */
function one(key) {
  const known = CATALOGUE[key];
  return typeof known === "string" ? known : undefined;
}

/**
 * @param {string} text
 * @param {Values} [values]
 */
function filled(text, values) {
  return values === undefined ? text : text.replace(/\{(\w+)\}/g, (place, name) => String(values[name] ?? place));
}
