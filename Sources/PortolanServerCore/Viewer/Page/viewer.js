// A map that the server draws: this page composes what the server sends of it, moves that at once, and tells what a person does.

import { Gestures } from "./gestures.js";
import { Ground } from "./ground.js";
import { Planner, Transit } from "./journeys.js";
import { Marks } from "./marks.js";
import { Panels } from "./panels.js";
import { Tools } from "./tools.js";

const map = document.getElementById("map"), canvas = document.getElementById("picture");
const notice = document.getElementById("notice"), busy = document.getElementById("busy"), box = document.getElementById("box");
const name = decodeURIComponent(location.pathname.split("/").filter(Boolean).pop());
const still = matchMedia("(prefers-reduced-motion: reduce)");

let session = null;
/** What the server told last, and its picture: what the page does not draw itself. */
let frame = { n: 0 }, shown = null, state = 0, layersToKeep = null;
/** When the map came to its scale. */
let scaled = { resolution: 0, time: 0 };
/** The time between two questions for news while the map moves, in milliseconds. */
const PACE = 25;
let busySince = null, drawn = false, isOpened = false, choosing = 0;
/** The part of the address after `#` that was last read or written here; another one is a person's, and is read before it is replaced. */
let knownAddress = location.hash;
/** The number of the frame that shows the view of a person's address; until then the address stays. */
let awaitedFrame = 0;
/** Whether each published layer is shown at first, and what differs from that for the link. */
const usual = new Map();
let choices = "";
/** The largest file that the server takes, in bytes. */
let limit = Infinity;
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

const ground = new Ground({
  url: (parameters) => `${encodeURIComponent(name)}/ground?${parameters}`,
  headers: () => (session ? { "Portolan-Session": session } : {}),
  changed: () => { wantGround(); arrange(); tellRest(); },
  missing: (text) => say(text ? `A part of the map is missing: ${text}` : "Parts of the map are missing; they are asked for again."),
  outdated: () => { session = null; },
});
const marks = new Marks(document.getElementById("marks"), { still, badge: async (parameters) => {
  const response = await fetch(api(`badge?${parameters}`));
  if (!response.ok) throw await complaint(response);
  return createImageBitmap(await response.blob());
} });

