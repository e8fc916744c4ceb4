// The dice game: the dice on the table, who has used which, and how the tiles lie.

import { addPanel, make, srOnly } from "../elements.js";
import { dieSign, pawnDisc, joinWords, pawnName, ticketName } from "../wording.js";

/** @param {Element} place where it is put */
export function dicePanel(place) {
  const { section, body } = addPanel(place, "dice", "Dice");
  return {
    scene(scene) {
      section.hidden = !scene.dice;
      if (!scene.dice) return;
      const rows = make("div", {}, ...(scene.round ? tray(scene.dice) : []), ...facts(scene));
      body.replaceChildren(make("div", { class: "facts" }, rows, tiles(scene.layout, scene.dice)));
    },
  };
}

function tray({ to_roll: toRoll, rolled, entered, used, taken }) {
  const faces = toRoll ? [...entered, ...Array(toRoll - entered.length).fill("")] : rolled;
  const users = used.map(({ pawn, face }) =>
    make("li", {}, pawnDisc(pawn), dieSign(face), srOnly(`${pawnName(pawn)}: ${ticketName(face)}`)),
  );
  return [
    row(toRoll ? "To roll" : "On the table", [...faces.map(dieSign), srOnly(open(faces))]),
    row("Used", users.length ? [make("ul", { class: "used" }, ...users)] : ["none yet"]),
    ...(taken ? [row("Mister X took", [`${taken} of them`])] : []),
  ];
}

/** The dice that lie open, in words. */
function open(faces) {
  const known = faces.filter(Boolean).map(ticketName);
  const blank = faces.length - known.length;
  return [joinWords(known), blank ? `${blank} to roll` : ""].filter(Boolean).join(", ") || "none";
}

function facts({ dice: { tokens, supply, covers }, round }) {
  const all = [row("Roll again", [`${tokens} ${tokens === 1 ? "token" : "tokens"} left`])];
  if (round) all.push(row("Supply", [`${supply} ${supply === 1 ? "die" : "dice"}`]));
  if (covers.length) all.push(row("On his log", [...covers.map(dieSign), srOnly(joinWords(covers.map(ticketName)))]));
  return all;
}

/** How the tiles lie, as on the table; small letters lie with their light side up. */
function tiles(layout, { tile, start }) {
  const rows = layout.split(" ").filter(Boolean);
  const light = layout !== layout.toUpperCase() ? "; small letters: light side up" : "";
  const cells = rows.flatMap((letters) =>
    [...letters].map((letter) =>
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

function caption(tile, start) {
  return tile ? [make("figcaption", {}, `X began on ${start ? `${start} (${tile})` : tile}`)] : [];
}

function row(title, content) {
  return make(
    "div",
    { class: "fact" },
    make("span", { class: "what" }, title),
    make("span", { class: "is" }, ...content),
  );
}
