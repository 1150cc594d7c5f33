// What lies beside the map: layers, places, the chosen feature, the scale, and buttons.

import { choice, element, fill, make } from "./elements.js";

export class Panels {
  /** @param actions what the buttons do */
  constructor(actions) {
    this.actions = actions;
    this.position = null;
    const { command, press } = actions;
    const clicks = {
      plus: () => press("plus"), minus: () => press("minus"), north: () => press("zero"), home: () => press("home"),
      back: () => command({ do: "back" }), forward: () => command({ do: "forward" }), previous: () => press("p"), next: () => press("n"),
      close: () => this.closeFeature(), locate: () => this.locate(), full: () => this.fullScreen(), open: () => this.toggle(), shut: () => this.toggle(),
      link: () => this.copy(actions.permalink(), "The link is copied."), words: () => this.copy(this.text(), "The text is copied."),
      save: () => actions.picture("png"), "save-svg": () => actions.picture("svg"), "save-pdf": () => actions.picture("pdf"), print: () => print(), send: () => this.send(),
      "embed-copy": () => this.copy(element("embed").value, "The code is copied."),
    };
    for (const [id, action] of Object.entries(clicks)) element(id).addEventListener("click", action);
    element("file").addEventListener("change", (event) => {
      for (const file of event.target.files) actions.upload(file);
      event.target.value = "";
    });
    this.acceptDrops();
    this.chooseTheme();
    // Sheets of a phone leave the scale and the attribution free.
    new ResizeObserver(() => document.documentElement.style.setProperty("--foot", `${element("foot").offsetHeight}px`)).observe(element("foot"));
    element("maps").addEventListener("change", (event) => actions.openMap(event.target.value));
    let timer;
    element("places-find").addEventListener("input", () => { clearTimeout(timer); timer = setTimeout(() => this.find(), 200); });
    element("places-find").addEventListener("keydown", (event) => {
      if (event.key === "Escape") this.endSearch();
      if (event.key === "Enter" || event.key === "ArrowDown") element("places-found").querySelector("button")?.focus();
    });
    element("places-found").addEventListener("keydown", (event) => {
      if (event.key === "Escape") return this.endSearch();
      const step = { ArrowDown: 1, ArrowUp: -1 }[event.key], all = [...element("places-found").querySelectorAll("button")];
      if (!step) return;
      event.preventDefault();
      (all[all.indexOf(document.activeElement) + step] ?? element("places-find")).focus();
    });
    element("send").hidden = !navigator.share;
    addEventListener("keydown", (event) => { if (event.key === "Escape" && !element("panel").hidden) this.toggle(); });
  }

  acceptDrops() {
    let depth = 0;
    const show = (change) => { depth = Math.max(0, depth + change); element("drop").hidden = depth === 0; };
    addEventListener("dragenter", (event) => { event.preventDefault(); show(1); });
    addEventListener("dragleave", () => show(-1));
    addEventListener("dragover", (event) => event.preventDefault());
    addEventListener("drop", (event) => {
      event.preventDefault();
      show(-depth);
      for (const file of event.dataTransfer.files) this.actions.upload(file);
    });
  }

  /** Light, dark, or as the device has it: kept for the next visit. */
  chooseTheme() {
    const choice = element("theme"), root = document.documentElement;
    const use = (theme) => { if (theme) root.dataset.theme = theme; else delete root.dataset.theme; };
    try { choice.value = localStorage.getItem("theme") ?? ""; } catch { /* Storage may be off. */ }
    use(choice.value);
    choice.addEventListener("change", () => {
      use(choice.value);
      try { localStorage.setItem("theme", choice.value); } catch { /* Then it is for this visit. */ }
    });
  }

  /** Lists the places whose names begin like what is typed. */
  async find() {
    const text = element("places-find").value.trim();
    if (!text) return fill("places-found", []);
    const response = await fetch(`${this.actions.path("search")}?q=${encodeURIComponent(text)}`).catch(() => null);
    if (!response?.ok || text !== element("places-find").value.trim()) return;
    const found = await response.json();
    fill("places-found", found.length ? found.map((place, index) => make("li", {}, choice(`${index} ${place.name}`, () => this.goTo(place), make("span", {}, place.name), make("small", {}, place.layer))))
      : [make("li", { className: "hint" }, "No place of this name is on the map.")]);
  }

