// What a person does on the map: told to the server in the order in which it happens, one batch under way at a time, and
// shown at once by moving the picture until the server's answer has come.

/** Collects events, sends them, and foretells what a drag or a pinch will do. */
export class Gestures {
  /**
   * @param map the element of the map
   * @param send sends a batch and resolves when the server has it, or throws
   * @param changed called when the picture is to be moved
   */
  constructor(map, send, changed) {
    this.map = map;
    this.send = send;
    this.changed = changed;
    this.sequence = 0;
    /** Counts the sessions. */
    this.session = 0;
    this.waiting = [];
    this.isSending = false;
    /** Where each finger or the mouse is that is down, or that the server has not yet shown to have left. */
    this.down = new Map();
    /** Where those were when each batch was sent that the server has not yet shown. */
    this.sent = [];
    this.base = new Map();
    this.isDragging = false;
    this.listen();
  }

  /** The time between two messages of moves, in milliseconds. */
  static pace = 40;

  /** How far the map may move before it counts as dragged, as the server has it. */
  static slack = { mouse: 3, touch: 8, pen: 8 };

  listen() {
    const map = this.map;
    map.addEventListener("pointerdown", (event) => {
      if (event.pointerType === "mouse" && event.button > 2) return;
      map.setPointerCapture(event.pointerId);
      map.focus({ preventScroll: true });
      this.pointer("down", event);
    });
    map.addEventListener("pointermove", (event) => {
      const events = event.getCoalescedEvents?.() ?? [];
      if (this.isDown(event.pointerId)) for (const each of events.length ? events : [event]) this.pointer("move", each);
    });
    map.addEventListener("pointerup", (event) => this.pointer("up", event));
    map.addEventListener("pointercancel", (event) => this.pointer("cancel", event));
    map.addEventListener("contextmenu", (event) => event.preventDefault());
    map.addEventListener("wheel", (event) => {
      event.preventDefault();
      const delta = event.deltaY || event.deltaX;
      if (!delta) return;
      this.add({ type: "wheel", delta, unit: ["pixels", "lines", "pages"][event.deltaMode], ...this.place(event), keys: keys(event) }, event);
    }, { passive: false });
    map.addEventListener("keydown", (event) => this.key(event));
    map.addEventListener("blur", () => this.lose());
    addEventListener("blur", () => this.lose());
  }

  /** The keys that the map understands, by what they write. */
  static names = {
    ArrowLeft: "arrowLeft", ArrowRight: "arrowRight", ArrowUp: "arrowUp", ArrowDown: "arrowDown", "+": "plus", "=": "plus",
    "-": "minus", ",": "comma", ".": "period", "0": "zero", Home: "home", n: "n", p: "p", N: "n", P: "p", Escape: "escape",
  };

  key(event) {
    const name = Gestures.names[event.key];
    // Alt with an arrow is the page's: the views before and after.
    if (!name || event.ctrlKey || event.metaKey || event.altKey) return;
    event.preventDefault();
    this.press(name, keys(event));
  }

  /** Presses a key, as buttons do. */
  press(name, held = 0) { this.add({ type: "key", key: name, keys: held }, { timeStamp: performance.now() }); }

  isDown(id) { return this.down.has(id) && this.down.get(id).ended === null; }

  lose() {
    if (this.down.size === 0) return;
    this.down.clear();
    this.isDragging = false;
    this.add({ type: "focusLost" }, { timeStamp: performance.now() });
  }

  pointer(phase, event) {
    const place = this.place(event), id = event.pointerId;
    if (phase === "down") {
      for (const [each, known] of this.down) if (known.ended !== null) this.down.delete(each);
      if (this.down.size === 0) this.isDragging = false;
      this.down.set(id, { ...place, ended: null, kind: event.pointerType, startX: place.x, startY: place.y });
      this.rebase();
    } else if (phase === "move") {
      const known = this.down.get(id);
      if (!known) return;
      Object.assign(known, place);
      const far = Math.hypot(place.x - known.startX, place.y - known.startY);
      if (far > (Gestures.slack[known.kind] ?? 8) || this.down.size > 1) this.isDragging = !(event.shiftKey && known.kind === "mouse") && !(event.buttons & 2);
    } else if (this.isDown(id)) {
      const known = this.down.get(id);
      // What it did is shown until the server shows it: with the batch that tells of its end.
      known.ended = this.sequence + 1;
      if ([...this.down.values()].some((other) => other.ended === null)) {
        this.down.delete(id);
        this.rebase();
      }
    } else return;
    const buttons = phase === "up" || phase === "cancel" ? 0 : event.pointerType === "mouse" ? (event.buttons & 3) || (phase === "down" ? 1 : 0) : 1;
    this.add({
      type: "pointer", phase, id, kind: ["mouse", "touch", "pen"].includes(event.pointerType) ? event.pointerType : "mouse",
      ...place, buttons, keys: keys(event),
    }, event);
  }

