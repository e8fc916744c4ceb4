// The dice game: the dice on the table, who has used which, and how the tiles lie.

import { addPanel, make, srOnly } from "../elements.js";
import { dieSign, pawnDisc } from "../signs.js";
import { joinWords, pawnName, ticketName } from "../wording.js";

/** @import { DiceScene } from "../../messages.d.ts" */
/** @import { Listeners } from "../listeners.js" */

/**
 * Add the panel of the dice game.
 * @param {Element} place where it is put
 * @returns {Listeners} what it listens to
 */
export function dicePanel(place) {
  const { section, body } = addPanel(place, "dice", "Dice");
  return {
    scene(scene) {
      const dice = scene.rules === null ? null : scene.dice;
      section.hidden = !dice;
      if (scene.rules === null || !dice) return;
      const rows = make("div", {}, ...(scene.round ? tray(dice) : []), ...facts(dice, scene.round));
      body.replaceChildren(make("div", { class: "facts" }, rows, tiles(scene.layout, dice)));
    },
  };
}

/** @param {DiceScene} dice */
function tray({ to_roll: toRoll, rolled, entered, used, taken }) {
  const faces = toRoll ? [...entered, ...Array.from({ length: toRoll - entered.length }, () => "")] : rolled;
  const users = used.map(({ pawn, face }) =>
    make("li", {}, pawnDisc(pawn), dieSign(face), srOnly(`${pawnName(pawn)}: ${ticketName(face)}`)),
  );
  return [
    row(toRoll ? "To roll" : "On the table", [...faces.map(dieSign), srOnly(inWords(faces))]),
    row("Used", users.length ? [make("ul", { class: "used" }, ...users)] : ["none yet"]),
    ...(taken ? [row("Mister X took", [`${taken} of them`])] : []),
  ];
}

// Return the dice that lie open, in words.
/** @param {string[]} faces */
function inWords(faces) {
  const known = faces.filter(Boolean).map(ticketName);
  const blank = faces.length - known.length;
  return [joinWords(known), blank ? `${blank} to roll` : ""].filter(Boolean).join(", ") || "none";
}

/** @type {(dice: DiceScene, round: number) => HTMLDivElement[]} */
function facts({ tokens, supply, covers }, round) {
  const all = [row("Roll again", [`${tokens} ${tokens === 1 ? "token" : "tokens"} left`])];
  if (round) all.push(row("Supply", [`${supply} ${supply === 1 ? "die" : "dice"}`]));
  if (covers.length) all.push(row("On his log", [...covers.map(dieSign), srOnly(joinWords(covers.map(ticketName)))]));
  return all;
}

// Draw how the tiles lie, as on the table; small letters lie with their light side up.
/** @type {(layout: string, dice: DiceScene) => HTMLElement} */
function tiles(layout, { tile, start }) {
  const rows = layout.split(" ").filter(Boolean);
  const light = layout !== layout.toUpperCase() ? "; small letters: light side up" : "";
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
  const label = `The tiles lie ${rows.join(", ")}${light}${tile ? `; Mister X began on ${start ? `${start}, ` : ""}tile ${tile}` : ""}`;
  return make("figure", { class: "tiles", role: "img", "aria-label": label }, ...cells, ...caption(tile, start));
}

/** @type {(tile: string, start: number) => HTMLElement[]} */
function caption(tile, start) {
  return tile ? [make("figcaption", {}, `X began on ${start ? `${start} (${tile})` : tile}`)] : [];
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