  goTo({ name, lon, lat, id, stop }) {
    const { command } = this.actions;
    fill("places-found", []);
    element("places-find").value = name;
    command({ do: "show", lon, lat, zoom: Math.max(this.zoom ?? 0, 15), fly: true });
    if (id !== undefined) command({ do: "select", id });
    else if (stop !== undefined && element("transit-on").checked) command({ do: "transit", step: "board", stop });
    element("map").focus({ preventScroll: true });
  }

  endSearch() {
    element("places-find").value = "";
    fill("places-found", []);
    element("map").focus({ preventScroll: true });
  }

  /** Lists the maps of the server. */
  showMaps(maps, current) {
    element("maps-field").hidden = maps.length < 2;
    fill("maps", maps.map(([name, title]) => make("option", { value: name }, title)));
    element("maps").value = current;
  }

  toggle() {
    const panel = element("panel"), button = element("open");
    panel.hidden = !panel.hidden;
    document.body.dataset.sheet = panel.hidden ? "" : "panel";
    button.setAttribute("aria-expanded", String(!panel.hidden));
    (panel.hidden ? button : element("shut")).focus();
  }

  fullScreen() {
    if (document.fullscreenElement) document.exitFullscreen(); else document.documentElement.requestFullscreen?.().catch(() => {});
  }

  closeFeature() {
    this.actions.command({ do: "deselect" });
    element("map").focus({ preventScroll: true });
  }

  /** Shows where the device is, follows it, or takes it off. */
  locate() {
    const { command, say } = this.actions;
    if (this.watch !== undefined) {
      navigator.geolocation.clearWatch(this.watch);
      this.watch = undefined;
      command({ do: "stopPosition" });
      return;
    }
    if (!navigator.geolocation) return say("This browser does not know where it is.");
    this.watch = navigator.geolocation.watchPosition(({ coords }) => {
      const body = { do: "position", lon: coords.longitude, lat: coords.latitude };
      if (Number.isFinite(coords.accuracy)) body.accuracy = Math.min(coords.accuracy, 1e7);
      if (Number.isFinite(coords.heading)) body.course = coords.heading;
      command(body);
    }, (error) => {
      say(error.code === error.PERMISSION_DENIED ? "The browser may not tell where it is." : "Where you are cannot be found.");
      navigator.geolocation.clearWatch(this.watch);
      this.watch = undefined;
    }, { enableHighAccuracy: true });
  }

  /** What is seen, in words. */
  text() {
    const chosen = element("feature").hidden ? "" : `: ${element("feature-title").textContent}`;
    return `${element("name").textContent}${chosen}\n${element("place").textContent}\n${this.actions.permalink()}`;
  }

  async copy(text, done) {
    try {
      await navigator.clipboard.writeText(text);
      this.actions.say(done);
    } catch { prompt("To be copied:", text); }
  }

  /** Hands text, link and picture to what the device shares with. */
  async send() {
    const share = { title: document.title, text: this.text(), url: this.actions.permalink() };
    const picture = await this.actions.keep().catch(() => null);
    const files = picture ? [new File([picture], "map.png", { type: "image/png" })] : [];
    await navigator.share(navigator.canShare?.({ ...share, files }) ? { ...share, files } : share).catch(() => {});
  }

  download(blob, name) {
    const url = URL.createObjectURL(blob);
    make("a", { href: url, download: name }).click();
    setTimeout(() => URL.revokeObjectURL(url), 10000);
  }

  /** Shows what the server tells of the map. */
  show(state) {
    document.title = state.title;
    element("name").textContent = state.title;
    element("attribution").textContent = state.attribution;
    element("back").disabled = !state.canGoBack;
    element("forward").disabled = !state.canGoForward;
    element("locate").setAttribute("aria-pressed", String(state.position));
    this.showLayers(state.layers);
    this.showPlaces(state.places, state.selected?.id);
    this.showFeature(state.selected);
    element("messages-section").hidden = state.messages.length === 0;
    element("messages").replaceChildren(...state.messages.slice(-5).reverse().map((text) => make("li", {}, text)));
  }

