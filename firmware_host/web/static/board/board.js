// The board: its drawing, with the lamps and the pawns over it.
//
//   const board = new Board(place, makeHands);      a table's page: `makeHands` creates its hands
//   const board = new Board(place);                 a spectator's page: no hands and no code for them
//   board.setBoard(…), .setLamps(…), .setPawns(…), .setScene(…)    with each "board", "lamps", "pawns", "scene" message

import { BoardLamps } from "./board_lamps.js";
import { CoachHeat } from "./coach_heat.js";
import { LastMoveLines } from "./last_moves.js";
import { make } from "../page/elements.js";
import { gettext } from "../wording/gettext.js";
import { MoveTargets, NOTHING, reachOf } from "./move_targets.js";
import { PawnMoves } from "../moments/pawn_moves.js";
import { Pawns } from "./pawns.js";
import { StationTooltip } from "./station_tooltip.js";
import { Stations } from "./stations.js";
import { onTheme, PAPER, theme } from "../settings/page_theme.js";
import { setting } from "../settings/settings.js";
import { EDGE, svg } from "../page/svg.js";
import { Veil } from "./veil.js";
import { Zoom } from "./zoom.js";

/** @import { BoardMessage, Outline, PawnsMessage, ReplayBoard } from "../../messages.d.ts" */
/** @import { StationOutline, TableScene } from "../../messages.d.ts" */
/** @import { DragController } from "../moving_pawns/drag_controller.js" */
/** @import { Reach } from "./move_targets.js" */
/** @import { PawnBox } from "./pawn_box.js" */
/** @import { Place, Point } from "./pawns.js" */

/** @typedef {{drag: DragController, box: PawnBox}} Hands the mover of pawns, and the box of the pawns off the board */
/**
 * The receiver of taps and Enter on stations, on a page without movable pawns.
 * @typedef {{tap(x: number, y: number, by: string): boolean, activateStation(station: StationOutline): void}} Picker
 */
/**
 * The parts that are drawn on a board.
 * @typedef {object} Layers
 * @property {BoardMessage | ReplayBoard} outline the board itself
 * @property {BoardLamps} lamps its lamps
 * @property {CoachHeat} heat the coach's bands and ring
 * @property {LastMoveLines} lastMoves the last move of each pawn
 * @property {MoveTargets} targets where pawns may go
 * @property {Stations} stations its stations
 * @property {Pawns} pawns the pawns on it
 */

/** A board on a page. */
export class Board {
  /** @type {?Layers} */
  layers = null; // null until the table sends a board
  /** @type {Map<string, Place>} */
  places = new Map(); // pawn -> where it is, as the table says, in units of the drawing
  /** @type {?TableScene} */
  scene = null;
  /** @type {Reach} */
  reach = NOTHING; // the shown stations to which pawns may go
  moves = new PawnMoves();
  /** @type {(() => void)[]} */
  #movedListeners = [];
  scaled = () => {}; // called when the map changes its scale,
  placed = () => {}; // and after the pawns are drawn
  #veil = new Veil();
  /** @type {?Reach} */
  #reach = null; // where pawns may go, as the page has set it; null: the scene decides
  /** @type {{pawns: string[], over: ?number}} */
  #hand = { pawns: [], over: null };
  #boardText = "";
  /** @type {?Element} */
  #givesFocus = null; // the element that has the focus until a pawn may move
  #turnBefore = ""; // the turn that must end before that element gives up the focus
  #drawn = false; // whether there is artwork and it is available
  #missing = false; // whether a drawing failed to load, as while the table is away
  #staged = false; // whether the board shows a game's end, which is always by night
  #wiring = ""; // the address of the drawing that shows how the board is wired
  #frame = new Uint8Array();
  /** @type {?PawnsMessage} */
  #pawnsMessage = null;
  /** @type {string[]} */
  #inBox = [];

