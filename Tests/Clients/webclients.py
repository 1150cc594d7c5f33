#!/usr/bin/python3
"""Shows maps of portolan-server with Leaflet, OpenLayers and MapLibre GL JS in a browser, and compares the pixels.

usage: webclients.py SERVER PYTHON [PICTURES]

SERVER is the built program, PYTHON one that has pip, which fetches the clients from PyPI: Leaflet 1.9.3, OpenLayers 10.7 and
MapLibre GL JS 5.3. Screenshots go into the folder PICTURES. Needs Debian's chromium, chromium-driver, python3-selenium,
python3-numpy and python3-pil.
A picture must be that of the server's own tiles; the console of a page must be empty.
"""
import functools, http.server, io, json, os, pathlib, subprocess, sys, tempfile, threading, time, urllib.request, zipfile

import numpy
from PIL import Image
from selenium import webdriver
from selenium.webdriver.support.ui import WebDriverWait

server_path = os.path.abspath(sys.argv[1])
python = sys.argv[2]
pictures = pathlib.Path(sys.argv[3]) if len(sys.argv) > 3 else None
root = pathlib.Path(__file__).resolve().parents[2]
fixtures = root / "Fixtures"
packages = {"xstatic-leaflet": "1.9.3.0", "pyopenlayersqt": "0.21.0", "maplibre": "0.3.6"}
failures = 0

# Each page sets `done` once its map is complete. The view is 512 pixels square around 0, 0 at the level 2 of 256-pixel tiles.
leaflet = """const map = L.map('map', {center: [0, 0], zoom: 2, zoomControl: false, attributionControl: false, fadeAnimation: false});
const layer = %s; layer.on('load', () => done = true); layer.addTo(map);"""
openlayers = """const map = new ol.Map({target: 'map', controls: [], pixelRatio: 1, view: new ol.View({center: [0, 0], resolution: 156543.03392804097 / 4})});
map.on('rendercomplete', () => done = ready); let ready = true; const add = (source) => map.addLayer(new ol.layer.Tile({source})); %s"""
maplibre = """const map = new maplibregl.Map({container: 'map', center: [0, 0], zoom: 1, attributionControl: false, fadeDuration: 0,
interactive: false, style: %s}); map.on('error', (event) => console.error(event.error)); map.on('idle', () => done = true);"""
tiles = "{base}tiles/world/{z}/{x}/{y}.png"
wmts = """ready = false; fetch('{base}wmts/1.0.0/WMTSCapabilities.xml').then((response) => response.text()).then((text) => {
 const read = new ol.format.WMTSCapabilities().read(text);
 const options = ol.source.WMTS.optionsFromCapabilities(read, {layer: 'world', matrixSet: 'WebMercatorQuad', format: 'image/png'});
 ready = true; add(new ol.source.WMTS(options)); });"""
