// All pawns: where they are, which tickets they have left, and who has moved.

import { addPanel, make, renewChildren, srOnly } from "../page/elements.js";
import { gettext, pgettext } from "../wording/gettext.js";
import { FUGITIVES, pawnName, ticketName, withSpaces } from "../wording/pawn_and_ticket_names.js";
import { nameOf } from "../wording/player_names.js";
import { pawnDisc, ticketSign } from "../wording/signs.js";

/** @import { ReplayScene, TableScene } from "../../messages.d.ts" */

const KINDS = ["taxi", "bus", "underground", "boat", "black", "double", "helicopter"];
/**
 * Why a pawn does not move in this round -> the text about it.
 * @type {Record<string, string>}
 */
const STAYS = {
  blocked: gettext("blocked, stays"),
  immobilised: gettext("lacks a ticket, stays"),
  no_die: gettext("no die, stays"),
};

const PLAYED = ["play", "carry_out"]; // phases in which pawns are on their way, which alone is nothing wrong

/**
 * Add the panel of the pawns and their tickets.
 * @param {Element} place the element to put it in
 * @returns {{scene(scene: TableScene): void}} its listeners
 */
export function playersPanel(place) {
  const { section, body } = addPanel(place, "tickets", gettext("Players and tickets"));
  const [head, rows] = [make("thead"), make("tbody")];
  const table = make("table", {}, head, rows);
  return {
    scene(scene) {
      section.hidden = scene.rules === null;
      if (scene.rules === null) return;
      const kinds = KINDS.filter((kind) => Object.values(scene.tickets).some((hand) => kind in hand));
      renewChildren(head, heading(kinds));
      renewChildren(rows, ...pawnsOf(scene).map((pawn) => row(scene, pawn, kinds)));
      renewChildren(body, table, ...strangers(scene));
    },
  };
}

/** @param {ReplayScene} scene */
function pawnsOf(scene) {
  const fugitives = FUGITIVES.filter((pawn) => pawn in scene.tickets || pawn in scene.pawns);
  return [...fugitives, ...Object.keys(scene.owners)];
}

/** @param {string[]} kinds */
function heading(kinds) {
  return make(
    "tr",
    {},
    make("th", { scope: "col" }, srOnly(gettext("Pawn"))),
    make("th", { scope: "col" }, srOnly(gettext("Station"))),
    ...kinds.map((kind) => make("th", { scope: "col" }, ticketSign(kind), srOnly(ticketName(kind)))),
  );
}

/** @type {(scene: ReplayScene, pawn: string, tickets: string[]) => HTMLTableRowElement} */
function row(scene, pawn, kinds) {
  const hand = scene.tickets[pawn] ?? {};
  const { state, why } = doing(scene, pawn);
  const who = make(
    "span",
    { class: "who" },
    make("span", {}, pawnName(pawn), ...owner(scene, pawn)),
    ...person(scene, pawn),
    ...why,
  );
  const counts = paysNothing(scene, pawn)
    ? [make("td", { colspan: kinds.length }, make("small", {}, gettext("Bobby: needs no tickets")))]
    : kinds.map((kind) => make("td", { "data-kind": kind, "data-none": hand[kind] === 0 }, String(hand[kind] ?? "")));
  return make(
    "tr",
    { "data-state": state, "data-owner": pawn },
    make("th", { scope: "row" }, pawnDisc(pawn), who),
    make("td", { class: "at" }, ...whereabouts(scene, pawn)),
    ...counts,
  );
}

// Return whether a pawn is a Bobby, which rides for free while the others pay.
/** @type {(scene: ReplayScene, pawn: string) => boolean} */
function paysNothing({ owners, tickets }, pawn) {
  const pays = (/** @type {string} */ one) => "taxi" in (tickets[one] ?? {});
  return pawn in owners && !pays(pawn) && Object.keys(owners).some(pays);
}

// Show the owner of a pawn, if players move several pawns.
/** @type {(scene: ReplayScene, pawn: string) => HTMLElement[]} */
function owner({ owners }, pawn) {
  const all = Object.values(owners);
  if (all.length === new Set(all).size || !(pawn in owners)) return [];
  const said = gettext("player {number}", { number: owners[pawn] ?? 0 });
  return [
    make("span", { class: "owner", title: said, "aria-hidden": "true" }, String(owners[pawn])),
    srOnly(` ${said}`),
  ];
}

/** @type {(scene: ReplayScene, pawn: string) => HTMLElement[]} */
function person(scene, pawn) {
  const name = nameOf(scene, pawn);
  return name ? [make("bdi", { class: "person", title: name }, name)] : [];
}

// Return what a pawn does in this round: a word for its look, and a text about it. The head of the page says who has to
// move.
/** @type {(scene: ReplayScene, pawn: string) => { state: string; why: HTMLElement[]; }} */
function doing(scene, pawn) {
  const says = (/** @type {string} */ state, /** @type {string} */ words) => ({ state, why: [make("small", {}, words)] });
  const marked = (/** @type {string} */ state, /** @type {string} */ words) => ({ state, why: [srOnly(` ${words}`)] });
  const isWrong = scene.wrong || !PLAYED.includes(scene.phase);
  if (isWrong && pawn in scene.mismatch.missing) return says("missing", missing(scene.phase));
  const skip = scene.skipped.find((skipped) => skipped.pawn === pawn);
  if (skip) return says("skipped", stays(skip.why));
  const playing = scene.phase === "play";
  if (scene.in_hand.includes(pawn)) return marked("turn", pgettext("pawn", "in hand"));
  if (playing && scene.turn.includes(pawn)) return marked("turn", pgettext("pawn", "to move"));
  if (scene.giving.includes(pawn)) return says("waits", gettext("gives a ticket"));
  if (playing && scene.moved.includes(pawn)) return marked("moved", pgettext("pawn", "moved ✓"));
  return { state: "waits", why: [] };
}

/** @param {string} phase */
function missing(phase) {
  return phase === "set_up" ? gettext("set it down") : pgettext("pawn", "missing");
}

// Show why a pawn stays where it is.
/** @param {string} why */
function stays(why) {
  return STAYS[why] ?? withSpaces(why);
}

/** @type {(scene: ReplayScene, pawn: string) => (string | HTMLElement)[]} */
function whereabouts(scene, pawn) {
  const at = scene.pawns[pawn];
  if (at !== undefined) {
    const [before = "", after = ""] = gettext("on {station}", { station: at }).split(String(at));
    return [srOnly(before), String(at), ...(after ? [srOnly(after)] : [])];
  }
  if (FUGITIVES.includes(pawn)) return [make("span", { "aria-hidden": "true" }, "?"), srOnly(pgettext("Mister X", "hidden"))];
  return [srOnly(gettext("not on the board"))];
}

// List every piece on a wrong station; the prompt names only the first ones.
/** @param {ReplayScene} scene */
function strangers({ mismatch, wrong, phase }) {
  if (!mismatch.extra.length || (!wrong && PLAYED.includes(phase))) return [];
  const stations = mismatch.extra.join(", ");
  return [make("p", { class: "clear" }, gettext("Clear {stations}", { stations }))];
}
