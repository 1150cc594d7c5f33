// The published layers: blocks that the server draws once at each resolution, kept, and composed on the canvas.

/** The pixels of all blocks that are kept. */
const ROOM = 24_000_000;
/** The largest block that is requested, in squares. */
const COLUMNS = 10, ROWS = 8;
/** The requests under way at a time; a browser opens six connections, of which two wait for news. */
const REQUESTS = 4;

/** A value of the quality of pictures: fine, or small for a slow line. */
const FINE = 85, SMALL = 50;
/** The bytes per second below which a line is slow. */
const SLOW = 400_000;

export class Ground {
  /**
   * @param url makes the address of a block from its parameters
   * @param headers returns the header fields of requests
   * @param changed called when there is more to draw
   * @param said called with a message about missing parts, or when the map is another one
   */
  constructor({ url, headers, changed, missing, outdated }) {
    Object.assign(this, { url, headers, changed, missing, outdated });
    /** The blocks by resolution and hidden layers. */
    this.sets = new Map();
    this.running = new Map();
    this.pausedUntil = 0;
    this.rate = null;
    navigator.connection?.addEventListener?.("change", () => { this.rate = null; });
  }

  /** Takes what the server tells of the squares of the map, and drops the blocks of another map. */
  setSquares(squares) {
    if (squares?.revision !== this.squares?.revision) this.forget();
    this.squares = squares || null;
  }

  forget() {
    for (const control of this.running.keys()) control.abort();
    for (const set of this.sets.values()) for (const block of set.blocks) block.image?.close();
    this.sets.clear();
  }

  /** The quality of pictures for this line. */
  get quality() { return this.isSlow ? SMALL : FINE; }

  get isSlow() {
    if (this.rate !== null) return this.rate < SLOW;
    const line = navigator.connection;
    return Boolean(line && (line.saveData || ["slow-2g", "2g", "3g"].includes(line.effectiveType)));
  }

  /** The pixel ratio of blocks: that of the pictures, as a multiple of a quarter. */
  get ratio() { return Math.min(Math.ceil(this.squares.ratio * 4 - 0.01) / 4, 4); }

  set(resolution, off) {
    const key = `${resolution} ${off}`;
    if (!this.sets.has(key)) this.sets.set(key, { key, resolution, off, blocks: [], squares: new Map() });
    return this.sets.get(key);
  }

  /** The ranges of columns and rows that a view shows, each in one copy of the world. */
  ranges(view, margin = 0) {
    const { squares } = this, span = squares.unit * view.resolution;
    const columns = Math.max(1, Math.ceil(squares.width / span - 1e-6)), rows = Math.max(1, Math.ceil(squares.height / span - 1e-6));
    // A picture in the screen's pixels is moved by up to half of one.
    const half = { x: (view.width / 2 - 0.5) * view.resolution + margin * span, y: (view.height / 2 - 0.5) * view.resolution + margin * span };
    const top = Math.max(0, Math.floor((squares.y - view.y - half.y) / span)), bottom = Math.min(rows - 1, Math.floor((squares.y - view.y + half.y) / span));
    const found = [];
    for (const shift of this.copies(view, half.x)) {
      const left = Math.max(0, Math.floor((view.x - shift - half.x - squares.x) / span)), right = Math.min(columns - 1, Math.floor((view.x - shift + half.x - squares.x) / span));
      if (left <= right && top <= bottom) found.push({ left, right, top, bottom });
    }
    return found;
  }

  /** How far the copies of the world are moved that a view shows. */
  copies(view, half) {
    const { squares } = this;
    if (!view.world) return [0];
    const first = Math.ceil((view.x - half - squares.x - squares.width) / view.world), last = Math.floor((view.x + half - squares.x) / view.world);
    const found = [];
    for (let copy = first; copy <= last && found.length < 20; copy += 1) found.push(copy * view.world);
    return found;
  }

  /** Whether all of a view is there, or cannot be had. */
  isComplete(view, off) {
    if (!this.squares) return false;
    const { squares } = this.set(view.resolution, off);
    return this.ranges(view).every(({ left, right, top, bottom }) => {
      for (let row = top; row <= bottom; row += 1) for (let column = left; column <= right; column += 1) {
        const block = squares.get(`${column} ${row}`);
        if (!block?.image && !block?.failed) return false;
      }
      return true;
    });
  }

