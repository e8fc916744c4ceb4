// The settings: those that people change first, and below them everything that the table's file may contain. They are
// saved together, and take effect by a restart.

import { make } from "../page/elements.js";
import { gameName } from "../wording/game_names.js";
import { gettext, ngettext } from "../wording/gettext.js";
import { levelName } from "../wording/player_names.js";
import { asText, choice, controlOf } from "./settings_controls.js";
import { askForJson, reasonOf } from "./owner_session.js";
import { followRequest, say, statusPlace } from "./root_requests.js";

/** @import { SettingField, SettingsForm } from "../../messages.d.ts" */
/** @import { Control } from "./settings_controls.js" */

/** @typedef {{id: string, name: (Node | string)[], hint: (Node | string)[]}} RowWords */
/** @typedef {{section: string, field: SettingField, control: Control, before: string, complaint: HTMLElement}} Entry */

/**
 * The settings that people change first: section, key, name, and an explanation.
 * @type {[string, string, string, string][]}
 */
const FIRST = [
  ["game", "rules", gettext("Game"), gettext("The one that CONFIRM begins.")],
  ["game", "players", gettext("Players, with Mister X"), gettext("0: as usual")],
  ["game", "seats", gettext("Who plays"), ""],
  ["game", "names", gettext("Names"), gettext("Everybody sees them.")],
  ["game", "coach", gettext("The coach shows"), ""],
  ["board", "language", gettext("Language of the table"), gettext("Its display and the handset; each page has its own.")],
  ["lamps", "brightness", gettext("Brightness of the lamps"), ""],
  ["lamps", "palette", gettext("Colours of the lamps"), ""],
  ["display", "blank_after_s", gettext("Seconds until the lamps go dark"), gettext("0: never")],
  ["handset", "phone", gettext("Mister X may play on a phone"), ""],
];
const RESTART_DUE = gettext("The file has changed since the table started; it takes effect by a restart.");
const PEOPLE = ["mr_x", "1", "2", "3", "4", "5"];

/**
 * Fill the section.
 * @param {HTMLElement} place the section
 * @returns {() => void} loads the settings, when the section is opened
 */
