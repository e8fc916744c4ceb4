// The board: its drawing below, and over it what shines and stands there.
//
//   const board = new Board(place, makeHands);          a table's page: `makeHands` gives what moves its pawns
//   const board = new Board(place);                 a spectator's, which has no hands, nor the code for them
//   board.setBoard(…), .setLamps(…), .setPawns(…), .setScene(…)    with each "board", "lamps", "pawns" and "scene" message

import { BoardLamps } from "./board_lamps.js";
import { Pawns } from "./pawns.js";
import { Stations } from "./stations.js";
import { EDGE, svg } from "./svg.js";
import { Zoom } from "./zoom.js";

export class Board {
  /**
   * @param {HTMLElement} place what the board fills
   * @param {function(Board): {drag: DragController, box: PawnBox}} [makeHands] for a page on which pawns can be moved: makes the hands
   *   that move them, and the box beside the board in which pawns lie that are off it
   */
  constructor(place, makeHands = () => ({ drag: null, box: null })) {
    this.drawing = document.createElement("img");
    this.drawing.alt = "";
    this.drawing.draggable = false;
    this.overlay = svg("svg", { id: "paper", role: "group", "aria-label": "Stations" });
    const sheet = document.createElement("div");
    sheet.className = "sheet";
    sheet.append(this.drawing, this.overlay);
    this.view = document.createElement("div");
    this.view.className = "view";
    this.view.append(sheet);
    place.append(this.view);
    ({ drag: this.drag, box: this.box } = makeHands(this)); // before the zoom: what a hand grips is not for it
    this.zoom = new Zoom(this.view, sheet, {
      tap: (x, y) => this.drag?.tap(x, y) ?? false,
      scaled: (pixels) => this.pawns?.setScale(pixels),
    });
    place.append(this.zoom.buttons());
    if (this.drag) this.view.append(this.drag.announcement);
    this.frame = new Uint8Array();
    this.places = new Map(); // pawn -> where it is, as the table says, in units of the drawing
    this.inBox = [];
    this.simulated = false;
  }

  /** A board is on the table: from a "board" message. */
  setBoard(board) {
    const text = JSON.stringify(board);
    if (text === this.boardText) return; // a new game on it; whoever has the focus on a station keeps it
    this.boardText = text;
    this.board = board;
    this.drag?.reset();
    const wide = board.width + 2 * EDGE;
    this.drawing.src = board.drawing ?? `/boards/${board.picture}.svg`;
    this.overlay.setAttribute("viewBox", `0 0 ${wide} ${board.shown}`);
    this.pawns = new Pawns(board);
    this.stations = new Stations(board, this.drag, ({ x, y }) => this.zoom.reveal(x, y));
    this.lamps = new BoardLamps(board, (station, colour) => this.stations.setLamp(station, colour));
    const layers = [this.lamps.layer, this.pawns.rings, this.stations.layer, this.pawns.layer];
    this.overlay.replaceChildren(...layers);
    this.zoom.setSize(wide, board.shown);
    this.pawns.setScale(this.zoom.scale);
    this.lamps.setFrame(this.frame);
    if (this.scene) this.stations.setScene(this.scene);
    if (this.pawnsMessage) this.setPawns(this.pawnsMessage);
    else if (this.scene) this.setScene(this.scene);
  }

  /** The lamps shine like this: from a "lamps" message. */
  setLamps(frame) {
    this.frame = frame;
    this.lamps?.setFrame(frame);
  }

  /** Pawns are here: from a "pawns" message, which only a simulated table sends. */
  setPawns(said) {
    this.pawnsMessage = said;
    if (!this.board) return;
    this.places = new Map(
      Object.entries(said.pawns).map(([pawn, { x, y, at, held }]) => [
        pawn,
        { x: EDGE + x * this.board.width, y: EDGE + y * this.board.height, at, lifted: held },
      ]),
    );
    this.inBox = said.box ?? [];
    this.drag?.reconcile(this.places);
    this.redraw();
  }

  /** The table's scene: on a real board it alone says where pawns are. */
  setScene(scene) {
    this.scene = scene;
    this.stations?.setScene(scene);
    if (this.pawnsMessage || this.drag || !this.board) return;
    const stations = new Map(this.board.stations.map((station) => [station.n, station]));
    const standing = Object.entries(scene.pawns ?? {}).filter(([, at]) => stations.has(at));
    this.places = new Map(
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
    const placed = new Map(this.places);
    const carried = this.drag?.carried ?? new Map();
    for (const [pawn, { x, y }] of carried) placed.set(pawn, { x, y, at: null, lifted: true });
    const whitePlays = placed.has("white") || this.inBox.includes("white");
    this.overlay.classList.toggle("white-plays", whitePlays);
    this.pawns.draw(placed);
    this.stations.setPawns(new Map([...placed].filter(([, { at }]) => at !== null).map(([pawn, { at }]) => [pawn, at])));
    this.box?.fill(
      this.inBox.filter((pawn) => !carried.has(pawn)),
      this.drag.picked,
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
  toShares({ x, y }) {
    const share = (value, size) => Math.min(1.5, Math.max(-0.5, (value - EDGE) / size));
    return { x: share(x, this.board.width), y: share(y, this.board.height) };
  }
}
