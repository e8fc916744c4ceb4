// Nearer and farther: wheel, pinch, drag, double tap, buttons and keys. The board always fills its place or lies in it.

const NEAREST = [3, 5]; // times as large as the whole board fits, or pixels a unit, whichever is nearer
const STEP = 1.4;
const HEAD = 44; // units above the board that belong to it: a pawn on its topmost station reaches so high
const BUTTONS = 50; // pixels that the buttons take up at the window's foot: where there is room, the board lies above
const RIM = 36; // pixels at the window's rim that push the board on, under a pawn that is slid there
const RIM_SPEED = 0.35; // pixels a frame for each pixel into the rim
const STILL = 6; // pixels that a finger may slip in a tap
const TWICE = 350; // milliseconds between the taps of a double tap

export class Zoom {
  /**
   * @param {HTMLElement} view the window through which the board is seen
   * @param {HTMLElement} sheet what lies in it
   * @param {object} callbacks `tap(x, y)` is told of taps, in units, and says whether it did something; `scaled(pixels)` of
   *   the pixels that a unit has now
   */
  constructor(view, sheet, callbacks) {
    [this.view, this.sheet, this.callbacks] = [view, sheet, callbacks];
    [this.width, this.height] = [1, 1];
    [this.scale, this.left, this.top] = [0, 0, 0];
    this.fingers = new Map();
    this.lastTap = null;
    new ResizeObserver(() => this.#resized()).observe(view);
    view.addEventListener("wheel", (event) => this.#wheel(event), { passive: false });
    for (const kind of ["pointerdown", "pointermove", "pointerup", "pointercancel"]) {
      view.addEventListener(kind, (event) => this[`_${kind}`](event));
    }
    document.addEventListener("keydown", (event) => this.#key(event));
  }

  /** A board of this size, in units, lies there. The same size again leaves everything where it is. */
  setSize(width, height) {
    if (width === this.width && height === this.height) return;
    [this.width, this.height] = [width, height];
    this.showAll();
  }

  /** The whole board is seen. */
  showAll() {
    this.#show(this.#fit(), 0, 0);
  }

  /** Nearer by a factor, or farther; the point of the window at x, y (pixels) stays where it is. */
  zoomBy(factor, x = this.#size()[0] / 2, y = this.#size()[1] / 2) {
    const nearest = Math.max(NEAREST[0] * this.#fit(), NEAREST[1]);
    const scale = Math.min(nearest, Math.max(this.#fit(), this.scale * factor));
    const grown = scale / this.scale;
    this.#show(scale, x - (x - this.left) * grown, y - (y - this.top) * grown);
  }

  /** The units of a point of the page. */
  toUnits(clientX, clientY) {
    const [x, y] = this.#inView(clientX, clientY);
    return { x: (x - this.left) / this.scale, y: (y - this.top) / this.scale };
  }

  /** Moves as little as is needed for a point, in units, to be well in sight. */
  reveal(x, y) {
    const [wide, high] = this.#size();
    const margin = Math.min(60, wide / 4, high / 4);
    const into = (at, size) => Math.max(margin - at, 0) || Math.min(size - margin - at, 0);
    const [px, py] = [x * this.scale + this.left, y * this.scale + this.top];
    this.#show(this.scale, this.left + into(px, wide), this.top + into(py, high));
  }

  /** A hand slides a pawn to the rim of the window: moves a little to show what lies there; whether there was more. */
  scrollAtEdge(clientX, clientY) {
    const [x, y] = this.#inView(clientX, clientY);
    const [wide, high] = this.#size();
    const push = (at, size) => RIM_SPEED * (Math.max(0, RIM - at) - Math.max(0, at - (size - RIM)));
    const before = [this.left, this.top];
    this.#show(this.scale, this.left + push(x, wide), this.top + push(y, high));
    return this.left !== before[0] || this.top !== before[1];
  }

  #size() {
    return [this.view.clientWidth || 1, this.view.clientHeight || 1];
  }

  #fit() {
    const [wide, high] = this.#size();
    return Math.min(wide / this.width, high / (this.height + HEAD));
  }

  #inView(clientX, clientY) {
    const { left, top } = this.view.getBoundingClientRect();
    return [clientX - left, clientY - top];
  }

  #resized() {
    const [wide, high] = this.#size();
    const [beforeWide, beforeHigh] = this.seen ?? [wide, high];
    const larger = this.fitted ? this.scale / this.fitted : 1;
    const scale = Math.max(1, larger) * this.#fit();
    const grown = this.scale ? scale / this.scale : 1;
    const middle = [beforeWide / 2 - this.left, beforeHigh / 2 - this.top];
    this.#show(scale, wide / 2 - middle[0] * grown, high / 2 - middle[1] * grown);
  }

  #show(scale, left, top) {
    const [wide, high] = this.#size();
    const within = (at, size, room, foot = 0) =>
      size <= room ? Math.max(0, Math.min((room - size) / 2, room - size - foot)) : Math.min(0, Math.max(room - size, at));
    [this.seen, this.fitted] = [[wide, high], this.#fit()];
    this.left = within(left, this.width * scale, wide);
    this.top = within(top - HEAD * scale, (this.height + HEAD) * scale, high, BUTTONS) + HEAD * scale;
    const style = this.sheet.style;
    if (scale !== this.scale) {
      this.scale = scale;
      style.setProperty("width", `${this.width * scale}px`);
      style.setProperty("height", `${this.height * scale}px`);
      this.callbacks.scaled(scale);
    }
    style.setProperty("transform", `translate(${this.left}px, ${this.top}px)`);
    this.view.classList.toggle("near", scale > this.fitted * 1.01);
  }

  #wheel(event) {
    event.preventDefault();
    const pixels = event.deltaY * (event.deltaMode === 1 ? 30 : 1);
    const [x, y] = this.#inView(event.clientX, event.clientY);
    this.zoomBy(Math.exp(-pixels * (event.ctrlKey ? 0.01 : 0.002)), x, y);
  }

  #key(event) {
    if (event.altKey || event.ctrlKey || event.metaKey || event.target.closest?.("input, select, textarea")) return;
    if (event.key === "+" || event.key === "=") this.zoomBy(STEP);
    else if (event.key === "-") this.zoomBy(1 / STEP);
    else if (event.key === "0") this.showAll();
  }

