// What the devices of a table are called.

import { pgettext } from "../gettext.js";

/** @type {Record<string, string>} */
const DEVICES = {
  switches: pgettext("device", "switches"),
  lamps: pgettext("device", "lamps"),
  handset: pgettext("device", "handset"),
  display: pgettext("device", "display"),
  keys: pgettext("device", "keys"),
  serial: pgettext("device", "serial"),
  power: pgettext("device", "power"),
  journal: pgettext("device", "journal"),
};

/**
 * Name a device: "lamps".
 * @param {string} device such as "lamps"
 * @returns {string} its name for people
 */
export function deviceName(device) {
  return DEVICES[device] ?? device;
}
