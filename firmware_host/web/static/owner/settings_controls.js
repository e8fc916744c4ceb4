// A control for each kind of value that a configuration may contain, by its JSON Schema.

import { make } from "../page/elements.js";
import { LANGUAGES } from "../languages/names.js";
import { gettext } from "../wording/gettext.js";

/** @import { FieldSchema, SettingField, SettingValue } from "../../messages.d.ts" */

/** @typedef {{element: HTMLElement, value: () => SettingValue}} Control its value as in a file; null: the default */

/**
 * Key of a choice -> its values -> their names for people.
 * @type {Record<string, Record<string, string>>}
 */
const CALLED = {
  language: LANGUAGES,
  coach: {
    off: gettext("nothing"),
    stations: gettext("where Mister X may be"),
    advice: gettext("also what to do"),
  },
  palette: { standard: gettext("usual"), "colour-blind": gettext("for the colour-blind") },
};

/**
 * Create the control of a field.
 * @param {SettingField} field the field
 * @param {string} id the control's id
 * @param {boolean} named whether its choices are shown by their names for people
 * @returns {Control} the control
 */
export function controlOf(field, id, named) {
  const { schema } = field;
  const value = field.given ? field.value : field.default;
  if (schema.enum) return choice(id, schema.enum, asText(value), named ? CALLED[field.key] ?? {} : {});
  switch (schema.type) {
    case "boolean":
      return flag(id, value === true);
    case "number":
      return slider(id, schema, Number(value));
    case "integer":
      return number(id, schema, Number(value));
    case "array":
      return lines(id, schema, Array.isArray(value) ? value : []);
    case "object":
      return rows(id, /** @type {Record<string, string | number | boolean>} */ (value));
    default:
      return text(id, asText(value));
  }
}

/**
 * Return a value as a text.
 * @param {SettingValue} value the value
 * @returns {string} the text; "" for a list or for lines
 */
export function asText(value) {
  return typeof value === "object" ? "" : String(value);
}

/** @type {(id: string, now: string) => Control} */
function text(id, now) {
  const input = make("input", { id, value: now, autocomplete: "off", spellcheck: "false", autocapitalize: "off" });
  return { element: input, value: () => input.value };
}

/**
 * Create a choice between words.
 * @param {string} id its id
 * @param {string[]} values the words
 * @param {string} now the present word, which may be none of them
 * @param {Record<string, string>} called word -> its name for people
 * @returns {Control} the control
 */
export function choice(id, values, now, called) {
  const all = values.includes(now) ? values : [...values, now];
  const select = make("select", { id }, ...all.map((value) => make("option", { value, selected: value === now }, called[value] ?? value)));
  return { element: select, value: () => select.value };
}

/** @type {(id: string, now: boolean) => Control} */
function flag(id, now) {
  const input = make("input", { id, type: "checkbox", role: "switch", checked: now });
  return { element: input, value: () => input.checked };
}

/** @type {(id: string, schema: FieldSchema, now: number) => Control} */
function slider(id, { minimum, maximum }, now) {
  const input = make("input", { id, type: "range", min: minimum, max: maximum, step: 0.05, value: now });
  const shown = make("output", { for: id });
  const show = () => (shown.textContent = Number(input.value).toLocaleString(document.documentElement.lang));
  input.addEventListener("input", show);
  show();
  const moved = () => Math.abs(Number(input.value) - now) > 1e-6;
  return { element: make("span", { class: "slider" }, input, shown), value: () => (moved() ? Number(input.value) : now) };
}

/** @type {(id: string, schema: FieldSchema, now: number) => Control} */
function number(id, { minimum, maximum }, now) {
  const input = make("input", { id, type: "number", min: minimum, max: maximum, step: 1, value: now, inputmode: "numeric" });
  return { element: input, value: () => (input.value === "" ? null : Number(input.value)) };
}

/** @type {(id: string, schema: FieldSchema, now: (string | number)[]) => Control} */
function lines(id, { items }, now) {
  const area = make("textarea", { id, rows: Math.min(8, now.length + 1), spellcheck: "false" });
  area.value = now.join("\n");
  const read = () => area.value.split("\n").map((each) => each.trim()).filter(Boolean);
  const wanted = () => (items?.type === "integer" ? read().map((each) => (/^-?\d+$/.test(each) ? Number(each) : each)) : read());
  return { element: area, value: () => /** @type {string[]} */ (wanted()) };
}

// Create the control of lines "name = value". A value is a number, true or false if it reads like one, else a text.
/** @type {(id: string, now: Record<string, string | number | boolean>) => Control} */
function rows(id, now) {
  const area = make("textarea", { id, rows: Math.min(8, Object.keys(now).length + 1), spellcheck: "false", placeholder: "mr_x = Ada" });
  area.value = Object.entries(now).map(([name, value]) => `${name} = ${value}`).join("\n");
  const read = () => {
    const all = area.value.split("\n").filter((each) => each.trim());
    return Object.fromEntries(all.map((each) => {
      const [name = "", ...rest] = each.split("=");
      return [name.trim(), plain(rest.join("=").trim(), now[name.trim()])];
    }));
  };
  return { element: area, value: read };
}

/** @type {(said: string, before: string | number | boolean | undefined) => string | number | boolean} */
function plain(said, before) {
  if (typeof before === "string" || !/^(true|false|-?\d+)$/.test(said)) return said;
  return said === "true" || (said !== "false" && Number(said));
}