export function settingsSection(place) {
  /** @type {Entry[]} */
  let entries = [];
  let digest = "";
  const outcome = statusPlace();
  const count = make("span", { role: "status" });
  const save = make("button", { type: "submit", class: "button main" }, gettext("Save and restart the table"));
  const again = make("button", { type: "button", class: "button", click: () => void load() }, gettext("Load again"));
  const form = make("form", { novalidate: true });
  const bar = make("div", { class: "save" }, outcome, count, again, save);
  const body = make("div", { class: "settings" });
  form.append(body, bar);
  place.replaceChildren(form);

  const changes = () =>
    entries.flatMap(({ section, field: { key }, control, before }) => {
      const value = control.value();
      return JSON.stringify(value) === before ? [] : [{ section, key, value }];
    });

  function countChanges() {
    const { length } = changes();
    count.textContent = length ? ngettext("{count} change", "{count} changes", length) : "";
    save.disabled = !length;
    again.disabled = !length && entries.length > 0; // without entries, the settings could not be loaded
    bar.toggleAttribute("data-changed", !again.disabled);
  }

  async function load() {
    try {
      const settings = /** @type {SettingsForm} */ (await askForJson("/owner/settings"));
      entries = []; // only now: the section may have been opened twice
      ({ digest } = settings);
      body.replaceChildren(...first(settings), ...everything(settings));
      if (!settings.applied) say(outcome, "waits", RESTART_DUE);
      const loose = complain(settings.complaints);
      if (loose) say(outcome, "refused", gettext("The table cannot use this:"), loose);
    } catch (error) {
      entries = [];
      body.replaceChildren(make("p", { class: "warning", role: "alert" }, reasonOf(error)));
    }
    countChanges();
  }

  // Create the row of a setting: its name, its control, an explanation, and a place for complaints.
  /** @type {(section: string, field: SettingField, control: Control, words: RowWords) => HTMLElement} */
  function row(section, field, control, { id, name, hint }) {
    const complaint = make("p", { class: "complaint", id: `${id}-complaint`, lang: "en", role: "alert" });
    const about = hint.length ? [make("small", { id: `${id}-hint` }, ...hint)] : [];
    entries.push({ section, field, control, before: JSON.stringify(control.value()), complaint });
    const { element } = control;
    const isSet = element instanceof HTMLFieldSetElement;
    if (isSet) element.prepend(make("legend", {}, ...name));
    else inputsOf(control)[0]?.setAttribute("aria-describedby", [...about, complaint].map(({ id: by }) => by).join(" "));
    const label = isSet ? [] : [make("label", { for: id }, ...name)];
    return make("div", { class: "setting", "data-key": `${section}.${field.key}` }, ...label, element, ...about, complaint);
  }

  /** @param {SettingsForm} settings */
  function first(settings) {
    const found = FIRST.flatMap(([section, key, label, hint]) => {
      const field = settings.sections.find(({ name }) => name === section)?.fields.find((each) => each.key === key);
      const id = `first-${section}-${key}`;
      const words = { id, name: [label], hint: hint ? [hint] : [] };
      return field?.editable ? [row(section, field, firstControl(settings, field, id), words)] : [];
    });
    return [make("div", { class: "card first" }, make("h2", {}, gettext("The usual settings")), ...found)];
  }

  /** @param {SettingsForm} settings */
  function everything({ file, sections }) {
    const shown = new Set(FIRST.map(([section, key]) => `${section}.${key}`));
    const folds = sections.map(({ name, doc, fields }) => {
      const rest = fields.filter(({ key, editable }) => !editable || !shown.has(`${name}.${key}`));
      const driver = asText(fields.find(({ key }) => key === "driver")?.value ?? "");
      const read = rest.filter(({ only, given }) => given || !only.length || only.includes(driver));
      return make(
        "details",
        { class: "card fold", "data-section": name },
        make("summary", {}, make("strong", {}, name), " ", make("span", {}, ...withCode(doc))),
        ...read.map((field) => fullField(name, field)),
      );
    });
    const intro = gettext("By the names that the file has; the explanations are in English, as in the documentation.");
    return [make("h2", { class: "between" }, gettext("Everything in the file")), make("p", { class: "intro" }, intro, " ", make("code", {}, file)), make("div", { lang: "en", class: "folds" }, ...folds)];
  }

  /** @type {(section: string, field: SettingField) => HTMLElement} */
  function fullField(section, field) {
    const id = `all-${section}-${field.key}`;
    const name = make("code", {}, field.key);
    const doc = withCode(field.doc);
    if (field.editable) {
      const unit = field.unit ? [make("span", { class: "unit" }, ` ${field.unit}`)] : [];
      return row(section, field, controlOf(field, id, false), { id, name: [name, ...unit], hint: doc });
    }
    return make("div", { class: "setting", "data-key": `${section}.${field.key}` }, make("span", { class: "label" }, name), fixed(field), make("small", {}, ...doc));
  }

  // Show each complaint beside its field, and return the complaints without a field.
  /** @param {[string, string, string][]} all */
  function complain(all) {
    for (const { complaint, control } of entries) {
      complaint.textContent = "";
      for (const input of inputsOf(control)) input.removeAttribute("aria-invalid");
    }
    const loose = all.filter(([section, key, text]) => {
      const found = entries.find((each) => each.section === section && each.field.key === key);
      if (!found) return true;
      found.complaint.textContent = [found.complaint.textContent, text].filter(Boolean).join(" ");
      for (const input of blamed(found.control, text)) input.setAttribute("aria-invalid", "true");
      found.complaint.closest("details")?.setAttribute("open", "");
      return false;
    });
    form.querySelector("[aria-invalid]")?.scrollIntoView({ block: "center" });
    return loose.map(([, , text]) => text).join("\n");
  }

  form.addEventListener("input", countChanges);
  form.addEventListener("submit", (event) => {
    event.preventDefault();
    void send();
  });

  async function send() {
    const wanted = changes();
    if (!wanted.length) return;
    body.inert = save.disabled = again.disabled = true; // what is changed now would be lost
    say(outcome, "waits", gettext("Saving…"));
    try {
      const asked = { method: /** @type {const} */ ("POST"), body: JSON.stringify({ digest, changes: wanted }) };
      const read = await askForJson("/owner/settings", asked, 422);
      const { request, complaints } = /** @type {{request?: string, complaints?: [string, string, string][]}} */ (read);
      const loose = complain(complaints ?? []);
      if (request === undefined) say(outcome, "refused", gettext("Nothing was saved; see the fields that are marked."), loose);
      else if (await followRequest(outcome, request)) await load();
    } catch (error) {
      say(outcome, "refused", reasonOf(error));
    }
    body.inert = false;
    countChanges();
  }

  return () => {
    if (changes().length) return;
    outcome.replaceChildren();
    void load();
  };
}

