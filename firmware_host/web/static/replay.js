// A past game, told step by step: the board, the time line below it, and beside it all that is known by then.

import { Board } from "./board.js";
import { chart } from "./replay_chart.js";
import { asked, day, plural } from "./formatting.js";
import { Route } from "./route_arrows.js";
import { chips } from "./panels/success_chips.js";
import { log } from "./panels/mr_x_log.js";
import { make, part, together } from "./elements.js";
import { players } from "./panels/players.js";
import { sceneOf } from "./replay_scene.js";
import { story } from "./replay_steps.js";
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
    make("span", { class: "details" }, make("time", { datetime: game.began }, day(game.began)), ` · ${facts}`),
  );
}

function exports_(side, { number }) {
  const { section, body } = part(side, "exports", "Take it home");
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
  board.lay(outline);
  document.body.style.setProperty("--aspect", (outline.width + 44) / outline.shown);
  const route = new Route(board, game.routes, outline.ways);
  const side = at("side");
  const tell = story(side, game, (step) => timeline.go(step));
  const table = together(log(side, NO_LAMPS), chips(side, NO_LAMPS), players(side));
  const graph = chart(side, game);
  exports_(side, game);
  const timeline = new Timeline(at("timeline"), game, (number, byPlaying) => {
    const step = game.steps[number];
    const scene = sceneOf(game, step);
    board.show(scene);
    board.paper.toggleAttribute("data-hidden", !step.seen);
    route.walk(step.walked, byPlaying);
    table.scene(scene);
    tell(number);
    graph(number);
  });
  timeline.go(0);
}

try {
  const address = location.pathname;
  const [game, outline] = await Promise.all([asked(`${address}.json`), asked(`${address}/board.json`)]);
  headline(game);
  show(game, outline);
  at("answer").textContent = "";
} catch (error) {
  at("answer").textContent = error.message;
}
