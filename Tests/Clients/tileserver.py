#!/usr/bin/python3
"""Requests every form of URL on tileserver-gl's page of endpoints from portolan-server.

usage: tileserver.py SERVER

SERVER is the built program. A form is `ok` if its answer has the status, type and size that the page promises, and `refused` if
the server says in words that it does not support it.
"""
import json, os, pathlib, struct, subprocess, sys, tempfile, urllib.error, urllib.parse, urllib.request

server_path = os.path.abspath(sys.argv[1])
fixtures = pathlib.Path(__file__).resolve().parents[2] / "Fixtures"
line = "path=24.90,60.16|24.95,60.18"
# The form, its address, and the size of the picture or the type of the document; `refused` is a problem that names its key.
forms = [
    ("/styles.json", "/styles.json", "json"),
    ("/styles/{id}/style.json", "/styles/city/style.json", "json"),
    ("/styles/{id}/sprite.json", "/styles/city/sprite.json", "json"),
    ("/styles/{id}/sprite@2x.png", "/styles/city/sprite@2x.png", "image"),
    ("/styles/{id}/sprite/{spriteID}.json", "/styles/city/sprite/default.json", "json"),
    ("/fonts/{fontstack}/{start}-{end}.pbf", "/fonts/Sans/0-255.pbf", "protobuf"),
    ("/fonts/{fontstack} made from fonts", "/fonts/DejaVu Sans Book/1024-1279.pbf", "protobuf"),
    ("/fonts.json", "/fonts.json", "json"),
    ("/styles/{id}/{z}/{x}/{y}.png", "/styles/city/14/9327/4742.png", (256, 256)),
    ("/styles/{id}/256/{z}/{x}/{y}.png", "/styles/city/256/14/9327/4742.png", (256, 256)),
    ("/styles/{id}/512/{z}/{x}/{y}.png", "/styles/city/512/14/9327/4742.png", (512, 512)),
    ("/styles/{id}/{z}/{x}/{y}@2x.png", "/styles/city/14/9327/4742@2x.png", (512, 512)),
    ("/styles/{id}/{z}/{x}/{y}.jpg", "/styles/city/14/9327/4742.jpg", "image"),
    ("/styles/{id}/{z}/{x}/{y}.webp", "/styles/city/14/9327/4742.webp", "image"),
    ("/styles/{id}.json", "/styles/city.json", "json"),
    ("/styles/{tileSize}/{id}.json", "/styles/512/city.json", "json"),
    ("/styles/{id}/wmts.xml", "/styles/city/wmts.xml", "xml"),
    ("static/{lon},{lat},{zoom}", "/styles/city/static/24.94,60.17,14/300x200.png", (300, 200)),
    ("static/{lon},{lat},{zoom}@{bearing}", "/styles/city/static/24.94,60.17,14@30/300x200@2x.png", (600, 400)),
    ("static/{lon},{lat},{zoom}@{bearing},{pitch}", "/styles/city/static/24.94,60.17,14@30,45/300x200.png", "refused"),
    ("static/{minx},{miny},{maxx},{maxy}", "/styles/city/static/24.9,60.1,25,60.2/300x200.png", (300, 200)),
    ("static/auto", f"/styles/city/static/auto/300x200.png?{line}", (300, 200)),
    ("static/raw/{x},{y},{zoom}", "/styles/city/static/raw/2776000,8437000,14/300x200.png", (300, 200)),
    ("path=enc:", "/styles/city/static/auto/300x200.png?path=enc:_p~iF~ps|U_ulLnnqC_mqNvxq`@", (300, 200)),
    ("path with options", f"/styles/city/static/auto/300x200.png?path=stroke:blue|width:3|fill:none|{line[5:]}", (300, 200)),
    ("latlng", "/styles/city/static/auto/300x200.png?latlng=1&path=60.16,24.90|60.18,24.95", (300, 200)),
    ("fill", f"/styles/city/static/auto/300x200.png?fill=rgba(255,255,255,0.5)&{line}|24.96,60.16", (300, 200)),
    ("stroke, width", f"/styles/city/static/auto/300x200.png?stroke=red&width=3&{line}", (300, 200)),
    ("linecap, linejoin", f"/styles/city/static/auto/300x200.png?linecap=round&linejoin=round&{line}", (300, 200)),
    ("border, borderwidth", f"/styles/city/static/auto/300x200.png?border=white&borderwidth=2&{line}", (300, 200)),
    ("marker with scale and offset", "/styles/city/static/24.94,60.17,14/300x200.png?marker=24.94,60.17|pin|scale:0.5|offset:2,-4",
     (300, 200)),
    ("marker with an icon file", "/styles/city/static/24.94,60.17,14/300x200.png?marker=24.94,60.17|icon.png", "refused"),
    ("padding, maxzoom", f"/styles/city/static/auto/300x200.png?padding=0.3&maxzoom=10&{line}", (300, 200)),
    ("POST of JSON", "/styles/city/static/auto/300x200.png", (300, 200)),
    ("/data/{id}/{z}/{x}/{y}.pbf", "/data/city/14/9327/4742.pbf", "vector-tile"),
    ("/data/{id}/{z}/{x}/{y}.geojson", "/data/city/14/9327/4742.geojson", "json"),
    ("/data/{id}.json", "/data/city.json", "json"),
    ("/data.json", "/data.json", "json"),
    ("/index.json, /rendered.json, /{tileSize}/index.json", "/512/index.json", "json"),
    ("/health", "/health", "text/plain"),
]


