// What moves on the map: vehicles and the person's position, told by the server in few words and drawn here.

/** The side of a badge's picture, in pixels of the page. */
const BADGE = 72;
/** The time in which a mark comes to where the server has it, in milliseconds. */
const BLEND = 600;
/** Where the plate of a mark may be: the corner of the plate that is placed, and its distance from the mark. */
const PLATES = [[0.5, 0, 0, 25], [0, 0.5, 25, 0], [1, 0.5, -25, 0], [0.5, 1, 0, -25]];

export class Marks {
  /**
   * @param canvas the canvas above the map
   * @param badge fetches the picture of a badge
   * @param still whether motion is to be reduced
   */
  constructor(canvas, { badge, still }) {
    Object.assign(this, { canvas, badge, still });
    this.marks = new Map();
    this.kinds = {};
    this.badges = new Map();
    this.widths = new Map();
    this.chosen = null;
    this.here = null;
    this.change = 0;
  }

  clear() {
    this.marks.clear();
    this.change = 0;
    this.chosen = null;
    this.badges.clear();
    this.redraw();
  }

  /** Takes a message of the server. */
  take({ n, kinds, marks, gone, chosen }) {
    const now = performance.now();
    // A page that begins anew gets all.
    if (n < this.change) this.marks.clear();
    this.change = n;
    Object.assign(this.kinds, kinds);
    for (const name of gone) this.marks.delete(name);
    for (const [name, kind, label, heading, stale, duration, way] of marks) {
      const places = [[way[0], way[1]]];
      for (let index = 2; index < way.length; index += 2) places.push([places.at(-1)[0] + way[index], places.at(-1)[1] + way[index + 1]]);
      const before = this.marks.get(name), mark = { name, kind, label, heading, stale, duration, places, start: now, offset: [0, 0], plate: before?.plate ?? 0 };
      if (before) {
        const place = this.place(before, now);
        mark.offset = [place[0] - places[0][0], place[1] - places[0][1]];
      }
      this.marks.set(name, mark);
    }
    this.chosen = chosen ?? null;
    this.redraw();
  }

  /** Where a mark is at a time, in map coordinates. */
  place(mark, now) {
    const part = mark.duration > 0 ? Math.min(Math.max((now - mark.start) / mark.duration, 0), 1) : 1;
    const along = part * (mark.places.length - 1), index = Math.min(Math.floor(along), mark.places.length - 2), rest = along - index;
    const [x, y] = index < 0 ? mark.places[0] : mark.places[index].map((value, axis) => value + (mark.places[index + 1][axis] - value) * rest);
    const blend = Math.max(0, 1 - (now - mark.start) / BLEND);
    return [x + mark.offset[0] * blend, y + mark.offset[1] * blend];
  }

  isMoving(now) {
    for (const mark of this.marks.values()) if (now - mark.start < Math.max(mark.duration, BLEND)) return true;
    return false;
  }

  /** Draws the marks in a view, and again while they move. */
  show(view, ratio) {
    this.view = view;
    this.ratio = ratio;
    this.draw();
  }

  redraw() {
    if (this.frame || !this.view) return;
    this.frame = requestAnimationFrame(() => { this.frame = null; this.draw(); });
  }

  draw() {
    const { canvas, view, ratio } = this, now = performance.now(), context = canvas.getContext("2d");
    const width = Math.round(view.width * ratio), height = Math.round(view.height * ratio);
    if (canvas.width !== width || canvas.height !== height) { canvas.width = width; canvas.height = height; } else if (!this.isEmpty) context.clearRect(0, 0, width, height);
    canvas.style.width = `${view.width}px`;
    canvas.style.height = `${view.height}px`;
    this.isEmpty = this.marks.size === 0 && !this.here;
    if (this.isEmpty) return;
    context.save();
    context.scale(ratio, ratio);
    this.drawMarks(context, now);
    if (this.here) this.drawHere(context);
    context.restore();
    if (this.isMoving(now) && !this.timer) this.timer = setTimeout(() => { this.timer = null; this.redraw(); }, this.still.matches ? 1000 : 40);
  }

  /** The place on the screen of a map coordinate. */
  pixel([x, y]) {
    const { view } = this;
    let dx = x - view.x;
    if (view.world) dx -= Math.round(dx / view.world) * view.world;
    const dy = y - view.y, turn = (view.bearing * Math.PI) / 180, cosine = Math.cos(turn), sine = Math.sin(turn);
    return [view.width / 2 + (dx * cosine - dy * sine) / view.resolution, view.height / 2 - (dx * sine + dy * cosine) / view.resolution];
  }

