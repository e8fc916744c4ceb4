// The board: its drawing below, and over it what shines and stands there.
//
//   const board = new Board(place, reach);          a table's page: `reach` gives what moves its pawns
//   const board = new Board(place);                 a spectator's, which has no hands, nor the code for them
//   board.lay(…), .shine(…), .stand(…), .show(…)    with each "board", "lamps", "pawns" and "scene" message

import { Lights } from "./board_lamps.js";
import { Pawns } from "./pawns.js";
import { Stations } from "./stations.js";
import { EDGE, svg } from "./svg.js";
import { Zoom } from "./zoom.js";

export class Board {
  /**
   * @param {HTMLElement} place what the board fills
   * @param {function(Board): {hands: Hands, box: Box}} [reach] for a page on which pawns can be moved: makes the hands
   *   that move them, and the box beside the board in which pawns lie that are off it
   */
  constructor(place, reach = () => ({ hands: null, box: null })) {
    this.drawing = document.createElement("img");
    this.drawing.alt = "";
    this.drawing.draggable = false;
    this.paper = svg("svg", { id: "paper", role: "group", "aria-label": "Stations" });
    const sheet = document.createElement("div");
    sheet.className = "sheet";
    sheet.append(this.drawing, this.paper);
    this.view = document.createElement("div");
    this.view.className = "view";
    this.view.append(sheet);
    place.append(this.view);
    ({ hands: this.hands, box: this.box } = reach(this)); // before the zoom: what a hand grips is not for it
    this.zoom = new Zoom(this.view, sheet, {
      tap: (x, y) => this.hands?.tap(x, y) ?? false,
      scaled: (pixels) => this.pawns?.scale(pixels),
    });
    place.append(this.zoom.buttons());
    if (this.hands) this.view.append(this.hands.spoken);
    this.frame = new Uint8Array();
    this.there = new Map(); // pawn -> where it is, as the table says, in units of the drawing
    this.inBox = [];
    this.simulated = false;
  }

  /** A board is on the table: from a "board" message. */
  lay(board) {
    const laid = JSON.stringify(board);
    if (laid === this.laid) return; // a new game on it; whoever has the focus on a station keeps it
    this.laid = laid;
    this.board = board;
    this.hands?.drop();
    const wide = board.width + 2 * EDGE;
    this.drawing.src = board.drawing ?? `/boards/${board.picture}.svg`;
    this.paper.setAttribute("viewBox", `0 0 ${wide} ${board.shown}`);
    this.pawns = new Pawns(board);
    this.stations = new Stations(board, this.hands, ({ x, y }) => this.zoom.reveal(x, y));
    this.lights = new Lights(board, (station, colour) => this.stations.light(station, colour));
    const layers = [this.lights.layer, this.pawns.rings, this.stations.layer, this.pawns.layer];
    this.paper.replaceChildren(...layers);
    this.zoom.lay(wide, board.shown);
    this.pawns.scale(this.zoom.scale);
    this.lights.shine(this.frame);
    if (this.scene) this.stations.mean(this.scene);
    if (this.said) this.stand(this.said);
    else if (this.scene) this.show(this.scene);
  }

  /** The lamps shine like this: from a "lamps" message. */
  shine(frame) {
    this.frame = frame;
    this.lights?.shine(frame);
  }

  /** Pawns are here: from a "pawns" message, which only a simulated table sends. */
  stand(said) {
    this.said = said;
    if (!this.board) return;
    this.there = new Map(
      Object.entries(said.pawns).map(([pawn, { x, y, at, held }]) => [
        pawn,
        { x: EDGE + x * this.board.width, y: EDGE + y * this.board.height, at, lifted: held },
      ]),
    );
    this.inBox = said.box ?? [];
    this.hands?.heard(this.there);
    this.redraw();
  }

  /** The table's scene: on a real board it alone says where pawns are. */
  show(scene) {
    this.scene = scene;
    this.stations?.mean(scene);
    if (this.said || this.hands || !this.board) return;
    const stations = new Map(this.board.stations.map((station) => [station.n, station]));
    const standing = Object.entries(scene.pawns ?? {}).filter(([, at]) => stations.has(at));
    this.there = new Map(
      standing.map(([pawn, at]) => {
        const lifted = scene.in_hand.includes(pawn);
        const { x, y } = stations.get(at);
        return [pawn, { x, y: lifted ? y - this.board.radius : y, at: lifted ? null : at, lifted }];
      }),
    );
    this.redraw();
  }

  /** Draws the pawns where they are, those in this page's own hands where these are. */
  redraw() {
    if (!this.board) return;
    const placed = new Map(this.there);
    const own = this.hands?.own ?? new Map();
    for (const [pawn, { x, y }] of own) placed.set(pawn, { x, y, at: null, lifted: true });
    const whitePlays = placed.has("white") || this.inBox.includes("white");
    this.paper.classList.toggle("white-plays", whitePlays);
    this.pawns.draw(placed);
    this.stations.occupy(new Map([...placed].filter(([, { at }]) => at !== null).map(([pawn, { at }]) => [pawn, at])));
    this.box?.fill(
      this.inBox.filter((pawn) => !own.has(pawn)),
      this.hands.taken,
      whitePlays,
    );
  }

  /** The station nearest to a point, if it lies within `within` units; else null. */
  stationAt(x, y, within) {
    let best = null;
    for (const station of this.board?.stations ?? []) {
      const far = Math.hypot(station.x - x, station.y - y);
      if (far <= within && (best === null || far < best.far)) best = { station, far };
    }
    return best?.station ?? null;
  }

  /** A point of the drawing as shares of the board. */
  shares({ x, y }) {
    const share = (value, size) => Math.min(1.5, Math.max(-0.5, (value - EDGE) / size));
    return { x: share(x, this.board.width), y: share(y, this.board.height) };
  }
}
