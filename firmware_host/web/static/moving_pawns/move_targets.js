// Where the pawn in the hand may go: a ring around each station, a bold one around that over which it hangs.

import { svg } from "../page/svg.js";

/** @import { Outline, TableScene } from "../../messages.d.ts" */

/** The rings of a board. */
export class MoveTargets {
  layer = svg("g", { id: "targets", "aria-hidden": "true" });
  #shown = "";

  /**
   * Show where a pawn may go.
   * @param {Outline} board on which
   * @param {?TableScene} scene how the table stands
   * @param {string} pawn which
   * @param {?number} over the station over which it hangs
   */
  show(board, scene, pawn, over) {
    const places = scene === null || scene.rules === null ? [] : placesFor(scene, pawn);
    const shown = `${pawn} ${places.join()} ${over}`;
    if (shown === this.#shown) return;
    this.#shown = shown;
    const stations = board.stations.filter(({ n }) => places.includes(n) || n === over);
    const rings = stations.map(({ n, x, y }) => {
      const kind = !places.includes(n) ? "barred" : n === over ? "chosen" : "open";
      return svg("circle", { class: kind, cx: x, cy: y, r: board.radius + 5 });
    });
    this.layer.replaceChildren(...rings);
  }

  /** Show nothing: no pawn is in the hand. */
  clear() {
    this.#shown = "";
    this.layer.replaceChildren();
  }
}

/** @type {(scene: Extract<TableScene, {rules: string}>, pawn: string) => number[]} */
function placesFor({ moves, set_down: setDown, mismatch, phase }, pawn) {
  const wanted = setDown[pawn] ?? mismatch.missing[pawn];
  if (wanted !== undefined) return [wanted];
  return phase === "play" ? moves.filter((move) => move.pawn === pawn).map(({ to }) => to) : [];
}
