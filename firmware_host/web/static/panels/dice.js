// The dice game: the dice on the table, who has used which, and the layout of the tiles. Players press dice to roll.

import { addPanel, make, srOnly } from "../page/elements.js";
import { diceKeys, faceKeys } from "../wording/dice_words.js";
import { gettext, ngettext, pgettext } from "../wording/gettext.js";
import { joinParts, joinWords } from "../wording/joining.js";
import { pawnName, ticketName } from "../wording/pawn_and_ticket_names.js";
import { dieSign, pawnDisc } from "../wording/signs.js";

/** @import { DiceScene, GameScene, Scene } from "../../messages.d.ts" */
/** @import { Listeners } from "../page/listeners.js" */

/** @typedef {(key: string) => void} Tap presses a key of the table and releases it at once */

/**
 * Add the panel of the dice game.
 * @param {Element} place the element to put it in
 * @param {Tap} [tap] presses a key, on a page that is allowed to
 * @param {() => boolean} [may] returns whether this page may roll now
 * @returns {Listeners} its listeners
 */
export function dicePanel(place, tap, may = () => true) {
  const { section, body } = addPanel(place, "dice", gettext("Dice"));
  /** @type {?Scene} */
  let scene = null;
  let shown = "";

  function show() {
    const dice = scene === null || scene.rules === null ? null : scene.dice;
    section.hidden = !dice;
    if (scene === null || scene.rules === null || !dice) return;
    const press = tap && may() ? tap : undefined;
    const { round, layout } = scene;
    const next = JSON.stringify([dice, round, layout, [...diceKeys(scene)], faceKeys(scene), press !== undefined]);
    if (next === shown) return; // the dice that have the focus keep it
    shown = next;
    const rows = make("div", {}, ...(round ? tray(scene, dice, press) : []), ...facts(dice, round));
    body.replaceChildren(make("div", { class: "facts" }, rows, tiles(layout, dice)));
  }

  return {
    scene(said) {
      scene = said;
      show();
    },
    table: show,
    phones: show,
  };
}

/** @type {(scene: GameScene, dice: DiceScene, tap: Tap | undefined) => HTMLElement[]} */
function tray(scene, dice, tap) {
  const { to_roll: toRoll, rolled, entered, used, taken } = dice;
  const faces = toRoll ? [...entered, ...Array.from({ length: toRoll - entered.length }, () => "")] : rolled;
  const users = used.map(({ pawn, face }) =>
    make("li", {}, pawnDisc(pawn), dieSign(face), srOnly(gettext("{pawn}: {ticket}", { pawn: pawnName(pawn), ticket: ticketName(face) }))),
  );
  const title = toRoll ? gettext("To roll") : gettext("On the table");
  const signs = [...faces.map(dieSign), srOnly(inWords(faces))];
  const roll = tap && toRoll && !dice.by_hand ? diceKeys(scene).get("table.confirm") : undefined;
  return [
    row(title, tap && roll ? [pressed(signs, roll, () => tap("table.confirm"))] : signs),
    ...(tap ? faceRow(faceKeys(scene), tap) : []),
    row(gettext("Used"), users.length ? [make("ul", { class: "used" }, ...users)] : [gettext("none yet")]),
    ...(taken ? [row(gettext("Mister X took"), [gettext("{count} of them", { count: taken })])] : []),
  ];
}

/** @type {(keys: [string, string][], tap: Tap) => HTMLElement[]} */
function faceRow(keys, tap) {
  if (!keys.length) return [];
  const faces = keys.map(([face, key]) => pressed([dieSign(face)], ticketName(face), () => tap(key)));
  return [row(gettext("Enter"), faces)];
}

/** @type {(dice: Node[], name: string, press: () => void) => HTMLButtonElement} */
function pressed(dice, name, press) {
  return make("button", { type: "button", class: "press", "aria-label": name, title: name, click: press }, ...dice);
}

// Return the open dice in words.
/** @param {string[]} faces */
function inWords(faces) {
  const known = faces.filter(Boolean).map(ticketName);
  const blank = faces.length - known.length;
  const more = blank ? ngettext("{count} to roll", "{count} to roll", blank) : "";
  return [joinWords(known), more].filter(Boolean).join(", ") || pgettext("dice", "none");
}

/** @type {(dice: DiceScene, round: number) => HTMLDivElement[]} */
function facts({ tokens, supply, covers }, round) {
  const all = [row(gettext("Roll again"), [ngettext("{count} token left", "{count} tokens left", tokens)])];
  if (round) all.push(row(gettext("Supply"), [ngettext("{count} die", "{count} dice", supply)]));
  if (covers.length) all.push(row(gettext("On his log"), [...covers.map(dieSign), srOnly(joinWords(covers.map(ticketName)))]));
  return all;
}

// Draw the tiles as they lie on the table. A small letter means the light side.
/** @type {(layout: string, dice: DiceScene) => HTMLElement} */
function tiles(layout, { tile, start }) {
  const rows = layout.split(" ").filter(Boolean);
  const cells = rows.flatMap((letters) =>
    letters.split("").map((letter) =>
      make(
        "span",
        {
          class: "tile",
          "data-light": letter !== letter.toUpperCase(),
          "data-start": letter.toUpperCase() === tile.toUpperCase() && tile !== "",
        },
        letter,
      ),
    ),
  );
  const label = joinParts([
    gettext("The tiles lie {rows}", { rows: rows.join(", ") }),
    ...(layout !== layout.toUpperCase() ? [gettext("small letters: light side up")] : []),
    ...(tile ? [began(tile, start)] : []),
  ]);
  return make("figure", { class: "tiles", role: "img", "aria-label": label }, ...cells, ...caption(tile, start));
}

/** @type {(tile: string, start: number) => string} */
function began(tile, start) {
  if (!start) return gettext("Mister X began on tile {tile}", { tile });
  return gettext("Mister X began on {station}, tile {tile}", { station: start, tile });
}

/** @type {(tile: string, start: number) => HTMLElement[]} */
function caption(tile, start) {
  const place = start ? `${start} (${tile})` : tile;
  return tile ? [make("figcaption", {}, gettext("X began on {place}", { place }))] : [];
}

/** @type {(title: string, content: (Node | string)[]) => HTMLDivElement} */
function row(title, content) {
  return make(
    "div",
    { class: "fact" },
    make("span", { class: "what" }, title),
    make("span", { class: "is" }, ...content),
  );
}
