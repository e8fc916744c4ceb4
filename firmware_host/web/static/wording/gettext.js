// Translates texts to the language of the page by gettext. English texts are the keys of all others. A text with values
// has places in braces for them: `gettext("{pawn} moves", { pawn: "Red" })`.

/** @typedef {Record<string, string | number>} Values */

/** The page's language, as its HTML has it. */
export const LANGUAGE = document.documentElement.lang || "en";

const MEANING = "\u0004";
const PLURALS = new Intl.PluralRules(LANGUAGE);

/** @type {Record<string, string | string[]>} */
const CATALOGUE = LANGUAGE === "en" ? {} : await loaded();

// Load the texts of the page's scripts. Without them the page would be half in English, so it does not start.
/** @returns {Promise<Record<string, string | string[]>>} */
async function loaded() {
  const texts = /** @type {HTMLLinkElement} */ (document.getElementById("texts"));
  const answer = await fetch(texts.href);
  if (!answer.ok) throw new Error(`there are no texts for the language ${LANGUAGE}: ${answer.status}`);
  /** @type {unknown} */
  const read = await answer.json();
  return /** @type {Record<string, string | string[]>} */ (read);
}

/**
 * Translate a text to the page's language.
 * @param {string} text in English
 * @param {Values} [values] the values for its places
 * @returns {string} the translated text
 */
export function gettext(text, values) {
  return filled(one(text) ?? text, values);
}

/**
 * Translate a text with a number: `single` for 1, else `many`.
 * @param {string} single the text for one, in English
 * @param {string} many the text for any other number, in English
 * @param {number} count the number
 * @param {Values} [values] the values for its places, besides {count}
 * @returns {string} the translated text
 */
export function ngettext(single, many, count, values) {
  const form = PLURALS.select(count) === "one" ? 0 : 1;
  const known = CATALOGUE[single];
  const said = Array.isArray(known) ? known[form] : [single, many][form];
  return filled(/** @type {string} */ (said), { count, ...values });
}

/**
 * Translate a text that has other translations in other places.
 * @param {string} meaning shows translators which meaning this is
 * @param {string} text in English
 * @param {Values} [values] the values for its places
 * @returns {string} the translated text
 */
export function pgettext(meaning, text, values) {
  return filled(one(meaning + MEANING + text) ?? text, values);
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
  if (values === undefined) return text;
  const joined = LANGUAGE === "it" ? elided(text, values) : text;
  return joined.replace(/\{(\w+)\}/g, (place, /** @type {string} */ name) => String(values[name] ?? place));
}

// Join an Italian article to a number that begins with a vowel (uno, otto, undici, ottanta): "dall’87", but "dal 67".
/** @type {(text: string, values: Values) => string} */
function elided(text, values) {
  const join = (/** @type {string} */ article, /** @type {string} */ stem, /** @type {string} */ place) => {
    if (!/^(?:1|8|11|8\d)(?!\d)/.test(String(values[place]))) return article;
    return stem.toLowerCase() === "i" ? `${stem === "I" ? "L" : "l"}’` : `${stem}ll’`;
  };
  return text.replace(/\b([Ii]|[Aa]|[Dd]a|[Dd]e|[Nn]e|[Ss]u)l (?=\{(\w+)\})/g, join);
}
