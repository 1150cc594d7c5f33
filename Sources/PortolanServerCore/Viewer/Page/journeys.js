// Panels of what leads from place to place: routes that are planned, and public transport.

import { choice, element, fill, make, press } from "./elements.js";

const words = { foot: "On foot", bicycle: "By bicycle", car: "By car", transit: "By public transport" };

/** The panel of the route planner. */
export class Planner {
  /** @param actions what the buttons do */
  constructor(actions) {
    this.actions = actions;
    const step = (step, more = {}) => actions.command({ do: "plan", step, ...more });
    this.step = step;
    element("plan-add").addEventListener("click", () => step(this.isAdding ? "end" : "begin"));
    element("plan-clear").addEventListener("click", () => step("clear"));
    element("plan-mode").addEventListener("change", (event) => step("travel", { mode: event.target.value }));
    element("plan-round").addEventListener("change", (event) => step("roundTrip", { on: event.target.checked }));
    element("plan-best").addEventListener("change", (event) => step("best", { on: event.target.checked }));
    element("plan-save").addEventListener("click", async () => {
      const response = await fetch(actions.path("route"));
      if (response.ok) actions.download(await response.blob(), "route.geojson");
    });
  }

  show(plan, tool) {
    element("plan-section").hidden = !plan;
    if (!plan) return;
    this.isAdding = tool === "plan";
    press("plan-add", this.isAdding);
    element("plan-hint").hidden = !this.isAdding;
    fill("plan-mode", plan.modes.map((mode) => make("option", { value: mode }, words[mode] ?? mode)));
    element("plan-mode").value = plan.mode;
    element("plan-round").checked = plan.roundTrip;
    element("plan-best").checked = plan.best;
    element("plan-facts").textContent = plan.busy ? "Looking for the way …" : plan.length ? [`${plan.length}, ${plan.time}`, ...plan.notes].join(" · ") : "";
    element("plan-fault").hidden = !plan.fault;
    element("plan-fault").textContent = plan.fault ?? "";
    element("plan-clear").disabled = plan.places.length === 0;
    const last = plan.places.length - 1;
    fill("plan-places", plan.places.map((name, index) => {
      const button = (words, sign, action, disabled) => Object.assign(choice(`${words} ${index}`, action, sign), { ariaLabel: `${words} ${name}`, title: words, disabled });
      return make("li", {}, make("div", { className: "row" }, make("span", {}, name),
        button("Earlier", "↑", () => this.step("move", { place: index, to: index - 1 }), index === 0),
        button("Later", "↓", () => this.step("move", { place: index, to: index + 1 }), index === last),
        button("Remove", "×", () => this.step("remove", { place: index }), false)));
    }));
    element("plan-steps").hidden = !plan.directions?.length;
    fill("directions", (plan.directions ?? []).map(([sentence, length]) => make("li", {}, sentence, make("small", {}, length))));
    element("plan-save").hidden = !plan.length;
  }
}

/** The panel of public transport. */
export class Transit {
  /** @param actions what the buttons do */
  constructor(actions) {
    this.actions = actions;
    const step = (step, more = {}) => actions.command({ do: "transit", step, ...more });
    this.step = step;
    const clicks = {
      nearby: () => step("nearby"), "board-shut": () => step("board"), from: () => step("from"), to: () => step("to"), "journey-clear": () => step("clear"),
      "board-from": () => step("from", { stop: this.stop }), "board-to": () => step("to", { stop: this.stop }),
      "lines-all": () => step("filter", { on: true }), "lines-none": () => step("filter", { on: false }),
    };
    for (const [id, action] of Object.entries(clicks)) element(id).addEventListener("click", action);
    element("transit-on").addEventListener("change", (event) => step("show", { on: event.target.checked }));
    let timer;
    element("stops-find").addEventListener("input", () => { clearTimeout(timer); timer = setTimeout(() => this.find(), 200); });
  }