/** @type {(control: Control) => Element[]} */
function inputsOf({ element }) {
  const inputs = "input, select, textarea";
  return element.matches(inputs) ? [element] : [...element.querySelectorAll(inputs)];
}

// Return the inputs that a complaint is about: that of the row whose name begins the complaint, or else all.
/** @type {(control: Control, text: string) => Element[]} */
function blamed(control, text) {
  const inputs = inputsOf(control);
  const row = /^'?(\w+)/.exec(text)?.[1];
  const named = inputs.filter((input) => input.getAttribute("data-row") === row);
  return named.length ? named : inputs;
}

// Create the control of a setting that people change first. Games, seats and names have special controls.
/** @type {(settings: SettingsForm, field: SettingField, id: string) => Control} */
function firstControl(settings, field, id) {
  const value = field.given ? field.value : field.default;
  if (field.key === "rules") {
    const called = Object.fromEntries(settings.games.map((rules) => [rules, gameName({ rules, title: rules })]));
    return choice(id, settings.games, asText(value), called);
  }
  const rows = /** @type {Record<string, string>} */ (value);
  if (field.key === "seats") return seats(id, rows, settings.programs);
  if (field.key === "names") return names(id, rows);
  return controlOf(field, id, true);
}

/** @type {(id: string, now: Record<string, string>, programs: string[]) => Control} */
function seats(id, now, programs) {
  const players = ["person", "easy", "medium", "skilled", "hard", "expert", ...programs];
  const called = Object.fromEntries(players.map((player) => [player, player === "person" ? gettext("people") : levelName(player)]));
  const label = new Map([["mr_x", gettext("Mister X")], ["detectives", gettext("The detectives")]]);
  return several(id, [...new Set(["mr_x", "detectives", ...Object.keys(now)])], now, (seat, inner) => {
    const select = choice(inner, players, now[seat] ?? "person", called);
    const name = label.get(seat) ?? gettext("Player {number}", { number: seat });
    return { name, control: select, none: "person" };
  });
}

/** @type {(id: string, now: Record<string, string>) => Control} */
function names(id, now) {
  return several(id, [...new Set([...PEOPLE, ...Object.keys(now)])], now, (seat, inner) => {
    const input = make("input", { id: inner, value: now[seat] ?? "", maxlength: 20, autocomplete: "off" });
    const name = seat === "mr_x" ? gettext("Mister X") : gettext("Player {number}", { number: seat });
    return { name, control: { element: input, value: () => input.value.trim() }, none: "" };
  });
}

/**
 * Create a control that consists of several, one for each line of the file. A line with the value `none` is omitted.
 * @param {string} id
 * @param {string[]} keys
 * @param {Record<string, string>} now
 * @param {(key: string, id: string) => {name: string, control: Control, none: string}} one
 * @returns {Control}
 */
function several(id, keys, now, one) {
  const all = keys.map((key) => ({ key, ...one(key, `${id}-${key}`) }));
  for (const { key, control } of all) control.element.setAttribute("data-row", key);
  const element = make("fieldset", { class: "several" }, ...all.map(({ key, name, control }) => make("div", {}, make("label", { for: `${id}-${key}` }, name), control.element)));
  const value = () => {
    const said = all.map(({ key, control, none }) => ({ key, none, chosen: asText(control.value()) }));
    const kept = said.filter(({ key, none, chosen }) => chosen !== none || now[key] === none);
    return Object.fromEntries(kept.map(({ key, chosen }) => [key, chosen]));
  };
  return { element, value };
}

// Format text between two backticks as code.
/** @param {string} text */
function withCode(text) {
  return text.split("\u0060").map((part, n) => (n % 2 ? make("code", {}, part) : part));
}

// Show a value that cannot be changed here: wirings, secrets, and settings that only root changes.
/** @param {SettingField} field */
function fixed({ secret, given, value }) {
  if (secret) return make("span", { class: "fixed" }, given ? gettext("set; it is not shown") : gettext("not set"));
  const rows = typeof value === "object" && value !== null ? Object.entries(value) : [];
  if (!rows.length) return make("span", { class: "fixed" }, given && typeof value === "string" ? value : gettext("as usual"));
  const text = rows.map(([name, at]) => `${name} = ${String(at)}`).join("\n");
  return make("details", { class: "fixed" }, make("summary", {}, ngettext("{count} line", "{count} lines", rows.length)), make("pre", { tabindex: 0 }, text));
}
