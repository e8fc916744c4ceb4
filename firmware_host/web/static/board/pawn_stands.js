// Where pawns stand on their stations: above the number, never on it. They lean to the side with the most space.

/** @import { BoardMessage, Outline, ReplayBoard, StationOutline } from "../../messages.d.ts" */

/** @typedef {{x: number, y: number}} Point */
/** @typedef {Point & {lean: number}} Stand where a pawn's foot is, in units, and by how many degrees it leans right */
/** @typedef {{pawn: string, size: number}} Standing a pawn, and its size as a multiple of its drawing's */
/** @typedef {Point & {reach: number, weight: number}} Obstacle a disc that no pawn should cover, and the cost of it */

/** @type {[number, number][]} */
const FEET = [
  [0, -0.78],
  [0.75, -0.6],
  [-0.75, -0.6],
  [1.35, 0.3],
  [-1.35, 0.3],
]; // where on its plate's edge a pawn may stand, in radii; the first looks best

// On artwork a pawn stands beside the plate of its station's number, never on it.
const PLATE = { wide: 1.353, high: 0.692 }; // half of it, in radii
const ASIDE = 9; // units that a pawn may stand beside the middle, above its plate
const SPACE = 22; // units between the feet of two pawns on one station
const LEANS = [0, 9, -9, 18, -18]; // degrees by which a pawn may lean,
const HIS_MOST = 12; // and Mister X's at most: it is so large that it seems to fall
const FAN = 14; // degrees between two pawns on one station
const HIGH = 38; // units from a pawn's foot to the edge of its hat or head, however it leans
const HEIGHTS = [6, 17, 28]; // places on a pawn's body that are checked for covering, in units above its foot
const HALF = 9; // half of a pawn's width there
const RING = 1.862; // radius of the ring around a station where a pawn may go, in radii
const NEAR = 150; // units within which an obstacle may be in a pawn's way
const STEP = 8; // units between the points of a line that a pawn is kept away from
const COUNTS = { number: 3, target: 4, ticket: 3, pawn: 3, line: 0.1, edge: 9 }; // the costs of covering these
const BESIDE = 20; // the cost of standing beside a number
const DEGREE = 0.15; // the cost of leaning by a degree

/** The places of pawns on a board. */
export class PawnStands {
  #board;
  #onArtwork = false;
  /** @type {Map<number, StationOutline>} */
  #stations;
  /** @type {Map<string, Point>} */
  #feet = new Map();
  /** @type {Map<number, Point[]>} */
  #lines = new Map();
  /** @type {?Point[]} */
  #allLines = null; // points along all lines
  /** @type {Set<number>} */
  #targets = new Set();

  /** @param {Outline | BoardMessage | ReplayBoard} board the board with the stations */
  constructor(board) {
    this.#board = board;
    this.#stations = new Map(board.stations.map((station) => [station.n, station]));
  }

  /**
   * Set whether the board shows its artwork.
   * @param {boolean} onArtwork whether stations have separate plates for their numbers
   */
  setOnArtwork(onArtwork) {
    this.#onArtwork = onArtwork;
    this.#feet.clear();
  }

