// A past game, step by step: the board, the time line below it, and beside it everything known at that step.

import { Board } from "./board/board.js";
import { addPanel, byId, make } from "./page/elements.js";
import { fetchJson } from "./page/fetch_json.js";
import { formatDate } from "./wording/formatting.js";
import { gameName } from "./wording/game_names.js";
import { gettext, ngettext } from "./wording/gettext.js";
import { mrXLogPanel } from "./panels/mr_x_log.js";
import { playersPanel } from "./panels/players.js";
import { successChipsPanel } from "./panels/success_chips.js";
import { whoPlayed } from "./wording/player_names.js";
import { ReplayAnalysis } from "./past_games/replay_analysis.js";
import { replayChartPanel } from "./past_games/replay_chart.js";
import { sceneOf } from "./past_games/replay_scene.js";
import { replayStepsPanel } from "./past_games/replay_steps.js";
import { RouteLine } from "./board/route_line.js";
import { settingsDialog } from "./settings/settings_dialog.js";
import { Timeline } from "./past_games/timeline.js";

/** @import { GameRecord, ReplayBoard } from "../messages.d.ts" */

const GROWING = 500; // milliseconds that a leg takes as the game plays
const NO_LAMPS = { lamp: () => "", clear() {} };

/** @param {GameRecord} game */
function showHeadline(game) {
  const [who = "", why = ""] = game.ending;
  byId("title").textContent = gameName(game);
  document.title = gettext("Yardboard: {title}, game {number}", { title: gameName(game), number: game.number });
  const players = ngettext("{count} player", "{count} players", game.players);
  const moves = ngettext("{count} move", "{count} moves", game.moves);
  const facts = [`${players}, ${moves}`, ...whoPlayed(game.seats, game.names)].join(" · ");
  byId("ended").replaceChildren(
    make("strong", { "data-winner": game.outcome?.winner }, who),
    ` ${why} `,
    make("span", { class: "details" }, make("time", { datetime: game.began }, formatDate(game.began)), ` · ${facts}`),
  );
}

/** @type {(side: Element, game: GameRecord) => void} */
function addExports(side, { number }) {
  const { section, body } = addPanel(side, "exports", gettext("Take it home"));
  const link = (/** @type {string} */ kind, /** @type {string} */ what) =>
    make("a", { href: `/games/${number}.${kind}`, download: true }, `${kind.toUpperCase()} – ${what}`);
  body.append(
    link("png", gettext("the board with his route and his log")),
    link("svg", gettext("the same to scale")),
    link("json", gettext("every move, for programs")),
  );
  section.hidden = false;
}

/** @param {GameRecord} game */
function routesOf({ routes, log }) {
  return Object.entries(routes).map(([pawn, stations]) => ({ pawn, stations, log: pawn === "mr_x" ? log : [] }));
}

/** @type {(game: GameRecord, outline: ReplayBoard) => void} */
function showReplay(game, outline) {
  const side = byId("side");
  byId("replay").hidden = side.hidden = false;
  const board = new Board(byId("board"));
  const { lamps } = board.setBoard(outline);
  const route = new RouteLine(board, outline, routesOf(game));
  lamps.layer.after(route.layer);
  const showLine = replayStepsPanel(side, game, (step) => timeline.go(step));
  const panels = [mrXLogPanel(board.frame, NO_LAMPS), successChipsPanel(board.frame, NO_LAMPS), playersPanel(side)];
  const analysis = new ReplayAnalysis(side, game, board.layers?.heat ?? null, (step) => timeline.go(step));
  const showInChart = replayChartPanel(side, game);
  addExports(side, game);
  const timeline = new Timeline(byId("timeline"), game, (number, step, byPlaying) => {
    const scene = sceneOf(game, step);
    board.setScene(scene);
    board.overlay.toggleAttribute("data-hidden", !step.seen);
    route.draw(step.walked);
    if (byPlaying) route.grow((made) => made === step.walked - 1 && { duration: GROWING });
    panels.forEach((panel) => panel.scene(scene));
    showLine(number);
    showInChart(number);
    analysis.show(number);
  });
  timeline.go(0);
}

settingsDialog(byId("settings"), ["board"]);
try {
  const address = location.pathname;
  const [game, outline] = await Promise.all([fetchJson(`${address}.json`), fetchJson(`${address}/board.json`)]);
  showHeadline(/** @type {GameRecord} */ (game));
  showReplay(/** @type {GameRecord} */ (game), /** @type {ReplayBoard} */ (outline));
  byId("answer").textContent = "";
} catch (error) {
  byId("answer").textContent = error instanceof Error ? error.message : String(error);
}