def answer(address, target):
    """The status, the type and the body of a form."""
    body = json.dumps({"path": ["24.90,60.16|24.95,60.18"]}).encode() if target.endswith("auto/300x200.png") else None
    request = urllib.request.Request(address.rstrip("/") + urllib.parse.quote(target, safe="/?&=,:@.;()~%"), data=body,
                                     headers={"Content-Type": "application/json"} if body else {})
    try:
        with urllib.request.urlopen(request, timeout=120) as response:
            return response.status, response.headers["Content-Type"], response.read()
    except urllib.error.HTTPError as error:
        return error.code, error.headers["Content-Type"], error.read()


def is_right(status, kind, body, expected):
    """Whether an answer is that of its form."""
    if expected == "refused":
        return status == 400 and "key" in json.loads(body)
    if isinstance(expected, tuple):
        return status == 200 and body.startswith(b"\x89PNG") and struct.unpack(">II", body[16:24]) == expected
    return status == 200 and expected in kind and (expected != "json" or json.loads(body) is not None)


def lost(address):
    """What a client cannot get of a style from the server alone: the addresses that are not its own or do not answer."""
    style, wrong = json.loads(answer(address, "/styles/icons/style.json")[2]), []

    def check(url, kind):
        if not url.startswith(address):
            return wrong.append(url)
        status, found, body = answer(address, urllib.parse.unquote(url[len(address.rstrip("/")):]))
        if status != 200 or kind not in found or not body:
            wrong.append(f"{url}: {status} {found}")
        return body

    for ending, kind in [(".json", "json"), (".png", "png"), ("@2x.json", "json"), ("@2x.png", "png")]:
        check(style["sprite"] + ending, kind)
    for font in {",".join(layer["layout"]["text-font"]) for layer in style["layers"] if "text-font" in layer.get("layout", {})}:
        check(style["glyphs"].replace("{fontstack}", font).replace("{range}", "0-255"), "protobuf")
    for source in style["sources"].values():
        if "data" in source:
            check(source["data"], "json")
        else:
            tiles = json.loads(check(source["url"], "json"))["tiles"][0]
            check(tiles.replace("{z}", "14").replace("{x}", "9327").replace("{y}", "4742"), "vector-tile")
    return wrong


with tempfile.TemporaryDirectory() as name:
    folder, failures = pathlib.Path(name), 0
    style = {
        "version": 8, "sprite": "city-sprite", "glyphs": "{fontstack}-{range}.pbf",
        "sources": {"tiles": {"type": "vector", "url": f"mbtiles://{fixtures}/vector-tiles/helsinki.mbtiles"}},
        "layers": [
            {"id": "ground", "type": "background", "paint": {"background-color": "#f4f1ec"}},
            {"id": "water", "type": "fill", "source": "tiles", "source-layer": "water", "paint": {"fill-color": "#88b8e0"}},
            {"id": "roads", "type": "line", "source": "tiles", "source-layer": "transportation",
             "paint": {"line-color": "#806040"}}]}
    (folder / "city.json").write_text(json.dumps(style))
    (folder / "Sans-0-255.pbf").write_bytes(b"\x08\0")
    for part in ["city-sprite.json", "city-sprite@2x.png"]:
        (folder / part).write_bytes((fixtures / "helsinki" / part).read_bytes())
    # A style whose sprite is a folder of icons, and whose glyphs are made from fonts.
    (folder / "signs").mkdir()
    (folder / "signs/stop.svg").write_text('<svg xmlns="http://www.w3.org/2000/svg" width="16" height="16"><circle cx="8" cy="8" r="7" fill="red"/></svg>')
    del style["glyphs"]
    style["sprite"] = "signs"
    style["layers"].append({
        "id": "names", "type": "symbol", "source": "tiles", "source-layer": "transportation_name",
        "layout": {"text-field": ["get", "name"], "text-font": ["DejaVu Sans Book"], "icon-image": "stop", "symbol-placement": "line"}})
    (folder / "icons.json").write_text(json.dumps(style))
    (folder / "maps.yaml").write_text("maps:\n  city: {layers: ['style:city.json']}\n  icons: {layers: ['style:icons.json']}\nsprites: signs\n")
    process = subprocess.Popen([server_path, str(folder / "maps.yaml"), "--port", "0", "--quiet"], stdout=subprocess.PIPE, text=True)
    try:
        address = process.stdout.readline().strip()
        for form, target, expected in forms:
            status, kind, body = answer(address, target)
            right = is_right(status, kind, body, expected)
            failures += not right
            word = "FAIL" if not right else "refused" if expected == "refused" else "ok"
            print(f"{word:7} {form}", "" if right else f"{status} {kind} {body[:200]}", flush=True)
        wrong = lost(address) + [form for form in ["/sprites/signs.json", "/sprite/signs@3x.png"] if answer(address, form)[0] != 200]
        failures += len(wrong)
        print("FAIL   " if wrong else "ok     ", "a style is drawn from the server alone: sprite, glyphs and sources", wrong or "")
        drawn = sum(expected != "refused" for _, _, expected in forms)
        print(f"{drawn} of {len(forms)} forms are answered, the others refused in words; {failures} are wrong")
    finally:
        process.terminate()
    failures += process.wait(60) != 0
    sys.exit(failures > 0)