const actions = {
  command: (body) => call("command", body).catch((error) => say(error.message)),
  call, path: api,
  press: (key) => gestures.press(key),
  upload: (file) => upload(file),
  say: (text, stays, isAdvice) => say(text, stays, isAdvice),
  permalink: () => location.href,
  picture: (format) => save(format),
  openMap: (other) => { if (other !== name) location.href = `${encodeURIComponent(other)}${location.search}`; },
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
function say(text, stays = false, isAdvice = false) {
  clearTimeout(noticeTimer);
  notice.classList.toggle("advice", isAdvice);
  notice.textContent = text;
  notice.hidden = !text;
  if (text && !stays) noticeTimer = setTimeout(() => (notice.hidden = true), 6000);
}

// MARK: - The session

function size() {
  const frame = map.getBoundingClientRect();
  return { width: Math.max(1, Math.round(frame.width)), height: Math.max(1, Math.round(frame.height)) };
}

/** The view that the address of the page names: `#zoom/latitude/longitude/bearing`, and after `?` what is shown and selected. */
function viewOfAddress() {
  const text = location.hash.slice(1).split("?")[0];
  if (!text) return null;
  const [zoom, lat, lon, bearing = 0, ...rest] = text.split("/").map(Number);
  if (rest.length || !(zoom >= 0 && zoom <= 30 && Math.abs(lat) <= 90 && Math.abs(lon) <= 360 && Math.abs(bearing) <= 360)) {
    say("The address of this page names no place on the map; the whole map is shown.");
    return null;
  }
  return { zoom, lat, lon, bearing };
}

/** Which layers the address switches on or off, and which feature it selects. */
function choicesOfAddress() {
  const parameters = new URLSearchParams(location.hash.split("?")[1] ?? "");
  const selected = parameters.get("selected");
  let id = selected;
  try { id = selected === null ? null : JSON.parse(selected); } catch { /* It is a plain text. */ }
  return { off: parameters.getAll("off"), on: parameters.getAll("on"), id };
}

/** Shows the map as the address has it, as far as the server knows it. */
async function useChoices(layers) {
  choosing += 1;
  const { off, on, id } = choicesOfAddress(), known = new Map(layers.map((layer) => [layer.name, layer.visible]));
  const set = (name, visible) => call("command", { do: "layer", name, visible }).catch(() => {});
  for (const name of off) if (known.get(name)) await set(name, false);
  for (const name of on) if (known.get(name) === false) await set(name, true);
  if (id !== null) await call("command", { do: "select", id }).catch(() => say("The selected feature is no longer on the map."));
  const told = await fetch(api("state")).then((response) => response.ok ? response.json() : null).catch(() => null);
  choosing -= 1;
  if (told) tellState(told);
}

async function begin() {
  const view = viewOfAddress() ?? (frame.view?.lon === undefined ? null : {
    zoom: frame.view.zoom, lat: frame.view.lat, lon: frame.view.lon, bearing: frame.view.bearing,
  });
  const response = await fetch(name, {
    method: "POST", body: JSON.stringify({ ...size(), ratio: Math.min(devicePixelRatio || 1, 4), reducedMotion: still.matches, draws: ["ground", "vehicles", "position"], ...view }),
  });
  if (!response.ok) throw await complaint(response);
  const opened = await response.json();
  session = opened.session;
  gestures.restart();
  frame = { n: 0 };
  awaitedFrame = 0;
  if (shown) shown.number = 0;
  marks.clear();
  state = opened.state;
  // What a person had set before the server was lost.
  const own = uploads.filter((file) => layersToKeep?.some((layer) => layer.name === file.name));
  for (const file of own) await fetch(`${api("features")}?fit=no&name=${encodeURIComponent(file.name)}`, { method: "POST", body: file });
  for (const request of requests) await fetch(api(request.path), { method: "POST", body: request.text }).catch(() => {});
  for (const layer of layersToKeep ?? []) {
    if (layer.own && !own.some((file) => file.name === layer.name)) continue;
    await call("command", { do: "layer", name: layer.name, visible: layer.visible, opacity: layer.opacity }).catch(() => {});
  }
  for (const layer of opened.layers) if (!layer.own && !usual.has(layer.name)) usual.set(layer.name, layer.visible);
  limit = opened.uploadLimit ?? limit;
  if (opened.maps) panels.showMaps(opened.maps, name);
  tellState(opened);
  if (!isOpened) await useChoices(opened.layers);
  isOpened = true;
}

/** Asks for what is newer, again and again; begins anew when the server was lost. */
async function follow() {
  let pause = 0;
  for (;;) {
    try {
      if (!session) await begin();
      const asked = performance.now();
      const response = await fetch(`${api("frame")}?after=${frame.n}&picture=${shown?.number ?? 0}&quality=${ground.quality}`, { headers: { Accept: "image/webp, image/png" } });
      if (response.status === 404) { session = null; continue; }
      if (!response.ok) throw await complaint(response);
      const head = JSON.parse(response.headers.get("Portolan-Frame"));
      const picture = response.status === 200 ? await createImageBitmap(await response.blob()) : null;
      if (pause) say("");
      pause = 0;
      take(head, picture);
      const early = PACE - (performance.now() - asked);
      if (early > 0) await new Promise((done) => setTimeout(done, early));
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
  if (head.n >= awaitedFrame) awaitedFrame = 0;
  document.body.dataset.connected = "true";
  gestures.acknowledge(head.ack);
  if (head.patch) takePicture(head, picture);
  if (head.picture) drawn = true;
  if (head.view.resolution !== scaled.resolution) scaled = { resolution: head.view.resolution, time: performance.now() };
  marks.here = head.here ?? null;
  wantGround();
  arrange();
  tellRest();
  if (head.state !== state) askState();
}

/** Puts what is new of the picture over what was there. */
function takePicture({ patch, picture: view, pictureNumber: number }, image) {
  const layer = shown?.layer ?? document.createElement("canvas"), context = layer.getContext("2d");
  const width = Math.round(view.width * view.ratio), height = Math.round(view.height * view.ratio);
  if (patch === "empty" || patch.fresh || layer.width !== width || layer.height !== height) { layer.width = width; layer.height = height; }
  if (image) {
    context.clearRect(patch.x, patch.y, patch.width, patch.height);
    context.drawImage(image, patch.x, patch.y);
    image.close();
  }
  shown = { number, view, layer };
}

/** Requests the blocks that the view lacks, and those of the view where the map will rest. */
function wantGround() {
  const { view, goal } = frame;
  if (!view || !frame.ground) return;
  if (goal && !goal.bearing) return ground.want(goal.resolution === view.resolution ? [view, { ...view, ...goal }] : [{ ...view, ...goal }], frame.ground.off);
  if (view.bearing || goal) return;
  // A hand that pinches passes many scales.
  const rested = performance.now() - scaled.time;
  if (!frame.final && rested < 150) return void setTimeout(wantGround, 160 - rested);
  ground.want([frame.final ? view : { ...view, margin: 2 }], frame.ground.off);
}

/** Whether the canvas shows all of the view. */
const isGroundComplete = () => !frame.ground?.on || ground.isComplete(frame.view, frame.ground.off);

/** Tells, the page and those who listen, whether the map rests and its picture is whole. */
function tellRest() {
  const isSettled = Boolean(frame.final) && drawn && !gestures.isPending && frame.pictureNumber === shown?.number && isGroundComplete();
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
  if (told.state < state) return;
  state = told.state;
  layersToKeep = told.layers;
  ground.setSquares(told.squares);
  wantGround();
  followMarks(Boolean(told.transit?.shown && told.transit.vehicles));
  panels.show(told);
  rememberChoices(told);
  tools.show(told);
  planner.show(told.plan, told.tool);
  transit.show(told.transit, told.tool);
}

function rememberView({ zoom, lat, lon, bearing }) {
  if (choosing || !isOpened || awaitedFrame || location.hash !== knownAddress) return;
  const digits = Math.max(0, Math.ceil(zoom / 3.3) + 1);
  const hash = `#${+zoom.toFixed(2)}/${lat.toFixed(digits)}/${lon.toFixed(digits)}${bearing || choices ? `/${+bearing.toFixed(1)}` : ""}${choices}`;
  if (location.hash === hash) return;
  history.replaceState(null, "", hash);
  knownAddress = location.hash;
  showEmbed();
}

/** Notes what the link is to tell besides the view. */
function rememberChoices({ layers, selected }) {
  const parameters = new URLSearchParams();
  for (const { name, visible } of layers) if (usual.has(name) && usual.get(name) !== visible) parameters.append(visible ? "on" : "off", name);
  if (selected?.id !== undefined && !selected.moves) parameters.set("selected", typeof selected.id === "string" && !/^[\d"[{]|^(true|false|null)$/.test(selected.id) ? selected.id : JSON.stringify(selected.id));
  const text = parameters.toString();
  choices = text ? `?${text}` : "";
  if (frame.view?.lon !== undefined && frame.final) rememberView(frame.view);
}

/** The code with which another page shows this view. */
function showEmbed() {
  const address = new URL(location.href);
  address.searchParams.set("embed", "1");
  document.getElementById("embed").value = `<iframe src="${address.href.replaceAll("&", "&amp;").replaceAll('"', "&quot;")}" title="${document.title.replaceAll("&", "&amp;").replaceAll('"', "&quot;")}" width="640" height="400" style="border:0" allow="fullscreen" loading="lazy"></iframe>`;
}

// MARK: - Vehicles

let areMarksFollowed = false, wantsMarks = false;
/** Asks for moving vehicles, again and again, while they are shown. */
async function followMarks(isShown) {
  wantsMarks = isShown;
  if (!isShown) marks.clear();
  if (areMarksFollowed || !isShown) return;
  areMarksFollowed = true;
  while (wantsMarks) {
    try {
      const response = await fetch(`${api("moving")}?after=${marks.change}`);
      if (wantsMarks && response.status === 200) marks.take(await response.json());
      if (response.status >= 400) throw await complaint(response);
    } catch { await new Promise((done) => setTimeout(done, 1000)); }
  }
  areMarksFollowed = false;
}

// MARK: - The picture

let isArranging = false;
/** Composes the map on the canvas before the screen is next drawn. */
function arrange() {
  if (isArranging || !frame.view) return;
  isArranging = true;
  requestAnimationFrame(() => { isArranging = false; compose(); });
}

/** The view of the server, moved by what a hand has done since. */
function viewNow() {
  const { view } = frame, hand = gestures.foretold;
  if (hand.scale === 1 && !hand.x && !hand.y) return view;
  const turn = (view.bearing * Math.PI) / 180, cosine = Math.cos(turn), sine = Math.sin(turn);
  // What is to be in the middle of the screen, from the middle of the server's view.
  const dx = (view.width / 2 - hand.aboutX - hand.x) / hand.scale + hand.aboutX - view.width / 2;
  const dy = (view.height / 2 - hand.aboutY - hand.y) / hand.scale + hand.aboutY - view.height / 2;
  return { ...view, x: view.x + (dx * cosine - dy * sine) * view.resolution, y: view.y - (dx * sine + dy * cosine) * view.resolution, resolution: view.resolution / hand.scale };
}

function compose() {
  const view = viewNow(), ratio = Math.min(devicePixelRatio || 1, 4), context = canvas.getContext("2d", { alpha: false });
  const width = Math.round(view.width * ratio), height = Math.round(view.height * ratio);
  if (canvas.width !== width || canvas.height !== height) {
    canvas.width = width;
    canvas.height = height;
    canvas.style.width = `${view.width}px`;
    canvas.style.height = `${view.height}px`;
  }
  context.setTransform(1, 0, 0, 1, 0, 0);
  context.fillStyle = "#fff";
  context.fillRect(0, 0, width, height);
  if (frame.ground) ground.draw(context, view, frame.ground.off, ratio);
  if (shown) drawPicture(context, view, ratio);
  marks.show(view, ratio);
}

/** Draws the server's picture where it is in a view. */
function drawPicture(context, view, ratio) {
  const { view: old, layer } = shown;
  let dx = old.x - view.x;
  if (view.world) dx -= Math.round(dx / view.world) * view.world;
  const dy = old.y - view.y, turn = (view.bearing * Math.PI) / 180, cosine = Math.cos(turn), sine = Math.sin(turn);
  // The middle of the picture on the screen.
  const x = view.width / 2 + (dx * cosine - dy * sine) / view.resolution, y = view.height / 2 - (dx * sine + dy * cosine) / view.resolution;
  const scale = old.resolution / view.resolution, isExact = scale === 1 && old.bearing === view.bearing;
  const align = (value, side) => (isExact ? Math.round((value - side / 2) * ratio) : (value - side / 2) * ratio);
  context.setTransform(1, 0, 0, 1, align(x, old.width) + (old.width / 2) * ratio, align(y, old.height) + (old.height / 2) * ratio);
  context.rotate(((old.bearing - view.bearing) * Math.PI) / 180);
  context.imageSmoothingEnabled = !isExact || layer.width !== Math.round(old.width * ratio);
  context.drawImage(layer, (-old.width / 2) * scale * ratio, (-old.height / 2) * scale * ratio, old.width * scale * ratio, old.height * scale * ratio);
  context.setTransform(1, 0, 0, 1, 0, 0);
}

async function save(format) {
  const response = await fetch(`${api("picture")}?format=${format}`).catch(() => null);
  if (response?.ok) panels.download(await response.blob(), `${name}.${format}`); else say("The picture cannot be drawn now.");
}

async function upload(file) {
  if (file.size > limit) return say(`${file.name} has ${Math.ceil(file.size / 1e6)} MB; the limit of this server is ${Math.floor(limit / 1e6)} MB.`);
  say(`Reading ${file.name} …`, true);
  try {
    const response = await fetch(`${api("features")}?name=${encodeURIComponent(file.name)}`, { method: "POST", body: file });
    if (!response.ok) throw await complaint(response);
    uploads.push(file);
    say("");
  } catch (error) { say(error.message); }
}

// MARK: - The page

if (new URLSearchParams(location.search).has("embed")) document.documentElement.dataset.embedded = "";

new ResizeObserver(() => { if (session && !matchMedia("print").matches) call("command", { do: "resize", ...size() }).catch(() => {}); }).observe(map);

addEventListener("keydown", (event) => {
  if (!event.altKey || (event.key !== "ArrowLeft" && event.key !== "ArrowRight")) return;
  event.preventDefault();
  call("command", { do: event.key === "ArrowLeft" ? "back" : "forward" }).catch(() => {});
});
addEventListener("hashchange", () => {
  knownAddress = location.hash;
  const view = viewOfAddress();
  if (!view || !session) return;
  awaitedFrame = Infinity;
  call("command", { do: "show", ...view }).then(() => (awaitedFrame = frame.n + 1)).catch((error) => {
    awaitedFrame = 0;
    say(error.message);
  });
  if (layersToKeep) useChoices(layersToKeep);
});
addEventListener("pagehide", () => { if (session) fetch(api("").slice(0, -1), { method: "DELETE", keepalive: true }).catch(() => {}); });
addEventListener("pageshow", (event) => { if (event.persisted) session = null; });

follow();
