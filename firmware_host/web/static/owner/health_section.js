// The table's health: its devices and switches, the newest lines of its log, and the doctor's findings.

import { make, renewChildren } from "../page/elements.js";
import { deviceHealthPanel } from "../panels/device_health.js";
import { gettext } from "../wording/gettext.js";
import { askForJson, reasonOf } from "./owner_session.js";

/** @import { TableHealth, SwitchHealth } from "../../messages.d.ts" */
/** @import { Listeners } from "../page/listeners.js" */

const AGAIN = 5000; // milliseconds until all is looked at again: so often the table writes it
const WORST = 12; // switches that are listed

/**
 * Fill the section.
 * @param {HTMLElement} place the section
 * @returns {{open: () => void, listeners: Listeners}} what to do when it is opened, and what it listens to
 */
export function healthSection(place) {
  const devices = make("div", { class: "card", id: "devices" });
  const facts = make("dl", { class: "facts" });
  const switches = make("div", { class: "switches" });
  const log = make("pre", { id: "log", role: "region", lang: "en", tabindex: 0, "aria-label": gettext("The newest lines of the log") });
  const found = make("pre", { id: "found", lang: "en", tabindex: 0, hidden: true, role: "status" });
  const check = make("button", { type: "button", class: "button", click: () => void checkMachine() }, gettext("Check the machine"));
  const alone = gettext("Lamps, switches, screens and keys are tried one by one at the Pi, while the table is stopped: {command}", { command: "yardboard selftest" });
  place.replaceChildren(
    devices,
    make("div", { class: "card" }, make("h2", {}, gettext("The program")), facts),
    make("div", { class: "card" }, make("h2", {}, gettext("Switches")), switches),
    make("div", { class: "card wide" }, make("h2", {}, gettext("Is the Pi set up for this board?")), make("div", { class: "row" }, check), found, make("p", { class: "note" }, alone)),
    make("div", { class: "card wide" }, make("h2", {}, gettext("Log")), log),
  );
  let looking = 0;

  async function look() {
    clearTimeout(looking);
    if (place.hidden) return;
    try {
      const [health, newest] = await Promise.all([askForJson("/owner/health"), askForJson("/owner/log")]);
      show(/** @type {TableHealth} */ (health));
      const stays = log.scrollTop + log.clientHeight < log.scrollHeight - 4 && log.textContent !== "";
      log.textContent = /** @type {{lines: string[]}} */ (newest).lines.join("\n");
      if (!stays) log.scrollTop = log.scrollHeight;
    } catch (error) {
      switches.replaceChildren(make("p", { class: "warning" }, reasonOf(error)));
    }
    looking = setTimeout(() => void look(), AGAIN);
  }

  /** @param {TableHealth} health */
  function show(health) {
    const said = /** @type {[string, string][]} */ ([
      ["yardboard", health.yardboard],
      ["Python", health.python],
      [gettext("Has run for"), duration(health.up_s)],
      [gettext("Configuration"), health.config],
    ]);
    renewChildren(facts, ...said.flatMap(([name, value]) => [make("dt", {}, name), make("dd", {}, value)]));
    const all = Object.entries(health.switches);
    const ill = all.filter(([, one]) => one.state !== "ok");
    const bouncing = all.filter(([, one]) => one.state === "ok" && one.bounces).toSorted(([, a], [, b]) => b.longest_ms - a.longest_ms);
    const listed = [...ill, ...bouncing].slice(0, Math.max(WORST, ill.length));
    const summary = ill.length ? gettext("Out of order: {count}", { count: ill.length }) : gettext("All that were used work.");
    renewChildren(switches, make("p", {}, summary), ...(listed.length ? [switchTable(listed)] : []));
  }

  async function checkMachine() {
    check.disabled = true;
    found.hidden = false;
    found.textContent = gettext("One moment…");
    try {
      const read = await askForJson("/owner/check", { method: "POST" });
      found.textContent = /** @type {{text: string}} */ (read).text.trim();
    } catch (error) {
      found.textContent = reasonOf(error);
    }
    check.disabled = false;
  }

  return { open: () => void look(), listeners: deviceHealthPanel(devices, devices) };
}

/** @param {[string, SwitchHealth][]} listed */
function switchTable(listed) {
  const head = [gettext("Station"), gettext("Switch"), gettext("State"), gettext("Closed"), gettext("Bounced"), gettext("Longest")];
  const row = (/** @type {[string, SwitchHealth]} */ [station, one]) =>
    make(
      "tr",
      { "data-state": one.state },
      make("th", { scope: "row" }, station),
      ...[one.place, STATES[one.state] ?? gettext("not trusted"), one.closures, one.bounces, `${one.longest_ms} ms`].map((each) => make("td", {}, String(each))),
    );
  const body = make("tbody", {}, ...listed.map(row));
  const top = make("tr", {}, ...head.map((each) => make("th", { scope: "col" }, each)));
  return make("div", { class: "scrolls", tabindex: 0, role: "group", "aria-label": gettext("Switches") }, make("table", {}, make("thead", {}, top), body));
}

/** @type {Record<string, string>} */
const STATES = {
  ok: gettext("works"),
  weak: gettext("weak"),
  chattering: gettext("chatters"),
};

/** @param {number} seconds */
function duration(seconds) {
  const unit = seconds < 7200 ? "minute" : seconds < 172_800 ? "hour" : "day";
  const size = { minute: 60, hour: 3600, day: 86_400 }[unit];
  const words = new Intl.NumberFormat(document.documentElement.lang, { style: "unit", unit, unitDisplay: "long" });
  return words.format(Math.floor(seconds / size));
}