  drawMarks(context, now) {
    const { view } = this, seen = [];
    for (const mark of this.marks.values()) {
      const [x, y] = this.pixel(this.place(mark, now));
      if (x > -60 && y > -60 && x < view.width + 60 && y < view.height + 60) seen.push({ mark, x, y });
    }
    seen.sort((one, other) => (one.mark.name === this.chosen) - (other.mark.name === this.chosen) || one.mark.stale < other.mark.stale || one.y - other.y);
    for (const { mark, x, y } of seen) {
      const isChosen = mark.name === this.chosen, size = BADGE * (isChosen ? 1.3 : 1);
      if (isChosen) ring(context, x, y);
      const image = this.picture(mark);
      if (image) context.drawImage(image, x - size / 2, y - size / 2, size, size);
    }
    context.font = "700 12px system-ui, -apple-system, 'Segoe UI', Roboto, 'DejaVu Sans', sans-serif";
    context.textBaseline = "middle";
    context.textAlign = "center";
    const taken = [];
    // The same marks win each time, so that plates do not flicker.
    for (const each of seen.sort((one, other) => (other.mark.name === this.chosen) - (one.mark.name === this.chosen) || one.mark.name - other.mark.name)) this.drawPlate(context, each, taken);
  }

  drawPlate(context, { mark, x, y }, taken) {
    if (!mark.label) return;
    if (!this.widths.has(mark.label)) this.widths.set(mark.label, context.measureText(mark.label).width);
    const width = this.widths.get(mark.label) + 8, height = 20;
    const box = ([across, down, right, below]) => ({ left: x + right - across * width, top: y + below - down * height });
    const isFree = ({ left, top }) => !taken.some((other) => left < other.left + other.width + 2 && other.left < left + width + 2 && top < other.top + height + 2 && other.top < top + height + 2);
    const order = [mark.plate, 0, 1, 2, 3], found = order.find((index) => isFree(box(PLATES[index])));
    if (found === undefined) return;
    mark.plate = found;
    const { left, top } = box(PLATES[found]), { color, light } = this.kinds[mark.kind] ?? { color: "#4b5563", light: false };
    taken.push({ left, top, width });
    context.globalAlpha = mark.stale ? 0.5 : 1;
    context.beginPath();
    context.roundRect(left, top, width, height, 5);
    context.fillStyle = color;
    context.fill();
    context.lineWidth = 1.5;
    context.strokeStyle = "#fff";
    context.stroke();
    context.fillStyle = light ? "#1f2937" : "#fff";
    context.fillText(mark.label, left + width / 2, top + height / 2 + 0.5);
    context.globalAlpha = 1;
  }

  /** The picture of a mark's badge, or nothing while it is fetched. */
  picture({ kind, heading, stale }) {
    const direction = heading === null ? "" : ((Math.round((heading - this.view.bearing) / 45) * 45) % 360 + 360) % 360;
    const key = `${kind} ${direction} ${stale}`;
    if (!this.badges.has(key)) {
      this.badges.set(key, null);
      const parameters = new URLSearchParams({ kind });
      if (direction !== "") parameters.set("direction", direction);
      if (stale) parameters.set("stale", 1);
      this.badge(parameters).then((image) => { this.badges.set(key, image); this.redraw(); }).catch(() => setTimeout(() => this.badges.delete(key), 2000));
    }
    return this.badges.get(key);
  }

  /** The person's position: how exact it is, where the device looks, and a dot. */
  drawHere(context) {
    const { here, view } = this, [x, y] = this.pixel([here.x, here.y]), color = here.live ? "#1a73e8" : "#80868b";
    const disc = (radius) => { context.beginPath(); context.arc(x, y, radius, 0, 2 * Math.PI); };
    if (here.radius) {
      disc(here.radius / view.resolution);
      context.fillStyle = `${color}26`;
      context.fill();
      context.strokeStyle = `${color}73`;
      context.lineWidth = 1;
      context.stroke();
    }
    if (here.heading !== null && here.live) {
      const middle = ((here.heading - view.bearing - 90) * Math.PI) / 180;
      context.beginPath();
      context.moveTo(x, y);
      context.arc(x, y, 34, middle - Math.PI / 6, middle + Math.PI / 6);
      context.fillStyle = `${color}66`;
      context.fill();
    }
    disc(7);
    context.fillStyle = color;
    context.fill();
    context.strokeStyle = "#fff";
    context.lineWidth = 2.5;
    context.stroke();
  }
}

function ring(context, x, y) {
  context.beginPath();
  context.arc(x, y, 20, 0, 2 * Math.PI);
  context.fillStyle = "#ffffffd9";
  context.fill();
  context.strokeStyle = "#1f2937";
  context.lineWidth = 2;
  context.stroke();
}
