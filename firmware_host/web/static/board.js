// The board: its drawing below, and over it what shines and stands there.

const SVG = "http://www.w3.org/2000/svg";
export const EDGE = 22;

/** A new SVG element with attributes and children. */
export function svg(name, attributes = {}, ...children) {
  const element = document.createElementNS(SVG, name);
  for (const [key, value] of Object.entries(attributes)) element.setAttribute(key, value);
  element.append(...children);
  return element;
}

/** How a lamp's three bytes look to an eye: a quarter of the power is more than half of the brightness. */
function seen(level) {
  return Math.round(255 * (level / 255) ** (1 / 2.2));
}

export class Board {
  constructor(place) {
    this.svg = svg("svg", { id: "paper", role: "group", "aria-label": "Stations" });
    place.append(this.svg);
    this.stations = new Map();
  }

  /** A board is on the table: from a "board" message. */
  lay(board) {
    this.board = board;
    const wide = board.width + 2 * EDGE;
    this.svg.setAttribute("viewBox", `0 0 ${wide} ${board.shown}`);
    const drawing = svg("image", { href: `/boards/${board.picture}.svg`, width: wide, height: board.shown });
    this.lights = svg("g", { id: "lights" });
    this.pawns = svg("g", { id: "pawns" });
    this.svg.replaceChildren(drawing, this.lights, this.pawns);
    this.stations = new Map(board.stations.map((station) => [station.n, station]));
    this.glows = new Map();
    if (this.frame) this.shine(this.frame);
  }

  /** The lamps shine like this: three bytes a lamp; none of them, and all are dark. */
  shine(frame) {
    this.frame = frame;
    if (!this.board) return;
    for (const station of this.stations.values()) {
      const at = 3 * station.lamp;
      const [red, green, blue] = [frame[at] ?? 0, frame[at + 1] ?? 0, frame[at + 2] ?? 0].map(seen);
      const colour = red || green || blue ? `rgb(${red} ${green} ${blue})` : "";
      let glow = this.glows.get(station.n);
      if (!glow) {
        if (!colour) continue;
        glow = svg("circle", { cx: station.x, cy: station.y, r: this.board.radius, "data-lamp": station.n });
        this.glows.set(station.n, glow);
        this.lights.append(glow);
      }
      if (glow.getAttribute("fill") !== colour) glow.setAttribute("fill", colour);
      glow.toggleAttribute("hidden", !colour);
    }
  }

  /** Pawns stand on these stations. */
  stand(pawns) {
    if (!this.board) return;
    this.pawns.replaceChildren(
      ...Object.entries(pawns)
        .filter(([, at]) => this.stations.has(at))
        .map(([pawn, at]) => {
          const { x, y } = this.stations.get(at);
          return svg("circle", { cx: x, cy: y - 10, r: 9, class: `pawn ${pawn}`, "data-pawn": pawn });
        }),
    );
  }
}
