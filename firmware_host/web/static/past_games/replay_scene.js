// A step of a past game, in the format of the table's messages. So the parts of a page can show either.

/** @import { GameRecord, GameStep, ReplayScene } from "../../messages.d.ts" */

/**
 * Return the scene after a step.
 * @param {GameRecord} game the game
 * @param {GameStep} step one of its steps
 * @returns {ReplayScene} the scene, as in a message "scene"
 */
export function sceneOf(game, step) {
  const every = Array.from({ length: game.windows }, (_, n) => n + 1);
  const over = step === game.steps.at(-1);
  return {
    rules: game.rules,
    layout: game.layout,
    phase: over ? "over" : "play",
    round: step.round,
    owners: game.owners,
    pawns: step.pawns,
    tickets: step.tickets,
    log: game.log.slice(0, step.filled),
    windows: game.windows,
    surfacing: game.in_sight ? every.filter((n) => !game.marked.includes(n)) : game.marked,
    in_sight: game.in_sight,
    route: game.routes.mr_x ?? [],
    outcome: game.outcome, // always: everything is open from the first step on
    chips: Object.fromEntries(
      Object.entries(game.chips).map(([side, needed]) => [side, { won: step.chips[side] ?? 0, needed }]),
    ),
    mismatch: { missing: {}, extra: [] },
    set_down: {},
    take_off: [],
    seats: {},
    names: game.names,
    wrong: 0,
    turn: [],
    moves: [],
    moved: [],
    skipped: [],
    giving: [],
    in_hand: [],
  };
}