  async find() {
    const text = element("stops-find").value.trim();
    if (!text) return fill("stops-found", []);
    const response = await fetch(`${this.actions.path("found")}?q=${encodeURIComponent(text)}`).catch(() => null);
    if (!response?.ok) return;
    const found = await response.json();
    fill("stops-found", found.length ? found.map((each) => make("li", {}, each.stop
      ? choice(each.stop, () => this.step("board", { stop: each.stop }), make("span", {}, each.name), make("small", {}, each.code))
      : make("div", { className: "row" }, badge(each.name, each.color), make("span", {}, each.code)))) : [make("li", { className: "hint" }, "Nothing is called so.")]);
  }

  show(transit, tool) {
    element("transit-section").hidden = !transit;
    if (!transit) return;
    element("transit-on").checked = transit.shown;
    element("transit-body").hidden = !transit.shown;
    if (!transit.shown) return;
    fill("notices", transit.notices.map((text) => make("li", {}, text)));
    fill("stops-nearby", transit.nearby.map(({ id, name, meters }) => make("li", {}, choice(id, () => this.step("board", { stop: id }), make("span", {}, name), make("small", {}, `${meters} m`)))));
    this.showBoard(transit.board);
    element("from").textContent = transit.from ? `From ${transit.from}` : "From …";
    element("to").textContent = transit.to ? `To ${transit.to}` : "To …";
    press("from", tool === "from");
    press("to", tool === "to");
    if (tool !== this.tool) this.actions.say(tool === "from" || tool === "to" ? `Click the map where the journey ${tool === "from" ? "begins" : "ends"}.` : "", false, true);
    this.tool = tool;
    element("journey-fault").hidden = !transit.fault;
    element("journey-fault").textContent = transit.fault ?? "";
    fill("journeys", (transit.journeys ?? []).map((journey, index) => {
      const button = choice(`${index} ${journey.departure}`, () => this.step("choose", { journey: index }), ...card(journey));
      button.setAttribute("aria-current", String(index === transit.chosen));
      return make("li", {}, button);
    }));
    fill("lines", transit.lines.map(({ id, name, title, color, shown }) => {
      const box = make("input", { type: "checkbox", "data-id": id, onchange: (event) => this.step("filter", { line: id, on: event.target.checked }) });
      box.toggleAttribute("checked", shown);
      return make("li", {}, make("label", { className: "switch" }, box, badge(name, color), make("span", {}, title)));
    }));
  }

  showBoard(board) {
    element("board").hidden = !board;
    if (!board) return;
    this.stop = board.id;
    element("board-title").textContent = board.name;
    fill("board-rows", board.rows.length ? board.rows.map((row) => make("tr", { className: row.state ? "gone" : "" },
      make("td", {}, badge(row.line, row.color)), make("td", {}, row.headsign + (row.platform ? ` (${row.platform})` : "")),
      make("td", { className: row.live ? "live" : "" }, row.state ?? (row.minutes < 30 ? `${row.minutes} min` : row.clock), row.delay ? make("small", {}, ` ${row.delay > 0 ? "+" : "−"}${Math.abs(row.delay)}`) : "")))
      : [make("tr", {}, make("td", {}, board.covered ? "Nothing leaves here in the next hours." : "The timetable does not cover this day."))]);
  }
}

/** The name of a line in its colour. */
function badge(name, color) {
  const made = make("span", { className: "badge" }, name);
  made.style.setProperty("--line", color);
  const [red, green, blue] = [1, 3, 5].map((place) => parseInt(color.slice(place, place + 2), 16));
  made.classList.toggle("light", 299 * red + 587 * green + 114 * blue > 180000);
  return made;
}

/** A journey on a card: when, how long, and by what. */
function card({ departure, arrival, minutes, changes, legs }) {
  const ways = legs.map((leg) => leg.mode === "walk" ? make("span", { className: "walk" }, `${leg.minutes} min walk`) : badge(leg.line, leg.color));
  const told = legs.filter((leg) => leg.mode !== "walk").map((leg) => make("small", {}, `${leg.departure} ${leg.from} – ${leg.arrival} ${leg.to}`));
  return [make("span", {}, make("strong", {}, `${departure} – ${arrival}`), ` ${minutes} min${changes ? `, ${changes} change${changes > 1 ? "s" : ""}` : ""}`), make("span", { className: "ways" }, ...ways), ...told];
}
