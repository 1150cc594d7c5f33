// A map that the server draws: this page shows its pictures, moves them while others come, and tells what a person does.

import { Gestures } from "./gestures.js";
import { Planner, Transit } from "./journeys.js";
import { Panels } from "./panels.js";
import { Tools } from "./tools.js";

const map = document.getElementById("map"), canvas = document.getElementById("picture");
const notice = document.getElementById("notice"), busy = document.getElementById("busy"), box = document.getElementById("box");
const name = decodeURIComponent(location.pathname.split("/").filter(Boolean).pop());
const still = matchMedia("(prefers-reduced-motion: reduce)");

let session = null;
/** What the server told last, and what the canvas shows. */
let frame = { n: 0 }, shown = null, state = 0, layersToKeep = null;
let busySince = null, drawn = false;
/** What a person has put on the map, for a server that forgets it: files, and what was asked for of services and routes. */
const uploads = [], requests = [];

const api = (path) => `../session/${session}/${path}`;

/** What a server that answers has against a request. */
async function complaint(response) {
  const problem = await response.json().catch(() => ({}));
  return Object.assign(new Error(problem.detail ?? `The server answers ${response.status}`), { status: response.status });
}

async function call(path, body) {
  const text = JSON.stringify(body), response = await fetch(api(path), { method: "POST", body: text });
  if (!response.ok) throw await complaint(response);
  if (lasts(path, body) && !requests.some((request) => request.text === text)) requests.push({ path, text });
  return response.status === 204 ? null : response.json();
}

/** Whether something asked for stays on the map. */
const lasts = (path, body) => path === "service" ? body.layers !== undefined || ["xyz", "features"].includes(body.kind)
  : path === "command" && (body.do === "route" || body.do === "transit" && body.step === "show" && body.on);

const gestures = new Gestures(map, async (batch) => {
  const answer = await call("input", batch);
  for (const each of answer.boxes) showBox(each);
}, () => { arrange(); tellRest(); });

const actions = {
  command: (body) => call("command", body).catch((error) => say(error.message)),
  call, path: api,
  press: (key) => gestures.press(key),
  upload: (file) => upload(file),
  say: (text, stays) => say(text, stays),
  permalink: () => location.href,
  picture: () => save(),
  keep: async () => (await fetch(api("picture"))).blob(),
  ratio: () => Math.min(devicePixelRatio || 1, 4),
  download: (blob, name) => panels.download(blob, name),
};
const panels = new Panels(actions), tools = new Tools(actions), planner = new Planner(actions), transit = new Transit(actions);

function showBox({ x0, y0, x1, y1, shown }) {
  box.hidden = !shown;
  Object.assign(box.style, {
    left: `${Math.min(x0, x1)}px`, top: `${Math.min(y0, y1)}px`, width: `${Math.abs(x1 - x0)}px`, height: `${Math.abs(y1 - y0)}px`,
  });
}

let noticeTimer;
/** Tells something for some seconds, or until something else is told. */
function say(text, stays = false) {
  clearTimeout(noticeTimer);
  notice.textContent = text;
  notice.hidden = !text;
  if (text && !stays) noticeTimer = setTimeout(() => (notice.hidden = true), 6000);
}

// MARK: - The session

function size() {
  const frame = map.getBoundingClientRect();
  return { width: Math.max(1, Math.round(frame.width)), height: Math.max(1, Math.round(frame.height)) };
}

/** The view that the address of the page names: `#zoom/latitude/longitude/bearing`. */
function viewOfAddress() {
  const parts = location.hash.slice(1).split("/").map(Number);
  if (parts.length < 3 || parts.some((part) => !Number.isFinite(part))) return null;
  return { zoom: parts[0], lat: parts[1], lon: parts[2], bearing: parts[3] ?? 0 };
}

async function begin() {
  const view = viewOfAddress() ?? (frame.view?.lon === undefined ? null : {
    zoom: frame.view.zoom, lat: frame.view.lat, lon: frame.view.lon, bearing: frame.view.bearing,
  });
  const response = await fetch(name, {
    method: "POST", body: JSON.stringify({ ...size(), ratio: Math.min(devicePixelRatio || 1, 4), reducedMotion: still.matches, ...view }),
  });
  if (!response.ok) throw await complaint(response);
  const opened = await response.json();
  session = opened.session;
  gestures.restart();
  frame = { n: 0 };
  if (shown) shown.number = 0;
  state = opened.state;
  // What a person had set before the server was lost.
  const own = uploads.filter((file) => layersToKeep?.some((layer) => layer.name === file.name));
  for (const file of own) await fetch(`${api("features")}?fit=no&name=${encodeURIComponent(file.name)}`, { method: "POST", body: file });
  for (const request of requests) await fetch(api(request.path), { method: "POST", body: request.text }).catch(() => {});
  for (const layer of layersToKeep ?? []) {
    if (layer.own && !own.some((file) => file.name === layer.name)) continue;
    await call("command", { do: "layer", name: layer.name, visible: layer.visible, opacity: layer.opacity }).catch(() => {});
  }
  tellState(opened);
}