  showLayers(layers) {
    const list = element("layers"), written = JSON.stringify(layers);
    // What a person is just moving stays under the hand.
    if (written === this.layers || list.contains(document.activeElement) && document.activeElement.type === "range" && this.isSliding) return;
    const focused = document.activeElement?.dataset?.key;
    this.layers = written;
    list.replaceChildren(...layers.map((layer, index) => this.row(layer, index, layers.length)));
    if (focused) list.querySelector(`[data-key="${CSS.escape(focused)}"]`)?.focus();
  }

  row(layer, index, count) {
    const { command } = this.actions, name = layer.name;
    const set = (change) => command({ do: "layer", name, ...change });
    const visible = make("input", { type: "checkbox", checked: layer.visible, onchange: (event) => set({ visible: event.target.checked }) });
    visible.dataset.key = `visible ${name}`;
    const words = layer.lost ? " (not to be reached)" : layer.inScale ? "" : " (not at this scale)";
    const opacity = make("input", {
      type: "range", min: 0, max: 100, value: Math.round(layer.opacity * 100), "aria-label": `Opacity of ${name}`,
      oninput: (event) => { this.isSliding = true; set({ opacity: event.target.value / 100 }); },
      onchange: () => { this.isSliding = false; },
    });
    opacity.dataset.key = `opacity ${name}`;
    const up = make("button", { disabled: index === 0, "aria-label": `Raise ${name}`, title: "Raise", onclick: () => set({ up: true }) }, "↑");
    const down = make("button", { disabled: index === count - 1, "aria-label": `Lower ${name}`, title: "Lower", onclick: () => set({ up: false }) }, "↓");
    up.dataset.key = `up ${name}`;
    down.dataset.key = `down ${name}`;
    const buttons = layer.own ? [make("button", { "aria-label": `Remove ${name}`, title: "Remove", onclick: () => command({ do: "remove", name }) }, "×")] : [];
    return make("li", { className: layer.lost ? "lost" : layer.inScale ? "" : "away" },
      make("label", {}, visible, name + words), make("div", { className: "row" }, opacity, up, down, ...buttons));
  }

  showPlaces(places, chosen) {
    element("places-section").hidden = places.length === 0;
    const keys = "Map. Arrow keys move it, plus and minus zoom, comma and full stop turn it, 0 turns north up, Home shows where it began";
    element("map").setAttribute("aria-label", `${keys}${places.length ? ", N and P step through places" : ""}.`);
    fill("places", places.map((place) => {
      const button = choice(place.id, () => this.actions.command({ do: "select", id: place.id }), place.title);
      button.setAttribute("aria-current", String(place.id === chosen));
      return make("li", {}, button);
    }));
  }

  showFeature(feature) {
    const article = element("feature");
    article.hidden = !feature;
    if (!feature) return void (this.told = null);
    element("feature-title").textContent = feature.title;
    element("way").textContent = feature.way ? `${feature.way} of where you are` : "";
    // On a phone, sheets take the place of each other.
    const known = `${feature.id} ${feature.title}`;
    if (this.told !== known && matchMedia("(max-width: 600px)").matches && !element("panel").hidden) this.toggle();
    this.told = known;
    element("rows").replaceChildren(...feature.rows.flatMap(([key, value]) => [make("dt", {}, key), make("dd", {}, value)]));
  }

  /** Shows where the map is; to those who listen only when it rests. */
  showView(view, isResting) {
    this.zoom = view.zoom;
    element("needle").style.transform = `rotate(${-view.bearing}deg)`;
    if (view.metersPerPixel) {
      const longest = view.metersPerPixel * 120, unit = 10 ** Math.floor(Math.log10(longest));
      const meters = [5, 2, 1].map((step) => step * unit).find((length) => length <= longest) ?? unit;
      element("bar").style.width = `${meters / view.metersPerPixel}px`;
      element("length").textContent = meters >= 1000 ? `${meters / 1000} km` : meters >= 1 ? `${meters} m` : `${Math.round(meters * 100)} cm`;
    }
    if (!isResting || view.lon === undefined) return;
    const words = `${Math.abs(view.lat).toFixed(4)}° ${view.lat < 0 ? "S" : "N"}, ${Math.abs(view.lon).toFixed(4)}° ${view.lon < 0 ? "W" : "E"} · zoom ${view.zoom.toFixed(1)}`;
    if (element("place").textContent !== words) element("place").textContent = words;
  }
}
