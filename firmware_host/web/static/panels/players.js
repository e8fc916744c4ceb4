// All pawns: where they stand, what they have left, and who has moved.

import { addPanel, make, srOnly } from "../elements.js";
import { FUGITIVES, pawnDisc, pawnName, ticketSign, ticketName } from "../wording.js";

const KINDS = ["taxi", "bus", "underground", "boat", "black", "double", "helicopter"];

/** @param {Element} place where it is put */
export function playersPanel(place) {
  const { section, body } = addPanel(place, "tickets", "Players and tickets");
  return {
    scene(scene) {
      section.hidden = !scene.rules;
      if (!section.hidden) body.replaceChildren(table(scene), ...strangers(scene));
    },
  };
}

function table(scene) {
  const kinds = KINDS.filter((kind) => Object.values(scene.tickets).some((hand) => kind in hand));
  const fugitives = FUGITIVES.filter((pawn) => pawn in scene.tickets || pawn in scene.pawns);
  const pawns = [...fugitives, ...Object.keys(scene.owners)];
  const heads = kinds.map((kind) => make("th", { scope: "col" }, ticketSign(kind), srOnly(ticketName(kind))));
  const head = make(
    "tr",
    {},
    make("th", { scope: "col" }, srOnly("Pawn")),
    make("th", { scope: "col" }, srOnly("Station")),
    ...heads,
  );
  return make("table", {}, make("thead", {}, head), make("tbody", {}, ...pawns.map((pawn) => row(scene, pawn, kinds))));
}

function row(scene, pawn, kinds) {
  const hand = scene.tickets[pawn] ?? {};
  const { state, why } = doing(scene, pawn);
  const who = make(
    "span",
    { class: "who" },
    make("span", {}, pawnName(pawn), ...owner(scene, pawn)),
    make("small", {}, why),
  );
  const counts = kinds.map((kind) =>
    make("td", { "data-kind": kind, "data-none": hand[kind] === 0 }, String(hand[kind] ?? "")),
  );
  return make(
    "tr",
    { "data-state": state, "data-owner": pawn },
    make("th", { scope: "row" }, pawnDisc(pawn), who),
    make("td", { class: "at" }, ...place(scene, pawn)),
    ...counts,
  );
}

/** Where players move several pawns: the number of the one whose it is. */
function owner({ owners }, pawn) {
  const all = Object.values(owners);
  if (all.length === new Set(all).size || !(pawn in owners)) return [];
  const said = `player ${owners[pawn]}`;
  return [
    make("span", { class: "owner", title: said, "aria-hidden": "true" }, String(owners[pawn])),
    srOnly(` ${said}`),
  ];
}

/** What a pawn does in this round: a word for its looks, and one for people. */
function doing(scene, pawn) {
  if (pawn in scene.mismatch.missing && (scene.wrong || scene.phase !== "play")) {
    return { state: "missing", why: scene.phase === "set_up" ? "set it down" : "missing" };
  }
  const skip = scene.skipped.find((skipped) => skipped.pawn === pawn);
  if (skip) return { state: "skipped", why: skip.why === "no_die" ? "no die, stays" : `${skip.why}, stays` };
  if (scene.in_hand.includes(pawn)) return { state: "turn", why: "in hand" };
  if (scene.phase === "play" && scene.turn.includes(pawn)) return { state: "turn", why: "to move" };
  if (scene.giving.includes(pawn)) return { state: "waits", why: "gives a ticket" };
  if (scene.phase === "play" && scene.moved.includes(pawn)) return { state: "moved", why: "moved ✓" };
  return { state: "waits", why: "" };
}

function place(scene, pawn) {
  const at = scene.pawns[pawn];
  if (at !== undefined) return [srOnly("on "), String(at)];
  return FUGITIVES.includes(pawn) ? [make("small", {}, "hidden")] : [srOnly("not on the board")];
}

/** What stands where nothing should, all of it: the prompt names the first ones only. */
function strangers({ mismatch, wrong, phase }) {
  if (!mismatch.extra.length || (!wrong && phase === "play")) return [];
  return [make("p", { class: "clear" }, `Clear ${mismatch.extra.join(", ")}`)];
}
