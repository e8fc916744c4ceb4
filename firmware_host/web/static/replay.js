// A past game, told step by step: the board, the time line below it, and beside it all that is known by then.

import { Board } from "./board.js";
import { replayChartPanel } from "./replay_chart.js";
import { fetchJson, formatDate, plural } from "./formatting.js";
import { RouteArrows } from "./route_arrows.js";
import { successChipsPanel } from "./panels/success_chips.js";
import { mrXLogPanel } from "./panels/mr_x_log.js";
import { addPanel, combineListeners, make } from "./elements.js";
import { playersPanel } from "./panels/players.js";
import { sceneOf } from "./replay_scene.js";
import { replayStepsPanel } from "./replay_steps.js";
import { Timeline } from "./timeline.js";

const at = (id) => document.getElementById(id);
const NO_LAMPS = { lamp: () => "", clear() {} };

function headline(game) {
  const [who, why] = game.ending;
  at("title").textContent = game.title;
  document.title = `Yardboard: ${game.title}, game ${game.number}`;
  const facts = `${plural(game.players, "player")}, ${plural(game.moves, "move")}`;
  at("ended").replaceChildren(
    make("strong", { "data-winner": game.outcome.winner }, who),
    ` ${why} `,
    make("span", { class: "details" }, make("time", { datetime: game.began }, formatDate(game.began)), ` · ${facts}`),
  );
}

function addExports(side, { number }) {
  const { section, body } = addPanel(side, "exports", "Take it home");
  const link = (kind, what) =>
    make("a", { href: `/games/${number}.${kind}`, download: true }, `${kind.toUpperCase()} – ${what}`);
  body.append(
    link("png", "the board with his route and his log"),
    link("svg", "the same to scale"),
    link("json", "every move, for programs"),
  );
  section.hidden = false;
}

function show(game, outline) {
  at("replay").hidden = at("side").hidden = false;
  const board = new Board(at("board"));
  board.setBoard(outline);
  document.body.style.setProperty("--aspect", (outline.width + 44) / outline.shown);
  const route = new RouteArrows(board, game.routes, outline.ways);
  const side = at("side");
  const tell = replayStepsPanel(side, game, (step) => timeline.go(step));
  const table = combineListeners(mrXLogPanel(side, NO_LAMPS), successChipsPanel(side, NO_LAMPS), playersPanel(side));
  const graph = replayChartPanel(side, game);
  addExports(side, game);
  const timeline = new Timeline(at("timeline"), game, (number, byPlaying) => {
    const step = game.steps[number];
    const scene = sceneOf(game, step);
    board.setScene(scene);
    board.overlay.toggleAttribute("data-hidden", !step.seen);
    route.walk(step.walked, byPlaying);
    table.scene(scene);
    tell(number);
    graph(number);
  });
  timeline.go(0);
}

try {
  const address = location.pathname;
  const [game, outline] = await Promise.all([fetchJson(`${address}.json`), fetchJson(`${address}/board.json`)]);
  headline(game);
  show(game, outline);
  at("answer").textContent = "";
} catch (error) {
  at("answer").textContent = error.message;
}
