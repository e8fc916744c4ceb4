// The short names of games, and their descriptions.

import { gettext, pgettext } from "./gettext.js";

/**
 * Return the short name of a past game.
 * @param {{rules: string, title: string}} game the game
 * @returns {string} its name on the first page; else its title, or "" if it has none
 */
export function gameName({ rules, title }) {
  return GAMES[rules]?.[0] ?? title;
}

/**
 * Game -> its short name, and a description.
 * @type {Record<string, [string, string]>}
 */
export const GAMES = {
  classic: [pgettext("rules", "Classic"), gettext("Mister X flees through London unseen and shows himself at four of 24 moves.")],
  beginners: [pgettext("rules", "Beginners"), gettext("No tickets to count: Mister X walks in the open and vanishes three times.")],
  junior: [pgettext("rules", "Junior"), gettext("For children: guess where he goes. Three catches win.")],
  dice: [pgettext("rules", "Dice"), gettext("Nine tiles, laid out differently each time: roll, choose a die, close in.")],
  current: [pgettext("rules", "Today's box"), gettext("Detectives move in any order, each with one taxi ticket more; 22 rounds.")],
  us: [pgettext("rules", "American"), gettext("Five detectives, and Mister X shows himself once more at the very end.")],
};