  /** Fingers came or went: what they did before is with the server. */
  rebase() {
    this.sent = this.sent.map((batch) => ({ ...batch, places: null }));
    this.base = this.places();
  }

  places() { return new Map([...this.down].map(([id, { x, y }]) => [id, { x, y }])); }

  place(event) {
    const frame = this.map.getBoundingClientRect();
    return { x: event.clientX - frame.left, y: event.clientY - frame.top };
  }

  add(item, event) {
    this.waiting.push({ t: event.timeStamp, ...item });
    if (item.phase !== "move") this.hurry?.();
    this.flush();
    this.changed();
  }

  async flush() {
    if (this.isSending || this.waiting.length === 0) return;
    this.isSending = true;
    while (this.waiting.length) {
      const events = this.waiting.splice(0, 500);
      this.sequence += 1;
      this.sent.push({ sequence: this.sequence, places: this.places() });
      const begin = performance.now();
      await this.deliver({ seq: this.sequence, events });
      // Moves of a hand gather, since the page shows them at once.
      const early = Gestures.pace - (performance.now() - begin);
      if (early > 0 && this.waiting.every(({ phase }) => phase === "move")) await Promise.race([new Promise((done) => setTimeout(done, early)), new Promise((done) => (this.hurry = done))]);
    }
    this.isSending = false;
    this.changed();
  }

  /** Sends a batch until the server has it, which takes it once; or until another session has begun. */
  async deliver(batch) {
    const session = this.session;
    while (session === this.session) {
      try { return await this.send(batch); } catch (error) {
        // A server that answers does not want it.
        if (error.status) return this.forget();
        await new Promise((done) => setTimeout(done, 300));
      }
    }
  }

  /** Whether something was done that the server has not shown yet. */
  get isPending() { return this.waiting.length > 0 || this.isSending || this.sent.length > 0; }

  /** Begins anew with another session. */
  forget() {
    this.sent = [];
    for (const [id, known] of this.down) if (known.ended !== null) this.down.delete(id);
    this.base = this.places();
  }

  restart() {
    this.session += 1;
    this.sequence = 0;
    this.waiting = [];
    this.forget();
  }

  /** The server has shown what was done up to a batch. */
  acknowledge(sequence) {
    while (this.sent.length && this.sent[0].sequence <= sequence) {
      const batch = this.sent.shift();
      if (batch.places) this.base = batch.places;
    }
    for (const [id, known] of this.down) if (known.ended !== null && known.ended <= sequence) this.down.delete(id);
    if (this.down.size === 0) this.isDragging = false;
  }

  /** What fingers have done since what the server has shown: a scale about a place, and a way. */
  get foretold() {
    const none = { scale: 1, x: 0, y: 0, aboutX: 0, aboutY: 0 };
    if (!this.isDragging) return none;
    const now = [...this.down].filter(([id]) => this.base.has(id)).slice(0, 2);
    if (now.length === 0) return none;
    const ends = now.map(([, place]) => place), starts = now.map(([id]) => this.base.get(id));
    const middle = (places) => ({ x: places.reduce((sum, p) => sum + p.x, 0) / places.length, y: places.reduce((sum, p) => sum + p.y, 0) / places.length });
    const one = middle(starts), other = middle(ends);
    let scale = 1;
    if (now.length === 2) {
      const before = Math.hypot(starts[0].x - starts[1].x, starts[0].y - starts[1].y);
      const after = Math.hypot(ends[0].x - ends[1].x, ends[0].y - ends[1].y);
      if (before > 10) scale = after / before;
    }
    return { scale, x: other.x - one.x, y: other.y - one.y, aboutX: one.x, aboutY: one.y };
  }
}

/** The keys that are held, as bits. */
function keys(event) {
  return (event.shiftKey ? 1 : 0) | (event.ctrlKey ? 2 : 0) | (event.altKey ? 4 : 0) | (event.metaKey ? 8 : 0);
}