/** Asks for what is newer, again and again; begins anew when the server was lost. */
async function follow() {
  let pause = 0;
  for (;;) {
    try {
      if (!session) await begin();
      const response = await fetch(`${api("frame")}?after=${frame.n}&picture=${shown?.number ?? 0}`);
      if (response.status === 404) { session = null; continue; }
      if (!response.ok) throw await complaint(response);
      const head = JSON.parse(response.headers.get("Portolan-Frame"));
      const picture = response.status === 200 ? await createImageBitmap(await response.blob()) : null;
      if (pause) say("");
      pause = 0;
      take(head, picture);
    } catch (error) {
      document.body.dataset.connected = "false";
      pause = Math.min(Math.max(pause * 2, 500), 8000);
      say(`Reconnecting … ${error instanceof TypeError ? "" : error.message}`, true);
      await new Promise((done) => setTimeout(done, pause));
      if (pause > 2000) session = null;
    }
  }
}

function take(head, picture) {
  frame = head;
  document.body.dataset.connected = "true";
  gestures.acknowledge(head.ack);
  if (picture) {
    shown = { number: head.pictureNumber, view: head.picture };
    canvas.width = picture.width;
    canvas.height = picture.height;
    canvas.style.width = `${head.picture.width}px`;
    canvas.style.height = `${head.picture.height}px`;
    canvas.getContext("2d").drawImage(picture, 0, 0);
    picture.close();
    drawn = true;
  }
  arrange();
  tellRest();
  if (head.state !== state) askState();
}

/** Tells, the page and those who listen, whether the map rests and its picture is whole. */
function tellRest() {
  const isSettled = Boolean(frame.final) && drawn && !gestures.isPending && frame.pictureNumber === shown?.number;
  document.body.dataset.settled = String(isSettled);
  map.setAttribute("aria-busy", String(!isSettled));
  busySince = isSettled ? null : busySince ?? performance.now();
  if (isSettled) busy.hidden = true;
  if (!frame.view) return;
  panels.showView(frame.view, isSettled);
  if (isSettled && frame.view.lon !== undefined) rememberView(frame.view);
}

setInterval(() => { busy.hidden = busySince === null || performance.now() - busySince < 1000; }, 250);

let isAsking = false;
async function askState() {
  if (isAsking) return;
  isAsking = true;
  try {
    const response = await fetch(api("state"));
    if (response.ok) tellState(await response.json());
  } catch { /* The loop over frames tells of lost servers. */ }
  isAsking = false;
  if (frame.state > state) askState();
}

function tellState(told) {
  state = told.state;
  layersToKeep = told.layers;
  panels.show(told);
  tools.show(told);
  planner.show(told.plan, told.tool);
  transit.show(told.transit, told.tool);
}

function rememberView({ zoom, lat, lon, bearing }) {
  const digits = Math.max(0, Math.ceil(zoom / 3.3) + 1);
  const hash = `#${+zoom.toFixed(2)}/${lat.toFixed(digits)}/${lon.toFixed(digits)}${bearing ? `/${+bearing.toFixed(1)}` : ""}`;
  if (location.hash !== hash) history.replaceState(null, "", hash);
}

// MARK: - The picture

/** Puts the picture where the map is now, and where a hand has moved it since. */
function arrange() {
  if (!shown || !frame.view) return;
  const { view } = frame, old = shown.view;
  let dx = old.x - view.x;
  if (view.world && Math.abs(dx) > view.world / 2) dx -= Math.sign(dx) * view.world;
  const dy = old.y - view.y, turn = (view.bearing * Math.PI) / 180, cosine = Math.cos(turn), sine = Math.sin(turn);
  // The middle of the picture on the screen.
  const x = view.width / 2 + (dx * cosine - dy * sine) / view.resolution;
  const y = view.height / 2 - (dx * sine + dy * cosine) / view.resolution;
  const scale = old.resolution / view.resolution, hand = gestures.foretold;
  const moved = (x, y) => [(x - hand.aboutX) * hand.scale + hand.aboutX + hand.x, (y - hand.aboutY) * hand.scale + hand.aboutY + hand.y];
  const [left, top] = moved(x, y);
  // The closing translation brings the picture's own middle to that place.
  canvas.style.transform = `translate(${left}px, ${top}px) rotate(${old.bearing - view.bearing}deg) scale(${scale * hand.scale}) translate(${-old.width / 2}px, ${-old.height / 2}px)`;
}

async function save() {
  const response = await fetch(api("picture"));
  if (response.ok) panels.download(await response.blob(), `${name}.png`); else say("The picture cannot be drawn now.");
}

async function upload(file) {
  say(`Reading ${file.name} …`, true);
  try {
    const response = await fetch(`${api("features")}?name=${encodeURIComponent(file.name)}`, { method: "POST", body: file });
    if (!response.ok) throw await complaint(response);
    uploads.push(file);
    say("");
  } catch (error) { say(error.message); }
}

// MARK: - The page

new ResizeObserver(() => { if (session) call("command", { do: "resize", ...size() }).catch(() => {}); }).observe(map);

addEventListener("keydown", (event) => {
  if (!event.altKey || (event.key !== "ArrowLeft" && event.key !== "ArrowRight")) return;
  event.preventDefault();
  call("command", { do: event.key === "ArrowLeft" ? "back" : "forward" }).catch(() => {});
});
addEventListener("hashchange", () => {
  const view = viewOfAddress();
  if (view && session) call("command", { do: "show", ...view }).catch((error) => say(error.message));
});
addEventListener("pagehide", () => { if (session) fetch(api("").slice(0, -1), { method: "DELETE", keepalive: true }).catch(() => {}); });
addEventListener("pageshow", (event) => { if (event.persisted) session = null; });

follow();