  /** Requests what views lack, the first ones first. */
  want(views, off) {
    if (!this.squares || performance.now() < this.pausedUntil) return;
    const sets = views.map((view) => this.set(view.resolution, off));
    for (const [control, block] of this.running) if (!sets.includes(block.set)) control.abort();
    views.forEach((view, index) => {
      for (const range of this.ranges(view, view.margin ?? 0)) {
        const blocks = this.lacking(sets[index], range), middle = { x: (range.left + range.right) / 2, y: (range.top + range.bottom) / 2 };
        const far = ({ column, columns, row, rows }) => Math.hypot(column + (columns - 1) / 2 - middle.x, row + (rows - 1) / 2 - middle.y);
        blocks.sort((one, other) => far(one) - far(other));
        for (const block of blocks) if (this.running.size < REQUESTS) this.load(sets[index], block);
      }
    });
  }

  /** The blocks that cover the squares of a range that are not there. */
  lacking(set, { left, right, top, bottom }) {
    const now = performance.now(), open = [], done = [];
    for (let row = top; row <= bottom; row += 1) {
      const runs = [];
      for (let column = left; column <= right; column += 1) {
        const known = set.squares.get(`${column} ${row}`);
        if (known && !(known.failed && now > known.again)) continue;
        const last = runs.at(-1);
        if (last && last.column + last.columns === column) last.columns += 1; else runs.push({ column, columns: 1 });
      }
      // A run continues the block above it if both are equally wide.
      for (const block of open.splice(0)) {
        const same = runs.findIndex((run) => run.column === block.column && run.columns === block.columns);
        if (same < 0) { done.push(block); continue; }
        runs.splice(same, 1);
        block.rows += 1;
        open.push(block);
      }
      open.push(...runs.map((run) => ({ ...run, row, rows: 1 })));
    }
    return [...done, ...open].flatMap(split);
  }

  async load(set, place) {
    const { squares } = this, control = new AbortController(), { signal } = control;
    const block = { ...place, set, image: null, failed: false, used: performance.now() };
    const keys = [];
    for (let row = place.row; row < place.row + place.rows; row += 1) for (let column = place.column; column < place.column + place.columns; column += 1) keys.push(`${column} ${row}`);
    const tries = (set.squares.get(keys[0])?.tries ?? 0) + 1;
    block.tries = tries;
    for (const key of keys) set.squares.set(key, block);
    this.running.set(control, block);
    const drop = () => { for (const key of keys) if (set.squares.get(key) === block) set.squares.delete(key); };
    /** Nothing is there; it is asked for again after a while. */
    const lose = (pause) => { block.failed = true; block.again = performance.now() + pause; setTimeout(this.changed, pause + 50); };
    try {
      const parameters = { resolution: set.resolution, x: place.column, y: place.row, columns: place.columns, rows: place.rows, ratio: this.ratio, revision: squares.revision };
      Object.assign(parameters, squares.webp ? { format: "webp", quality: this.quality } : { format: "png" });
      if (set.off) parameters.off = set.off;
      const response = await fetch(this.url(new URLSearchParams(parameters)), { headers: this.headers(), signal });
      if (response.status === 409) { drop(); return this.outdated(); }
      if (response.status === 429 || response.status === 503) {
        drop();
        const pause = Math.min(Math.max(Number(response.headers.get("Retry-After")) || 1, 0.3), 10) * 1000;
        this.pausedUntil = performance.now() + pause;
        return void setTimeout(this.changed, pause + 50);
      }
      if (!response.ok) {
        const problem = await response.json().catch(() => ({}));
        if (response.status !== 404) this.missing(problem.detail);
        return lose(Math.min(2000 * 2 ** tries, 60000));
      }
      const begin = performance.now(), blob = await response.blob();
      this.measure(blob.size, performance.now() - begin);
      block.image = await createImageBitmap(blob);
      set.blocks.push(block);
      // A block with holes may not be kept by caches: its server has not sent all.
      if (response.headers.get("Cache-Control")?.includes("no-store") && tries < 5) {
        this.missing();
        setTimeout(() => { drop(); this.changed(); }, 1500 * tries);
      }
      this.tidy();
    } catch {
      drop();
      if (!signal.aborted) setTimeout(this.changed, 1000);
    } finally {
      this.running.delete(control);
      this.changed();
    }
  }

