// What is printed on the keys of the table.

import { pgettext } from "./gettext.js";

/**
 * Key -> what is printed on it, as the table's prompts call it, too.
 * @type {Record<string, string>}
 */
export const KEY_NAMES = {
  taxi: pgettext("key", "TAXI"),
  bus: pgettext("key", "BUS"),
  underground: pgettext("key", "UNDERGROUND"),
  confirm: pgettext("key", "CONFIRM"),
  back: pgettext("key", "BACK"),
};