  /**
   * Lean away from the stations to which pawns may go, and from their tickets.
   * @param {Iterable<number>} stations the stations
   * @returns {boolean} whether they are other stations than before
   */
  setTargets(stations) {
    const before = [...this.#targets].join();
    this.#targets = new Set([...stations].sort((one, other) => one - other));
    return [...this.#targets].join() !== before;
  }

  /**
   * Return where all pawns on stations stand.
   * @param {Map<number, Standing[]>} groups station -> the pawns on it, from left to right
   * @returns {Map<string, Stand>} pawn -> where it is
   */
  arrange(groups) {
    /** @type {Map<string, Stand>} */
    const stands = new Map();
    const feet = [...groups].flatMap(([at, group]) => this.#side(at, group));
    for (const { pawn, at, foot, size, turn } of feet) {
      const others = feet.filter((one) => one.pawn !== pawn && isNear(one.foot, foot));
      const bodies = others.flatMap((one) =>
        body(stands.get(one.pawn) ?? { ...one.foot, lean: one.turn }, one.size).map((point) => ({
          ...point,
          reach: HALF * one.size,
          weight: COUNTS.pawn,
        })),
      );
      const obstacles = [...bodies, ...this.#obstacles(at, foot)];
      const cost = (/** @type {number} */ lean) =>
        DEGREE * Math.abs(lean - turn) + covered(body(raised(foot, lean, size), size), HALF * size, obstacles);
      const lean = leans(pawn, turn).reduce((one, other) => (cost(other) < cost(one) ? other : one));
      stands.set(pawn, raised(foot, lean, size));
    }
    return stands;
  }

  // Return the pawns on a station side by side: the outer ones lean outwards.
  /** @type {(at: number, group: Standing[]) => (Standing & {at: number, foot: Point, turn: number})[]} */
  #side(at, group) {
    const largest = group.reduce((one, other) => (other.size > one.size ? other : one));
    const { x, y } = this.#foot(at, largest);
    const wide = group.reduce((sum, { size }) => sum + SPACE * size, 0);
    let left = x - wide / 2;
    return group.map(({ pawn, size }, n) => {
      left += SPACE * size;
      const foot = { x: left - (SPACE * size) / 2, y };
      return { pawn, at, foot, size, turn: FAN * (n - (group.length - 1) / 2) };
    });
  }

  // Return where on its plate's edge a pawn stands so that it hides no other number. Straight above looks best.
  /** @type {(at: number, largest: Standing) => Point} */
  #foot(at, { pawn, size }) {
    const key = `${at} ${size.toFixed(2)}`;
    const known = this.#feet.get(key);
    if (known) return known;
    const { x, y } = this.#station(at);
    const numbers = this.#numbers(at);
    const feet = this.#steps(y, size).map(([dx, dy, worse]) => {
      const foot = { x: x + dx, y: y + dy };
      const hidden = leans(pawn, 0).map((lean) => covered(body(raised(foot, lean, size), size), HALF * size, numbers));
      return { foot, least: worse + Math.min(...hidden) + COUNTS.edge * Math.max(0, HIGH * size - foot.y) };
    });
    const { foot } = feet.reduce((one, other) => (other.least < one.least ? other : one));
    this.#feet.set(key, foot);
    return foot;
  }

  // Return the places for a pawn, in units from its station, whose top is at this distance, with a cost for bad looks.
  /** @type {(top: number, size: number) => [number, number, number][]} */
  #steps(top, size) {
    const { radius } = this.#board;
    if (!this.#onArtwork) return FEET.map(([dx, dy]) => [dx * radius, dy * radius, dy < 0 ? 0 : BESIDE]);
    const above = -PLATE.high * radius - 4.6 * size;
    const beside = PLATE.wide * radius + 14 * size;
    const low = Math.max(4, HIGH * size - top + 2); // a head stays on the board
    return [
      [0, above, 0],
      [ASIDE * size, above, 1],
      [-ASIDE * size, above, 1],
      [beside, low, BESIDE],
      [-beside, low, BESIDE],
    ];
  }