  /** Learns how fast the line is, from what came after the beginning of an answer. */
  measure(bytes, milliseconds) {
    if (bytes < 8000) return;
    const rate = (bytes / Math.max(milliseconds, 1)) * 1000 * Math.max(this.running.size, 1);
    // A line that became slow is felt at once.
    this.rate = this.rate === null || rate < this.rate ? rate : (this.rate + rate) / 2;
  }

  /** Drops the blocks that were not drawn for the longest time. */
  tidy() {
    const size = (block) => block.image.width * block.image.height;
    const blocks = [...this.sets.values()].flatMap((set) => set.blocks).sort((one, other) => one.used - other.used);
    let sum = blocks.reduce((sum, block) => sum + size(block), 0);
    for (const block of blocks) {
      if (sum <= ROOM) break;
      sum -= size(block);
      const { set } = block;
      set.blocks.splice(set.blocks.indexOf(block), 1);
      for (const [key, known] of set.squares) if (known === block) set.squares.delete(key);
      block.image.close();
    }
    for (const [key, set] of this.sets) if (set.squares.size === 0 && ![...this.running.values()].some((block) => block.set === set)) this.sets.delete(key);
  }

  /**
   * Draws what there is of a view, the best on top.
   *
   * @param context of a canvas in the pixels of the screen
   * @param ratio the pixels of the screen per pixel of the page
   */
  draw(context, view, off, ratio) {
    if (!this.squares) return;
    const now = performance.now(), distance = (set) => Math.abs(Math.log2(set.resolution / view.resolution));
    const sets = [...this.sets.values()].filter((set) => set.off === off && set.blocks.length && distance(set) < 5);
    sets.sort((one, other) => distance(other) - distance(one));
    const turn = (view.bearing * Math.PI) / 180, reach = (Math.hypot(view.width, view.height) / 2) * view.resolution;
    context.save();
    context.translate((view.width / 2) * ratio, (view.height / 2) * ratio);
    context.rotate(-turn);
    for (const set of sets) {
      const span = this.squares.unit * set.resolution, unit = ratio / view.resolution, isExact = set.resolution === view.resolution && !view.bearing;
      context.imageSmoothingEnabled = !isExact;
      context.imageSmoothingQuality = "high";
      for (const shift of this.copies(view, reach)) {
        // The first square's corner, from the middle of the screen.
        let x = (this.squares.x + shift - view.x) * unit, y = (view.y - this.squares.y) * unit;
        if (isExact) {
          x = Math.round(x + (view.width / 2) * ratio) - (view.width / 2) * ratio;
          y = Math.round(y + (view.height / 2) * ratio) - (view.height / 2) * ratio;
        }
        for (const block of set.blocks) {
          const left = x + block.column * span * unit, top = y + block.row * span * unit, width = block.columns * span * unit, height = block.rows * span * unit;
          const far = (reach / view.resolution) * ratio;
          if (left > far || top > far || left + width < -far || top + height < -far) continue;
          block.used = now;
          // A hair of overlap hides the seams of stretched blocks.
          const more = isExact ? 0 : 0.6;
          if (isExact) context.drawImage(block.image, Math.round(left * 64) / 64, Math.round(top * 64) / 64, Math.round(width), Math.round(height));
          else context.drawImage(block.image, left - more, top - more, width + 2 * more, height + 2 * more);
        }
      }
    }
    context.restore();
  }
}

/** A block in parts of a limited size, about equally large. */
function split({ column, row, columns, rows }) {
  const across = Math.ceil(columns / COLUMNS), down = Math.ceil(rows / ROWS), parts = [];
  const cut = (length, count, index) => Math.floor((length * index) / count);
  for (let j = 0; j < down; j += 1) for (let i = 0; i < across; i += 1) {
    parts.push({
      column: column + cut(columns, across, i), columns: cut(columns, across, i + 1) - cut(columns, across, i),
      row: row + cut(rows, down, j), rows: cut(rows, down, j + 1) - cut(rows, down, j),
    });
  }
  return parts;
}