  _pointerdown(event) {
    if (event.button !== 0 || event.target.closest("button")) return;
    const [x, y] = this.#inView(event.clientX, event.clientY);
    this.fingers.set(event.pointerId, { x, y, slipped: this.fingers.size > 0, from: [x, y] });
    this.view.setPointerCapture(event.pointerId);
  }

  _pointermove(event) {
    const finger = this.fingers.get(event.pointerId);
    if (!finger) return;
    const [x, y] = this.#inView(event.clientX, event.clientY);
    const before = this.#spread();
    const [dx, dy] = [x - finger.x, y - finger.y];
    if (!finger.slipped && Math.hypot(x - finger.from[0], y - finger.from[1]) < STILL) return;
    Object.assign(finger, { x, y, slipped: true });
    if (this.fingers.size === 1) {
      this.#show(this.scale, this.left + dx, this.top + dy);
      return;
    }
    const after = this.#spread();
    this.zoomBy(after.far / before.far, before.x, before.y);
    this.#show(this.scale, this.left + after.x - before.x, this.top + after.y - before.y);
  }

  _pointerup(event) {
    const finger = this.fingers.get(event.pointerId);
    this.fingers.delete(event.pointerId);
    if (finger && !finger.slipped) this.#tapped(event);
  }

  _pointercancel(event) {
    this.fingers.delete(event.pointerId);
  }

  /** The middle of all fingers and how far the first two are apart. */
  #spread() {
    const all = [...this.fingers.values()];
    const mean = (key) => all.reduce((sum, finger) => sum + finger[key], 0) / all.length;
    const far = all.length < 2 ? 1 : Math.max(1, Math.hypot(all[0].x - all[1].x, all[0].y - all[1].y));
    return { x: mean("x"), y: mean("y"), far };
  }

  #tapped(event) {
    const { x, y } = this.toUnits(event.clientX, event.clientY);
    if (this.callbacks.tap(x, y)) {
      this.lastTap = null;
      return;
    }
    const [px, py] = this.#inView(event.clientX, event.clientY);
    const last = this.lastTap;
    this.lastTap = { at: event.timeStamp, px, py };
    if (!last || event.timeStamp - last.at > TWICE || Math.hypot(px - last.px, py - last.py) > 30) return;
    this.lastTap = null;
    if (this.scale > this.fitted * 1.01) this.showAll();
    else this.zoomBy(2.5, px, py);
  }

  /** The three buttons. */
  buttons() {
    const all = [
      ["\u2922", "Whole board", () => this.showAll()],
      ["\u2212", "Zoom out", () => this.zoomBy(1 / STEP)],
      ["+", "Zoom in", () => this.zoomBy(STEP)],
    ];
    const group = document.createElement("div");
    group.className = "zoom";
    for (const [sign, name, act] of all) {
      const button = document.createElement("button");
      button.type = "button";
      button.textContent = sign;
      button.setAttribute("aria-label", name);
      button.title = name;
      button.onclick = act;
      group.append(button);
    }
    return group;
  }
}