cases = [
    ("Leaflet, XYZ", leaflet % f"L.tileLayer('{tiles}')", "world"),
    ("Leaflet, TMS", leaflet % "L.tileLayer('{base}tms/1.0.0/world/{z}/{x}/{y}.png', {tms: true})", "world"),
    ("Leaflet, WMS 1.1.1", leaflet % "L.tileLayer.wms('{base}wms', {layers: 'world', format: 'image/png'})", "world"),
    ("Leaflet, WMS 1.3.0", leaflet % "L.tileLayer.wms('{base}wms', {layers: 'world', format: 'image/png', version: '1.3.0'})", "world"),
    ("OpenLayers, XYZ", openlayers % f"add(new ol.source.XYZ({{url: '{tiles}'}}));", "world"),
    ("OpenLayers, TileJSON", openlayers % "add(new ol.source.TileJSON({url: '{base}tilejson/world.json', crossOrigin: ''}));", "world"),
    ("OpenLayers, TileJSON of tileserver-gl",
     openlayers % "add(new ol.source.TileJSON({url: '{base}styles/world.json', crossOrigin: ''}));", "world"),
    ("OpenLayers, WMS in tiles", openlayers % "add(new ol.source.TileWMS({url: '{base}wms', params: {LAYERS: 'world'}}));", "world"),
    ("OpenLayers, WMS in one picture",
     openlayers % "map.addLayer(new ol.layer.Image({source: new ol.source.ImageWMS({url: '{base}wms', params: {LAYERS: 'world'}})}));",
     "world"),
    ("OpenLayers, WMTS", openlayers % wmts, "world"),
    ("OpenLayers, OGC API - Tiles",
     openlayers % "add(new ol.source.OGCMapTile({url: '{base}ogc/collections/world/map/tiles/WebMercatorQuad', mediaType: 'image/png'}));",
     "world"),
    ("OpenLayers, OGC API - Tiles whose levels begin at 2",
     openlayers % "add(new ol.source.OGCMapTile({url: '{base}ogc/collections/high/map/tiles/WebMercatorQuad', mediaType: 'image/png'}));",
     "world"),
    ("MapLibre GL JS, XYZ", maplibre % f"""{{version: 8, sources: {{a: {{type: 'raster', tiles: ['{tiles}'], tileSize: 256}}}},
     layers: [{{id: 'a', type: 'raster', source: 'a'}}]}}""", "world"),
    ("MapLibre GL JS, TileJSON", maplibre % """{version: 8, sources: {a: {type: 'raster', url: '{base}tilejson/world.json', tileSize: 256}},
     layers: [{id: 'a', type: 'raster', source: 'a'}]}""", "world"),
    ("MapLibre GL JS, style of drawn tiles", maplibre % "'{base}styles/world/style.json'", "world"),
    ("MapLibre GL JS, style of Mapbox's path", maplibre % "'{base}styles/v1/me/world'", "world"),
    ("MapLibre GL JS, style of vector tiles", """const map = new maplibregl.Map({container: 'map', center: [24.94, 60.17], zoom: 13,
     attributionControl: false, fadeDuration: 0, interactive: false, style: '{base}styles/city/style.json'});
     map.on('error', (event) => console.error(event.error)); map.on('idle', () => done = true);""", "city"),
    ("OpenLayers, vector tiles", """const map = new ol.Map({target: 'map', controls: [], pixelRatio: 1, view: new ol.View({
     center: ol.proj.fromLonLat([24.94, 60.17]), resolution: 156543.03392804097 / 2 ** 14})});
     map.on('rendercomplete', () => done = true);
     map.addLayer(new ol.layer.VectorTile({background: '#f4f1ec', source: new ol.source.VectorTile({
       url: '{base}data/city/{z}/{x}/{y}.pbf', format: new ol.format.MVT({layers: ['landuse']}), maxZoom: 14,
       tileGrid: ol.tilegrid.createXYZ({maxZoom: 14, tileSize: 512})}),
       style: {'fill-color': '#60a060'}}));""", "city"),
]
heads = {
    "Leaflet": "<link rel=stylesheet href=leaflet.css><script src=leaflet.js></script>",
    "OpenLayers": "<link rel=stylesheet href=ol.css><script src=ol.js></script>",
    "MapLibre": "<link rel=stylesheet href=maplibre-gl.css><script src=maplibre-gl.js></script>",
}


def install(folder):
    """The scripts and style sheets of the clients in a folder."""
    wanted = {"leaflet.js", "leaflet.css", "ol.js", "ol.css", "maplibre-gl.js", "maplibre-gl.css"}
    if not all((folder / name).exists() for name in wanted):
        folder.mkdir(parents=True, exist_ok=True)
        names = [f"{name}=={version}" for name, version in packages.items()]
        subprocess.run([python, "-m", "pip", "download", "-q", "--no-deps", "--disable-pip-version-check", "-d", str(folder),
                        *names], check=True)
        for path in folder.glob("*"):
            if path.suffix == ".whl":
                with zipfile.ZipFile(path) as archive:
                    for entry in archive.namelist():
                        if pathlib.PurePath(entry).name in wanted:
                            (folder / pathlib.PurePath(entry).name).write_bytes(archive.read(entry))
    return folder


def told(words, is_right, more=""):
    global failures
    failures += not is_right
    print("ok  " if is_right else "FAIL", words, more if not is_right else "", flush=True)


def picture(data):
    return numpy.asarray(Image.open(io.BytesIO(data)).convert("RGB")).astype(int)


def fetched(address):
    with urllib.request.urlopen(address, timeout=120) as response:
        return picture(response.read())


def compared(shown, wanted, kind):
    """The share of pixels that differ, and whether the pictures are the same map."""
    if kind == "world":
        share = float((numpy.abs(shown - wanted).max(axis=2) > 24).mean())
        return share, share < 0.01
    # Edges and the joints of tiles are drawn otherwise; the areas are in the same places.
    areas = [numpy.abs(image - numpy.array([0x60, 0xA0, 0x60])).max(axis=2) < 12 for image in (shown, wanted)]
    share = float((areas[0] != areas[1]).mean())
    return share, share < 0.02 and areas[1].mean() > 0.05


