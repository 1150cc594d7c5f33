// What a person does with a map beside looking: measuring, going along a line, services, routes of the book, the legend.

import { choice, element, fill, make, press } from "./elements.js";

export class Tools {
  /** @param actions what the buttons do */
  constructor(actions) {
    this.actions = actions;
    const { command } = actions, measure = (step) => command({ do: "measure", step });
    const clicks = {
      "measure-length": () => measure(this.measuring === "length" ? "end" : "length"), "measure-area": () => measure(this.measuring === "area" ? "end" : "area"),
      "measure-undo": () => measure("undo"), "measure-redo": () => measure("redo"), "measure-clear": () => measure("clear"), "measure-end": () => measure("end"),
      walk: () => command({ do: "simulate", on: !this.isWalking }),
    };
    for (const [id, action] of Object.entries(clicks)) element(id).addEventListener("click", action);
    // Where a map is measured, keys end that or take the last place back.
    element("map").addEventListener("keydown", (event) => {
      if (!this.measuring || (event.key !== "Enter" && event.key !== "Backspace" && event.key !== "Escape")) return;
      event.preventDefault();
      measure(event.key === "Backspace" ? "undo" : "end");
    });
    element("legend-section").addEventListener("toggle", () => this.showLegend());
    this.listenToServices();
    let timer;
    element("routes-find").addEventListener("input", () => { clearTimeout(timer); timer = setTimeout(() => this.findRoutes(), 200); });
  }

  show(state) {
    this.measuring = state.measuring?.mode;
    press("measure-length", this.measuring === "length");
    press("measure-area", this.measuring === "area");
    element("measure-body").hidden = !state.measuring;
    if (state.measuring) this.showMeasurement(state.measuring);
    this.isWalking = state.simulating;
    press("walk", state.simulating);
    element("walk").textContent = state.simulating ? "Stop" : "Start";
    element("service-section").hidden = !state.services;
    if (state.routes && element("routes-section").hidden) {
      element("routes-section").hidden = false;
      this.findRoutes();
    }
    element("map").dataset.tool = state.tool;
    // What is explained depends on the layers.
    const layers = JSON.stringify(state.layers.map(({ name, visible, inScale }) => [name, visible, inScale]));
    if (layers !== this.explained) this.explained = layers, this.showLegend();
  }

  showMeasurement({ text, around, ways, places, canUndo, canRedo }) {
    element("measure-text").textContent = places < 2 ? "Click the map, place after place." : around ? `${text}, ${around} around` : text;
    fill("measure-ways", ways.map(([length, bearing]) => make("li", {}, `${length} towards ${bearing}°`)));
    element("measure-undo").disabled = !canUndo;
    element("measure-redo").disabled = !canRedo;
    element("measure-clear").disabled = places === 0;
  }

  async showLegend() {
    if (!element("legend-section").open) return;
    const response = await fetch(this.actions.path("legend")).catch(() => null);
    if (!response?.ok) return;
    if (response.status === 204) return fill("legend", [make("p", { className: "hint" }, "Nothing here needs to be explained.")]);
    const image = make("img", { src: URL.createObjectURL(await response.blob()), alt: "Legend" });
    image.onload = () => { image.width = image.naturalWidth / this.actions.ratio(); URL.revokeObjectURL(image.src); };
    fill("legend", [image]);
  }

  // MARK: Services

  listenToServices() {
    const kind = element("service-kind"), url = element("service-url"), layer = element("service-layer");
    const reset = () => { element("service-layers").hidden = true; element("service-go").textContent = ["xyz", "features"].includes(kind.value) ? "Add" : "Look"; };
    kind.addEventListener("change", reset);
    url.addEventListener("input", reset);
    element("service").addEventListener("submit", async (event) => {
      event.preventDefault();
      const isChosen = !element("service-layers").hidden;
      this.actions.say("Asking the service …", true);
      try {
        const answer = await this.actions.call("service", { kind: kind.value, url: url.value, ...(isChosen && { layers: layer.value }) });
        this.actions.say("");
        if (!answer) return reset();
        if (!answer.layers.length) return this.actions.say("The service has no layers.");
        layer.replaceChildren(...answer.layers.map(([name, title]) => make("option", { value: name }, title)));
        element("service-layers").hidden = false;
        element("service-go").textContent = "Add";
        layer.focus();
      } catch (error) { this.actions.say(error.message); }
    });
  }

  // MARK: Routes

  async findRoutes() {
    const text = element("routes-find").value;
    const response = await fetch(`../routes?limit=200${text ? `&q=${encodeURIComponent(text)}` : ""}`).catch(() => null);
    if (!response?.ok) return;
    const { routes } = await response.json();
    fill("routes", routes.length ? routes.map((route) => make("li", {}, choice(route.id, () => this.actions.command({ do: "route", id: route.id }),
      make("span", {}, route.name), make("small", {}, facts(route))))) : [make("li", { className: "hint" }, "There are no such routes.")]);
  }
}

/** What is worth knowing of a route. */
function facts({ kilometers, minutes, rating, ratings }) {
  const words = [];
  if (kilometers !== undefined) words.push(`${kilometers.toFixed(1)} km`);
  if (minutes !== undefined) words.push(`${Math.floor(minutes / 60)}:${String(Math.round(minutes % 60)).padStart(2, "0")} h`);
  if (rating !== undefined) words.push(`${rating.toFixed(1)} of 5 stars by ${ratings}`);
  return words.join(", ");
}