  /**
   * @param {HTMLElement} place the element that the board fills
   * @param {(board: Board) => Hands} [makeHands] creates the hands that move pawns, on a page with movable pawns
   * @param {?Picker} [picker] receives the stations that the user chooses, on a page that has such choices
   */
  constructor(place, makeHands, picker = null) {
    this.drawing = make("img", { alt: "" });
    this.drawing.draggable = false;
    this.overlay = svg("svg", { id: "paper", role: "group", "aria-label": gettext("Stations") });
    const sheet = make("div", { class: "sheet" });
    sheet.append(this.drawing, this.#veil.element, this.overlay);
    this.view = make("div", { class: "view" }, sheet);
    this.frame = make("div", { id: "frame" }); // the board's frame: elements on it count as on the board
    place.before(this.frame);
    place.append(this.view);
    const hands = makeHands?.(this); // before the zoom, which must not get a gripped pawn's events
    this.drag = hands?.drag ?? null;
    this.box = hands?.box ?? null;
    this.picker = this.drag ?? picker;
    this.zoom = new Zoom(place, this.view, sheet, {
      tap: (x, y, by) => this.picker?.tap(x, y, by) ?? false,
      scaled: (pixels) => {
        this.layers?.pawns.setScale(pixels);
        this.layers?.targets.setScale(pixels);
        this.scaled();
      },
      moved: () => this.#notifyMoved(),
      inset: (pixels) => requestAnimationFrame(() => this.frame.style.setProperty("--inset", `${pixels}px`)),
    });
    onTheme(() => this.#showDrawing());
    this.drawing.addEventListener("error", () => this.#dropArtwork());
    place.append(this.zoom.buttons());
    if (this.drag) this.view.append(this.drag.held.announcer.element);
    this.tooltip = new StationTooltip(this, place);
  }

  /**
   * Follow the places of the map and its pawns.
   * @param {() => void} listener called when the map or a pawn has moved under an overlay
   */
  onMoved(listener) {
    this.#movedListeners.push(listener);
  }

  #notifyMoved() {
    this.#movedListeners.forEach((listener) => listener());
  }

  /**
   * Put a board on the table.
   * @param {BoardMessage | ReplayBoard} board the table's message about the board
   * @returns {Layers} what is drawn on it
   */
  setBoard(board) {
    const text = JSON.stringify(board);
    if (this.layers && text === this.#boardText) {
      // A new game uses the same board, or the table has reconnected: a focused station keeps the focus.
      if (this.#missing) this.#fetchDrawing(board.artwork !== null);
      return this.layers;
    }
    this.#boardText = text;
    this.drag?.reset();
    this.tooltip.close();
    const wide = board.width + 2 * EDGE;
    this.#wiring = "drawing" in board ? board.drawing : `/boards/${board.picture}.svg`;
    this.overlay.setAttribute("viewBox", `0 0 ${wide} ${board.shown}`);
    this.moves.setBoard(board);
    const pawns = new Pawns(board, this.moves);
    const stations = new Stations(board, this.picker, ({ x, y }) => this.zoom.reveal(x, y));
    const lamps = new BoardLamps(board, (station, colour) => stations.setLamp(station, colour));
    const heat = new CoachHeat(board);
    const lastMoves = new LastMoveLines(board, this.moves);
    const targets = new MoveTargets(board, this.moves, pawns, this.#veil);
    const layers = { outline: board, lamps, heat, lastMoves, targets, stations, pawns };
    this.layers = layers;
    this.#veil.setSize(wide, board.shown, board.radius);
    this.#fetchDrawing(board.artwork !== null);
    const shown = [heat, lamps, lastMoves, targets].map(({ layer }) => layer);
    this.overlay.replaceChildren(...shown, pawns.rings, stations.layer, pawns.layer);
    this.zoom.setSize(wide, board.shown);
    pawns.setScale(this.zoom.scale);
    targets.setScale(this.zoom.scale);
    lamps.setFrame(this.#frame);
    if (this.scene) stations.setScene(this.scene);
    heat.show(coachOf(this.scene));
    if (this.#pawnsMessage) this.setPawns(this.#pawnsMessage);
    else if (this.scene) this.setScene(this.scene, this.#reach);
    document.body.style.setProperty("--aspect", String(wide / board.shown));
    return layers;
  }

  // Fetch the drawing, even if an earlier try has failed.
  /** @param {boolean} drawn whether there is artwork */
  #fetchDrawing(drawn) {
    this.#drawn = drawn;
    if (this.#missing) this.drawing.removeAttribute("src");
    this.#missing = false;
    this.#showDrawing();
  }

  // Show the chosen drawing, and match the look of everything on it.
  #showDrawing() {
    if (!this.layers) return;
    const { artwork } = this.layers.outline;
    const look = this.#look();
    for (const part of [this.view, this.frame]) {
      part.dataset.look = look;
      part.classList.toggle("by-night", look === "wiring"); // the wiring is drawn on dark ground
    }
    this.layers.pawns.setOnArtwork(look !== "wiring");
    this.#veil.recolour();
    const address = look === "wiring" || artwork === null ? this.#wiring : `${artwork}#${look}`;
    if (this.drawing.getAttribute("src") !== address) this.drawing.src = address;
  }

  /**
   * Turn the board into the dark stage of a game's end, or back into a board.
   * @param {boolean} staged whether the board becomes a stage
   */
  setStage(staged) {
    this.#staged = staged;
    this.view.toggleAttribute("data-ended", staged);
    this.#showDrawing();
  }

  // Return the look of the board: the drawn city by day, the city by night, or the wiring.
  #look() {
    if (!this.#drawn || setting("board") !== "city") return "wiring";
    return this.#staged && !PAPER.matches ? "night" : theme();
  }

  // Show the plain board if the artwork fails to load.
  #dropArtwork() {
    this.#missing = true;
    if (this.#look() === "wiring") return;
    this.#drawn = false;
    this.#showDrawing();
  }

  /**
   * Animate a move of the map that another module makes, and close the tooltip of a station.
   * @param {() => void} change moves the map
   */
  glide(change) {
    this.tooltip.close();
    this.zoom.glide(change);
  }

  /**
   * Set the colours of the lamps.
   * @param {Uint8Array<ArrayBuffer>} frame three bytes a lamp
   */
  setLamps(frame) {
    this.#frame = frame;
    this.layers?.lamps.setFrame(frame);
  }

  /**
   * Put the pawns where they are. Only a simulated table reports this.
   * @param {PawnsMessage} said the table's message with their places
   */
  setPawns(said) {
    this.#pawnsMessage = said;
    if (!this.layers) return;
    const { width, height } = this.layers.outline;
    this.places = new Map(
      Object.entries(said.pawns).map(([pawn, { x, y, at, held }]) => [
        pawn,
        { x: EDGE + x * width, y: EDGE + y * height, at, lifted: held },
      ]),
    );
    this.#inBox = said.box;
    this.drag?.held.reconcile(this.places);
    this.redraw();
  }

  /**
   * Show the table's scene. On a real board only the scene reports where pawns are.
   * @param {TableScene} scene the table's scene
   * @param {?Reach} [reach] where pawns may go on a player's own page; null: the scene decides
   */
  setScene(scene, reach = null) {
    this.scene = scene;
    this.#reach = reach;
    this.moves.setScene(scene);
    this.layers?.stations.setScene(scene);
    this.#focusPawn(scene);
    this.layers?.heat.show(coachOf(scene));
    this.tooltip.renew();
    if (!this.layers) return;
    if (this.#pawnsMessage || this.drag) {
      this.#showReach(); // the pawns message says where pawns are
      return;
    }
    this.places = placesOf(scene, this.layers.outline);
    this.redraw();
  }

  /**
   * Show only where the pawn in this page's hand may go.
   * @param {?string} pawn the pawn; null: the hand is empty
   * @param {?number} [over] the station over which the hand holds it
   */
  setHand(pawn, over = null) {
    this.#hand = { pawns: pawn === null ? [] : [pawn], over };
    this.#showReach();
  }

  /**
   * Show that the table refuses a pressed station.
   * @param {number} station its number
   */
  refuse(station) {
    this.layers?.targets.refuse(station);
  }

  #showReach() {
    const { layers, scene } = this;
    if (!layers) return;
    const { pawns, over } = this.#hand;
    const inHand = pawns.length || scene === null ? pawns : scene.in_hand;
    const reach = (this.reach = this.#reach ?? reachOf(scene, inHand, over));
    layers.targets.show(reach);
    const reached = new Set(reach.moves.map(({ to }) => to));
    const offered = scene === null || scene.rules === null || !reached.size ? [] : scene.moves.map(({ to }) => to);
    layers.lamps.yieldTo(reached, new Set(offered.filter((n) => !reached.has(n))));
    this.view.toggleAttribute("data-receding", reached.size > 0);
    const moving = new Set([...reach.moves.map(({ pawn }) => pawn), reach.asked?.pawn]); // no line lies on their ways
    layers.lastMoves.show(lastMovesOf(scene).filter(({ pawn }) => !moving.has(pawn)));
    this.#notifyMoved();
  }

  /** Focus the pawn that may move, as soon as one may, unless another element has the focus by then. */
  focusTurn() {
    this.#givesFocus = document.activeElement;
    this.#turnBefore = "";
  }

  /** Focus the next pawn that may move, when its turn begins, unless another element has the focus by then. */
  focusNextTurn() {
    this.#givesFocus = document.activeElement;
    this.#turnBefore = turnOf(this.scene);
  }

  // Move the focus there if the page has asked for it.
  /** @param {TableScene} scene */
  #focusPawn(scene) {
    const places = scene.rules === null || scene.phase !== "play" ? [] : scene.turn.map((pawn) => scene.pawns[pawn]);
    const at = places.find((place) => place !== undefined);
    if (this.#givesFocus === null || at === undefined || turnOf(scene) === this.#turnBefore) return;
    // A removed element leaves the focus to the body. A question at the station has the focus only until the answer.
    const has = document.activeElement;
    const left = has === this.#givesFocus || has === document.body || has?.closest("#by-ticket");
    if (left) this.layers?.stations.focus(at);
    this.#givesFocus = null;
  }

  /** Draw the pawns at their places, and held pawns at this page's hands. */
  redraw() {
    if (!this.layers) return;
    const placed = new Map(this.places);
    const carried = this.drag?.held.carried;
    for (const [pawn, { x, y, at = null }] of carried ?? []) placed.set(pawn, { x, y, at, lifted: at === null });
    this.layers.pawns.setTargets(targetsOf(this.scene));
    this.layers.pawns.draw(placed);
    this.placed();
    this.#showReach();
    this.layers.stations.setPawns(
      new Map([...placed].flatMap(([pawn, { at }]) => (at === null ? [] : [[pawn, at]]))),
    );
    const inBox = this.#inBox.filter((pawn) => !carried?.has(pawn));
    this.box?.fill(inBox, this.drag?.held.picked ?? null);
  }

  /**
   * Find the station nearest to a point.
   * @param {number} x in units
   * @param {number} y in units
   * @param {number} within the largest distance, in units
   * @returns {?StationOutline} the station, or null if none is as near
   */
  stationAt(x, y, within) {
    const far = (/** @type {Point} */ station) => Math.hypot(station.x - x, station.y - y);
    const near = this.layers?.outline.stations.filter((station) => far(station) <= within) ?? [];
    return near.sort((one, other) => far(one) - far(other))[0] ?? null;
  }

  /**
   * Return a point of the drawing as shares of the board, at most half the board's size outside it.
   * @param {Point} point in units
   * @returns {Point} from 0 to 1 on the board
   */
  toShares({ x, y }) {
    const { width, height } = this.layers?.outline ?? { width: 1, height: 1 };
    const share = (/** @type {number} */ value, /** @type {number} */ size) =>
      Math.min(1.5, Math.max(-0.5, (value - EDGE) / size));
    return { x: share(x, width), y: share(y, height) };
  }
}

// Return a text that identifies a turn; "" before a game.
/** @param {?TableScene} scene */
function turnOf(scene) {
  return scene === null || scene.rules === null ? "" : `${scene.round} ${scene.turn.join()}`;
}

// Return the coach's report in a scene; a past game has none.
/** @param {?TableScene} scene */
function coachOf(scene) {
  return scene !== null && "coach" in scene ? scene.coach : null;
}

// Return the last move of each pawn. There is none for a past game, which draws its own moves, nor at a game's end,
// which shows Mister X's whole route.
/** @param {?TableScene} scene */
function lastMovesOf(scene) {
  return scene !== null && "last_moves" in scene && !scene.ended ? scene.last_moves : [];
}

// Return the stations to which pawns may go now.
/** @param {?TableScene} scene */
function targetsOf(scene) {
  return scene === null || scene.rules === null || scene.phase !== "play" ? [] : scene.moves.map(({ to }) => to);
}

// Return where pawns stand on a real board: on their stations, or a little above them while held. A pawn that nobody
// has set down yet is a ghost.
/** @type {(scene: TableScene, outline: Outline) => Map<string, Place>} */
function placesOf(scene, { stations, radius }) {
  const known = new Map(stations.map((station) => [station.n, station]));
  const pawns = scene.rules === null ? [] : Object.entries(scene.pawns);
  return new Map(
    pawns.flatMap(([pawn, at]) => {
      const station = known.get(at);
      if (!station) return [];
      const lifted = scene.in_hand.includes(pawn);
      const ghost = pawn in scene.mismatch.missing || pawn in scene.set_down;
      return [[pawn, { x: station.x, y: station.y - (lifted ? radius : 0), at: lifted ? null : at, lifted, ghost }]];
    }),
  );
}
