// Who plays: the owners of the pawns, the names of people and computers, the fields for names, and names in sentences.

import { keep, readKept } from "../page/browser_store.js";
import { make } from "../page/elements.js";
import { gettext, pgettext } from "./gettext.js";

/** @import { Scene } from "../../messages.d.ts" */

/** @typedef {Record<string, string>} Names seat -> the name of the person there */

const KEPT = "yardboard-names"; // what was written here last, in the browser's store
const LONGEST = 20; // letters
const ALL = "detectives"; // the seat of them all, and
const FIRST = "1"; // of the first of them

/**
 * The levels of a computer player, each with its name.
 * @type {Record<string, string>}
 */
export const LEVELS = {
  easy: pgettext("level", "easy"),
  medium: pgettext("level", "medium"),
  skilled: pgettext("level", "skilled"),
  hard: pgettext("level", "hard"),
  expert: pgettext("level", "expert"),
};

/** The input fields for names, one for each seat. The browser remembers their content. */
export class NameFields {
  #page;
  /** @type {Map<string, HTMLInputElement>} */
  #fields = new Map();

  /** @param {string} page a word that distinguishes one dialog's fields from another's */
  constructor(page) {
    this.#page = page;
    this.element = make("div", { class: "names" });
  }

  /**
   * Show the fields for these seats and no others. Their content stays.
   * @param {[string, string][]} seats each seat, and the label of its field
   */
  ask(seats) {
    const known = { ...remembered(), ...this.#written };
    const fields = seats.map(([seat]) => /** @type {const} */ ([seat, this.#field(seat, known[seat] ?? "")]));
    this.#fields = new Map(fields);
    this.element.replaceChildren(
      ...seats.map(([seat, label]) =>
        make("div", { class: "field" }, make("label", { for: this.#id(seat) }, label), this.#fields.get(seat) ?? ""),
      ),
    );
  }

  /**
   * The entered names.
   * @returns {Names} seats without a name are left out
   */
  get names() {
    return Object.fromEntries(Object.entries(this.#written).filter(([, name]) => name));
  }

  /** @returns {Names} */
  get #written() {
    return Object.fromEntries([...this.#fields].map(([seat, { value }]) => [seat, value.trim()]));
  }

  /**
   * The entered names as part of an order. Without any, the part is empty, so that the configuration's names apply.
   * @returns {{names?: Names}} a part of an order
   */
  get wish() {
    const { names } = this;
    return Object.keys(names).length ? { names } : {};
  }

  /** Store the names for the next game in this browser. A single name for all detectives becomes the first player's. */
  keep() {
    const [known, written] = [remembered(), this.#written];
    const name = written[ALL] ?? "";
    const first = ALL in written && name !== (known[ALL] ?? "") ? { [FIRST]: name } : {};
    keep(KEPT, JSON.stringify({ ...known, ...first, ...written }));
  }

  /** Drop entered names that were not stored. */
  forget() {
    this.#fields.clear();
  }

  /** @type {(seat: string, value: string) => HTMLInputElement} */
  #field(seat, value) {
    const field = make("input", { id: this.#id(seat), maxlength: LONGEST, placeholder: gettext("not needed"), autocomplete: "off" });
    field.value = value;
    return field;
  }

  /** @param {string} seat */
  #id(seat) {
    return `${this.#page}-name-${seat}`;
  }
}

/**
 * Return the name of the person who moves a pawn.
 * @param {{names: Names, owners: Record<string, number>}} game its names, and who moves which pawn
 * @param {string} pawn a detective's, or one of Mister X's side
 * @returns {string} a name; "" if there is none
 */
export function nameOf({ names, owners }, pawn) {
  return names[pawn in owners ? String(owners[pawn]) : "mr_x"] ?? "";
}

/**
 * Return the detectives' players that are people, each with its pawns.
 * @param {Scene} scene the table's scene
 * @returns {Map<number, string[]>} number of the player -> pawns
 */
export function playersOf(scene) {
  /** @type {Map<number, string[]>} */
  const players = new Map();
  if (scene.rules === null) return players;
  for (const [pawn, player] of Object.entries(scene.owners)) {
    if (!(String(player) in scene.seats)) players.set(player, [...(players.get(player) ?? []), pawn]);
  }
  return players;
}

/**
 * Return who played which seat, as far as this is known.
 * @param {Record<string, string>} seats seat -> "person", or a computer
 * @param {Names} names of the people
 * @returns {string[]} such as "Mister X: Ada", "detectives: Ben and Cleo", "detectives: computer (hard)"
 */
export function whoPlayed(seats, names) {
  const shown = Object.entries(seats).map(([seat, who]) => [seat, who === "person" ? names[seat] ?? "" : computer(who)]);
  const of = (/** @type {boolean} */ his) => [
    ...new Set(shown.filter(([seat, who]) => who && (seat === "mr_x") === his).map(([, who]) => who)),
  ];
  const [his, theirs] = [of(true).join(", "), of(false).join(", ")];
  return [
    ...(his ? [gettext("Mister X: {names}", { names: his })] : []),
    ...(theirs ? [gettext("detectives: {names}", { names: theirs })] : []),
  ];
}

/**
 * Name who plays in a computer's seat.
 * @param {string} player a level such as "hard", or a program's name
 * @returns {string} its name for people
 */
export function levelName(player) {
  return LEVELS[player] ?? player;
}

/** @param {string} player a level, or a program's name */
function computer(player) {
  return gettext("computer ({level})", { level: levelName(player) });
}

// Return the names that were stored last.
/** @returns {Names} */
function remembered() {
  try {
    /** @type {unknown} */
    const kept = JSON.parse(readKept(KEPT) ?? "{}");
    /** @type {[string, unknown][]} */
    const names = Object.entries(kept instanceof Object ? kept : {});
    return Object.fromEntries(names.flatMap(([seat, name]) => (typeof name === "string" ? [[seat, name]] : [])));
  } catch {
    return {};
  }
}
