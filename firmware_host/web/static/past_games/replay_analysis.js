// The coach's analysis of a past game: how many stations were possible and which, what the coach would have done, how
// likely the detectives were to win, what each move cost, and the key moments. The user starts it. It stops soon after
// nobody looks at the page any more.

import { addPanel, make } from "../page/elements.js";
import { fetchJson } from "../page/fetch_json.js";
import { formatShare } from "../wording/formatting.js";
import { gettext, ngettext } from "../wording/gettext.js";
import { drawChart } from "./replay_chart.js";
import { meansName, pawnName } from "../wording/pawn_and_ticket_names.js";

/** @import { AnalysedStep, Coach, GameAnalysis, GameRecord } from "../../messages.d.ts" */
/** @import { CoachHeat } from "../board/coach_heat.js" */

const ASK_AGAIN = 700; // milliseconds
const NOTABLE = 2; // the least cost, in percentage points, that is more than noise

/** The panel of the analysis. */
export class ReplayAnalysis {
  #game;
  #heat;
  #go;
  #body;
  /** @type {AnalysedStep[]} */
  #steps = [];
  #number = 0;
  /** @type {((step: number) => void)[]} */
  #showInCharts = [];
  #now = make("p", { class: "insight" });
  #onMap = make("input", { type: "checkbox", checked: true, change: () => this.show(this.#number) });

  /**
   * @param {Element} place the element to put it in
   * @param {GameRecord} game the game
   * @param {?CoachHeat} heat the coach's layer of the board
   * @param {(step: number) => void} go goes to a step
   */
  constructor(place, game, heat, go) {
    const { section, body } = addPanel(place, "analysis", gettext("Analysis"));
    this.#game = game;
    this.#heat = heat;
    this.#go = go;
    this.#body = body;
    section.hidden = false;
    this.#offer(gettext("The coach goes through the game by what everyone knew at each step."));
  }

  /**
   * Show what the coach says about a step.
   * @param {number} number the step
   */
  show(number) {
    this.#number = number;
    if (!this.#steps.length) return;
    const step = this.#steps[number];
    this.#heat?.show(step && this.#onMap.checked ? onMap(step) : null);
    this.#now.replaceChildren(...(step ? sentences(step) : [gettext("The game is over: everything is open.")]));
    this.#showInCharts.forEach((showInChart) => showInChart(number));
  }

  /** @param {string} text the text about it */
  #offer(text) {
    const button = make("button", { type: "button", click: () => void this.#analyse() }, gettext("Analyse this game"));
    this.#body.replaceChildren(make("p", { role: "status" }, text), button);
  }

  async #analyse() {
    const bar = make("progress", { "aria-label": gettext("Steps that the coach has looked at") });
    const words = make("p", { role: "status" }, gettext("The coach gets ready…"));
    this.#body.replaceChildren(words, bar);
    const address = `/games/${this.#game.number}/analysis.json`;
    try {
      let found = /** @type {GameAnalysis} */ (await fetchJson(address, "POST"));
      for (;;) {
        if (found.trouble) {
          this.#body.replaceChildren(make("p", { role: "status" }, found.trouble));
          return;
        }
        if (found.steps.length) {
          this.#showAnalysis(found);
          return;
        }
        if (found.done) {
          words.textContent = gettext("The coach goes through the game…");
          bar.max = found.total;
          bar.value = found.done;
        }
        await new Promise((later) => setTimeout(later, ASK_AGAIN));
        found = /** @type {GameAnalysis} */ (await fetchJson(address));
      }
    } catch (error) {
      this.#offer(error instanceof Error ? error.message : String(error));
    }
  }

  /** @param {GameAnalysis} found */
  #showAnalysis({ steps, moments }) {
    this.#steps = steps;
    const weighed = steps.some(({ chance }) => chance !== null);
    const charts = [this.#chartOfStations(), ...(weighed ? [this.#chartOfChance()] : [])];
    this.#showInCharts = charts.map(({ show }) => show);
    const buttons = moments.map(({ step, words }) =>
      make("li", {}, make("button", { type: "button", click: () => this.#go(step) }, make("b", {}, gettext("Step {step}", { step })), ` ${words}`)),
    );
    this.#body.replaceChildren(
      this.#now,
      make("label", {}, this.#onMap, ` ${gettext("Show it on the map")}`),
      ...charts.map(({ drawing }) => drawing),
      ...(weighed ? [] : [make("p", {}, gettext("The cost of moves is not shown: this table lacks the extra “players”."))]),
      ...(buttons.length ? [make("h3", {}, gettext("Key moments")), make("ol", { class: "moments" }, ...buttons)] : []),
      this.#table(),
      make("a", { href: `/games/${this.#game.number}/analysed.json`, download: true }, gettext("Save: the game with its analysis, as JSON")),
    );
    this.show(this.#number);
  }

  #chartOfStations() {
    const values = this.#steps.map(({ possible }) => possible);
    const [first = 0, last = 0, most] = [values[0], values.at(-1), Math.max(...values)];
    return drawChart(
      this.#game,
      [{ of: "possible", name: gettext("Possible"), values }],
      gettext("Stations at which Mister X may have been, over the game"),
      gettext("From {first} at the start to {last} before the end, at most {most}. The table below has all.", { first, last, most }),
    );
  }

  #chartOfChance() {
    const values = this.#steps.map(({ chance }) => Math.round(100 * (chance ?? 0)));
    const [first, last] = [values[0], values.at(-1)].map((value) => formatShare((value ?? 0) / 100));
    return drawChart(
      this.#game,
      [{ of: "detectives", name: pawnName("detectives"), values }],
      gettext("The detectives’ chance to win, in per cent"),
      gettext("From {first} at the start to {last} before the end. The table below has all.", { first: first ?? "", last: last ?? "" }),
      100,
    );
  }

  #table() {
    const head = [
      gettext("Step"),
      gettext("Round"),
      gettext("Possible stations"),
      gettext("The detectives’ chance to win"),
      gettext("The coach would have moved"),
      gettext("What was done cost"),
    ];
    const rows = this.#steps.map(({ possible, advice, followed, chance, cost }, number) => {
      const round = this.#game.steps[number]?.round ?? 0;
      const [likely, lost] = [chance, cost].map((share) => (share === null ? "" : formatShare(share)));
      const cells = [number, round, possible, likely, inShort(advice, followed), lost];
      return make("tr", {}, ...cells.map((cell) => make("td", {}, String(cell))));
    });
    const heading = make("thead", {}, make("tr", {}, ...head.map((text) => make("th", { scope: "col" }, text))));
    const table = make("table", {}, heading, make("tbody", {}, ...rows));
    return make("details", {}, make("summary", {}, gettext("All steps as a table")), make("div", { class: "scrolled", tabindex: 0 }, table));
  }
}