  // Return the obstacles from which a pawn on a station leans away.
  /** @type {(at: number, foot: Point) => Obstacle[]} */
  #obstacles(at, foot) {
    const ring = RING * this.#board.radius;
    const targets = [...this.#targets].flatMap((n) => {
      const station = this.#stations.get(n);
      if (!station || n === at || !isNear(station, foot)) return [];
      const { x, y } = station;
      return [
        { x, y, reach: ring, weight: COUNTS.target },
        { x, y: y + ring + 10, reach: 10, weight: COUNTS.ticket },
      ];
    });
    const lines = this.#linesNear(at).map((point) => ({ ...point, reach: 0, weight: COUNTS.line }));
    return [...this.#numbers(at), ...targets, ...lines];
  }

  // Return the numbers of the other stations around one, each as three discs that fill its plate.
  /** @type {(at: number) => Obstacle[]} */
  #numbers(at) {
    const { x, y } = this.#station(at);
    const { radius } = this.#board;
    const high = PLATE.high * radius;
    return this.#board.stations
      .filter((one) => one.n !== at && isNear(one, { x, y }))
      .flatMap((one) =>
        [-1, 0, 1].map((side) => ({
          x: one.x + side * (PLATE.wide * radius - high),
          y: one.y,
          reach: high,
          weight: COUNTS.number,
        })),
      );
  }

  // Return points along the lines around a station.
  /** @type {(at: number) => Point[]} */
  #linesNear(at) {
    const known = this.#lines.get(at);
    if (known) return known;
    const { x, y } = this.#station(at);
    this.#allLines ??= this.#courses().flatMap(along);
    const points = this.#allLines.filter((point) => Math.hypot(point.x - x, point.y - y) < NEAR / 2);
    this.#lines.set(at, points);
    return points;
  }

  // Return the points through which each line is drawn.
  /** @returns {Point[][]} */
  #courses() {
    if (!("lines" in this.#board)) return [];
    const { lines } = this.#board;
    const bends = "bends" in this.#board ? this.#board.bends : [];
    return lines.map(([a, b], n) => {
      const values = bends[n] ?? [];
      const inner = values.flatMap((value, m) => (m % 2 ? [] : [{ x: value, y: values[m + 1] ?? 0 }]));
      return [this.#station(a), ...inner, this.#station(b)];
    });
  }

  /** @param {number} at */
  #station(at) {
    const station = this.#stations.get(at);
    if (!station) throw new Error(`there is no station ${at}`);
    return station;
  }
}

/**
 * Return points along the body of a pawn, from its foot to its head.
 * @param {Stand} stand where it is
 * @param {number} size its size as a multiple of its drawing's
 * @returns {Point[]} in units
 */
export function body({ x, y, lean }, size) {
  const angle = (lean * Math.PI) / 180;
  return HEIGHTS.map((up) => ({ x: x + up * size * Math.sin(angle), y: y - up * size * Math.cos(angle) }));
}

// Return the degrees by which a pawn may lean. A pawn that already leans never leans to the other side.
/** @type {(pawn: string, turn: number) => number[]} */
function leans(pawn, turn) {
  const most = pawn.startsWith("mr_x") ? HIS_MOST : Infinity;
  return LEANS.map((lean) => Math.max(-most, Math.min(most, turn + lean))).filter((lean) => lean * turn >= 0);
}

// Return a pawn's stand, raised so that no corner of its foot is lower when it leans.
/** @type {(foot: Point, lean: number, size: number) => Stand} */
function raised({ x, y }, lean, size) {
  return { x, y: y - HALF * size * Math.sin((Math.abs(lean) * Math.PI) / 180), lean };
}

// Return the cost of the obstacles that discs around these points cover.
/** @type {(points: Point[], half: number, obstacles: Obstacle[]) => number} */
function covered(points, half, obstacles) {
  let sum = 0;
  for (const { x, y, reach, weight } of obstacles) {
    const far = half + reach;
    let nearest = far;
    for (const point of points) {
      const [dx, dy] = [point.x - x, point.y - y];
      if (Math.abs(dx) < far && Math.abs(dy) < far) nearest = Math.min(nearest, Math.hypot(dx, dy));
    }
    sum += weight * (far - nearest);
  }
  return sum;
}

/** @type {(one: Point, other: Point) => boolean} */
function isNear(one, other) {
  return Math.hypot(one.x - other.x, one.y - other.y) < NEAR;
}

// Return points along a line.
/** @type {(course: Point[]) => Point[]} */
function along(course) {
  return course.slice(1).flatMap((end, n) => {
    const start = course[n] ?? end;
    const count = Math.ceil(Math.hypot(end.x - start.x, end.y - start.y) / STEP);
    return Array.from({ length: count }, (_, m) => ({
      x: start.x + ((end.x - start.x) * m) / count,
      y: start.y + ((end.y - start.y) * m) / count,
    }));
  });
}