def main():
    scripts = install(root / ".build" / "web-clients" / "scripts")
    with tempfile.TemporaryDirectory() as name:
        folder = pathlib.Path(name)
        ring = [[-180, -85.06], [180, -85.06], [180, 85.06], [-180, 85.06], [-180, -85.06]]
        (folder / "ground.geojson").write_text(json.dumps(
            {"type": "Feature", "properties": {"fill-opacity": 1}, "geometry": {"type": "Polygon", "coordinates": [ring]}}))
        layers = ["ground.geojson;fill=#f4f8fc;stroke-width=0", f"{fixtures}/world/countries.shp;fill=#e8e0d0;stroke=#705040"]
        style = {"version": 8, "sources": {"tiles": {"type": "vector", "url": f"mbtiles://{fixtures}/vector-tiles/helsinki.mbtiles"}},
                 "layers": [{"id": "ground", "type": "background", "paint": {"background-color": "#f4f1ec"}},
                            {"id": "use", "type": "fill", "source": "tiles", "source-layer": "landuse",
                             "paint": {"fill-color": "#60a060"}}]}
        (folder / "city.json").write_text(json.dumps(style))
        (folder / "maps.yaml").write_text(json.dumps({"port": 0, "maps": {
            "world": {"layers": layers, "zooms": "0-18"}, "high": {"layers": layers, "zooms": "2-18"},
            "city": {"layers": ["style:city.json"]}}}))
        process = subprocess.Popen([server_path, str(folder / "maps.yaml"), "--quiet"], stdout=subprocess.PIPE, text=True)
        handler = functools.partial(type("Quiet", (http.server.SimpleHTTPRequestHandler,), {"log_message": lambda *_: None}),
                                    directory=str(scripts))
        web = http.server.ThreadingHTTPServer(("127.0.0.1", 0), handler)
        threading.Thread(target=web.serve_forever, daemon=True).start()
        options = webdriver.ChromeOptions()
        for flag in ["--headless=new", "--no-sandbox", "--disable-dev-shm-usage", "--hide-scrollbars", "--enable-unsafe-swiftshader",
                     "--window-size=700,700", "--force-device-scale-factor=1"]:
            options.add_argument(flag)
        options.set_capability("goog:loggingPrefs", {"browser": "ALL"})
        driver = webdriver.Chrome(options=options)
        try:
            base = process.stdout.readline().strip()
            world = numpy.vstack([numpy.hstack([fetched(f"{base}tiles/world/2/{x}/{y}.png") for x in (1, 2)]) for y in (1, 2)])
            city = fetched(f"{base}styles/city/static/24.94,60.17,14/512x512.png")
            for number, (name, script, expected) in enumerate(cases):
                page = scripts / f"page{number}.html"
                head = heads[name.split(",")[0].split(" ")[0]]
                page.write_text(
                    f"<!DOCTYPE html><meta charset=utf-8><link rel=icon href=data:,>{head}<style>body {{margin: 0}} #map {{width: 512px; height: 512px;"
                    f" background: #fff}}</style><div id=map></div><script>let done = false;\n{script.replace('{base}', base)}</script>")
                began = time.monotonic()
                driver.get(f"http://127.0.0.1:{web.server_port}/{page.name}")
                try:
                    WebDriverWait(driver, 60, poll_frequency=0.05).until(lambda _: driver.execute_script("return done"))
                    is_done = True
                except Exception:
                    is_done = False
                # Pictures fade in, and sources that read documents are added later.
                for _ in range(50):
                    data = driver.get_screenshot_as_png()
                    share, is_same = compared(picture(data)[:512, :512], world if expected == "world" else city, expected)
                    if is_same:
                        break
                    time.sleep(0.1)
                if pictures:
                    pictures.mkdir(parents=True, exist_ok=True)
                    (pictures / f"{number:02} {name.replace('/', '-')}.png").write_bytes(data)
                log = [entry["message"] for entry in driver.get_log("browser") if "GPU stall" not in entry["message"]
                       and "GL Driver Message" not in entry["message"]]
                told(name, is_done and is_same and not log,
                     f"complete: {is_done}, {share:.2%} of the pixels differ, console: {log[:3]}")
                print(f"     {share:.3%} of the pixels differ, {time.monotonic() - began:.1f} s", flush=True)
                page.unlink()
        finally:
            driver.quit()
            web.shutdown()
            process.terminate()
        told("SIGTERM ends the server with 0", process.wait(60) == 0)
    sys.exit(failures > 0)


main()