// A double move leads to no station of its own.
/** @type {(step: AnalysedStep) => Pick<Coach, "stations" | "advice">} */
function onMap({ stations, advice }) {
  return { stations, advice: advice && advice.to !== null ? { ...advice, to: advice.to } : null };
}

/** @type {(advice: AnalysedStep["advice"], followed: boolean) => string} */
function inShort(advice, followed) {
  if (!advice) return "";
  if (advice.to === null) return meansName(advice.ticket);
  const move = { pawn: pawnName(advice.pawn), to: advice.to };
  return followed ? gettext("{pawn} to {to}, as was done", move) : gettext("{pawn} to {to}", move);
}

/** @type {(step: AnalysedStep) => string[]} */
function sentences({ possible, stations, advice, followed, chance, cost }) {
  const [only = ""] = Object.keys(stations);
  const where =
    possible === 1
      ? gettext("Everyone knew: Mister X was on {station}.", { station: only })
      : ngettext("Mister X could be on {count} station.", "Mister X could be on {count} stations.", possible);
  const parts = [where];
  if (chance !== null) parts.push(gettext("The detectives won {share} of the games that the coach played on from here.", { share: formatShare(chance) }));
  if (advice) parts.push(wouldHave(advice, followed));
  if (cost !== null && !followed) parts.push(whatItCost(Math.round(100 * cost)));
  return [parts.join(" ")];
}

/** @type {(points: number) => string} */
function whatItCost(points) {
  if (points < NOTABLE) return gettext("What was done was as good.");
  return ngettext(
    "What was done lowered the chance to win by {count} percentage point.",
    "What was done lowered the chance to win by {count} percentage points.",
    points,
  );
}

/** @type {(advice: NonNullable<AnalysedStep["advice"]>, followed: boolean) => string} */
function wouldHave({ pawn, to, ticket }, followed) {
  if (to === null) {
    return followed
      ? gettext("The coach would have made a double move, and so it was done.")
      : gettext("The coach would have made a double move.");
  }
  const move = { pawn: pawnName(pawn), to, ticket: meansName(ticket) };
  if (ticket === "free") {
    return followed
      ? gettext("The coach would have moved {pawn} to {to}, and so it was done.", move)
      : gettext("The coach would have moved {pawn} to {to}.", move);
  }
  return followed
    ? gettext("The coach would have moved {pawn} to {to} by {ticket}, and so it was done.", move)
    : gettext("The coach would have moved {pawn} to {to} by {ticket}.", move);
}
