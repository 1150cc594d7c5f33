#!/usr/bin/python3
"""Sends every documented form of request of tileserver-gl, the Mapbox Static Images and Static Tiles APIs and the Google Maps Static
API to portolan-server.

usage: dropin.py SERVER

SERVER is the built program. A row is a form of the documentation, a request of that form, and what is expected:
- a size: a picture in PNG of that size;
- a word: a document whose media type has it;
- ("refused", KEY): a problem that names the key;
- ("warned", SIZE, WORD): a picture, and a header Portolan-Warning with the word;
- ("differs", SIZE, OTHER): a picture that is not that of the other request.
"""
import functools, http.server, json, os, pathlib, struct, subprocess, sys, tempfile, threading, urllib.error, urllib.parse, urllib.request, zlib

server_path = os.path.abspath(sys.argv[1])
fixtures = pathlib.Path(__file__).resolve().parents[2] / "Fixtures"
size, line = (300, 200), "path=24.90,60.16|24.95,60.18"

# The page of endpoints and the page of static maps of tileserver-gl.
tileserver_gl = [
    ("/styles.json", "/styles.json", "json"),
    ("/styles/{id}/style.json", "/styles/city/style.json", "json"),
    ("/styles/{id}/sprite.json", "/styles/city/sprite.json", "json"),
    ("/styles/{id}/sprite@2x.png", "/styles/city/sprite@2x.png", "image"),
    ("/styles/{id}/sprite/{spriteID}.json", "/styles/city/sprite/default.json", "json"),
    ("/fonts/{fontstack}/{start}-{end}.pbf", "/fonts/Sans/0-255.pbf", "protobuf"),
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
    ("static/{lon},{lat},{zoom}", "/styles/city/static/24.94,60.17,14/300x200.png", size),
    ("static/{lon},{lat},{zoom}@{bearing}", "/styles/city/static/24.94,60.17,14@30/300x200@2x.png", (600, 400)),
    ("static/{lon},{lat},{zoom}@{bearing},{pitch}", "/styles/city/static/24.94,60.17,14@30,45/300x200.png", ("refused", "place")),
    ("static/{minx},{miny},{maxx},{maxy}", "/styles/city/static/24.9,60.1,25,60.2/300x200.png", size),
    ("a box over the antimeridian", "/styles/city/static/170,-10,-170,10/300x200.png", size),
    ("static/auto", f"/styles/city/static/auto/300x200.png?{line}", size),
    ("static/raw/{x},{y},{zoom}", "/styles/city/static/raw/2776000,8437000,14/300x200.png", size),
    ("path=enc:", "/styles/city/static/auto/300x200.png?path=enc:_p~iF~ps|U_ulLnnqC_mqNvxq`@", size),
    ("path with options", f"/styles/city/static/auto/300x200.png?path=stroke:blue|width:3|fill:none|{line[5:]}",
     ("differs", size, f"/styles/city/static/auto/300x200.png?{line}")),
    ("latlng", "/styles/city/static/auto/300x200.png?latlng=1&path=60.16,24.90|60.18,24.95", size),
    ("fill", f"/styles/city/static/auto/300x200.png?fill=rgba(255,255,255,0.5)&{line}|24.96,60.16",
     ("differs", size, f"/styles/city/static/auto/300x200.png?{line}|24.96,60.16")),
    ("stroke, width", f"/styles/city/static/auto/300x200.png?stroke=red&width=3&{line}",
     ("differs", size, f"/styles/city/static/auto/300x200.png?{line}")),
    ("linecap, linejoin", f"/styles/city/static/auto/300x200.png?width=12&linecap=round&linejoin=round&{line}",
     ("differs", size, f"/styles/city/static/auto/300x200.png?width=12&{line}")),
    ("border, borderwidth", f"/styles/city/static/auto/300x200.png?border=white&borderwidth=2&{line}",
     ("differs", size, f"/styles/city/static/auto/300x200.png?{line}")),
    ("marker with scale and offset", "/styles/city/static/24.94,60.17,14/300x200.png?marker=24.94,60.17|pin|scale:0.5|offset:2,-4",
     ("differs", size, "/styles/city/static/24.94,60.17,14/300x200.png?marker=24.94,60.17|pin")),
    ("marker with an icon of the icon folder", "/styles/city/static/24.94,60.17,14/300x200.png?marker=24.94,60.17|icon.png",
     ("differs", size, "/styles/city/static/24.94,60.17,14/300x200.png")),
    ("marker with an icon outside the folder", "/styles/city/static/24.94,60.17,14/300x200.png?marker=24.94,60.17|../icon.png",
     ("refused", "marker")),
    ("marker with an icon of a listed host", "/styles/city/static/24.94,60.17,14/300x200.png?marker=24.94,60.17|{icons}/icon.png",
     ("differs", size, "/styles/city/static/24.94,60.17,14/300x200.png")),
    ("marker with an icon of another host",
     "/styles/city/static/24.94,60.17,14/300x200.png?marker=24.94,60.17|http://icons.invalid/icon.png", ("refused", "marker")),
    ("padding, maxzoom", f"/styles/city/static/auto/300x200.png?padding=0.3&maxzoom=10&{line}",
     ("differs", size, f"/styles/city/static/auto/300x200.png?{line}")),
    ("POST of JSON", "POST /styles/city/static/auto/300x200.png", size),
    ("/data/{id}/{z}/{x}/{y}.pbf", "/data/city/14/9327/4742.pbf", "vector-tile"),
    ("/data/{id}/{z}/{x}/{y}.geojson", "/data/city/14/9327/4742.geojson", "json"),
    ("/data/{id}.json", "/data/city.json", "json"),
    ("/data.json", "/data.json", "json"),
    ("/index.json, /rendered.json, /{tileSize}/index.json", "/512/index.json", "json"),
    ("/health", "/health", "text/plain"),
]



def encoded(places):
    """Latitudes and longitudes as an encoded polyline of Google."""
    text, last = "", [0, 0]
    for place in places:
        for axis, value in enumerate(place):
            step = round(value * 1e5) - last[axis]
            last[axis] += step
            bits = ~(step << 1) if step < 0 else step << 1
            while bits >= 0x20:
                text += chr((0x20 | bits & 0x1F) + 63)
                bits >>= 5
            text += chr(bits + 63)
    return text


# The pages of the Static Images, Static Tiles and Styles APIs of Mapbox.
place, start = "24.94,60.17,13", "/styles/v1/me/city/static"
plain = f"{start}/{place}/300x200"
line_of_places = encoded([(60.16, 24.92), (60.18, 24.94), (60.16, 24.96)])
polyline = urllib.parse.quote(line_of_places, safe="")
parts = {
    "geojson": urllib.parse.quote(json.dumps({"type": "Point", "coordinates": [24.94, 60.17]})),
    "layer": urllib.parse.quote(json.dumps({"id": "new", "type": "line", "source": "tiles", "source-layer": "transportation",
                                            "paint": {"line-color": "#ff0000", "line-width": 4}})),
    "none": urllib.parse.quote(json.dumps(["==", ["get", "class"], "none"])),
}
mapbox = [
    ("{lon},{lat},{zoom}", plain, size),
    ("{bearing}", f"{start}/{place},20/300x200", ("differs", size, plain)),
    ("{bearing},{pitch} of 0", f"{start}/{place},20,0/300x200", ("differs", size, plain)),
    ("{bearing},{pitch} of 60", f"{start}/{place},0,60/300x200", ("refused", "place")),
    ("{bbox}", f"{start}/[24.9,60.1,25,60.2]/300x200", size),
    ("auto", f"{start}/pin-s(24.94,60.17)/auto/300x200", size),
    ("auto without an overlay", f"{start}/auto/300x200", ("refused", "auto")),
    ("{@2x}", f"{start}/{place}/300x200@2x", (600, 400)),
    ("pin-s+{color}", f"{start}/pin-s+f74(24.94,60.17)/{place}/300x200", ("differs", size, plain)),
    ("pin-l", f"{start}/pin-l(24.94,60.17)/{place}/300x200", ("differs", size, f"{start}/pin-s(24.94,60.17)/{place}/300x200")),
    ("pin-s-{letter}", f"{start}/pin-s-a+9ed4bd(24.94,60.17)/{place}/300x200",
     ("differs", size, f"{start}/pin-s+9ed4bd(24.94,60.17)/{place}/300x200")),
    ("pin-s-{0 to 99}", f"{start}/pin-s-12(24.94,60.17)/{place}/300x200",
     ("differs", size, f"{start}/pin-s-1(24.94,60.17)/{place}/300x200")),
    ("pin-l-{Maki name}", f"{start}/pin-l-embassy+f74e4e(24.94,60.17)/{place}/300x200",
     ("differs", size, f"{start}/pin-l+f74e4e(24.94,60.17)/{place}/300x200")),
    ("url-{url}, a listed host", start + "/url-{encoded}(24.94,60.17)/" + place + "/300x200", ("differs", size, plain)),
    ("url-{url}, another host", f"{start}/url-http%3A%2F%2Ficons.invalid%2Fa.png(24.94,60.17)/{place}/300x200", ("refused", "overlay")),
    ("geojson({geojson})", f"{start}/geojson({parts['geojson']})/{place}/300x200", ("differs", size, plain)),
    ("path-{strokeWidth}+{strokeColor}-{strokeOpacity}", f"{start}/path-5+f44-0.5({polyline})/auto/300x200", size),
    ("+{fillColor}-{fillOpacity}", f"{start}/path-5+f44-0.5+00f-0.3({polyline})/auto/300x200",
     ("differs", size, f"{start}/path-5+f44-0.5({polyline})/auto/300x200")),
    ("several overlays", f"{start}/pin-s(24.94,60.17),pin-l-b+00f(24.95,60.17),path({polyline})/auto/300x200", size),
    ("attribution=true", f"{plain}?attribution=true", size),
    ("attribution=false", f"{plain}?attribution=false", ("warned", size, "attribution")),
    ("logo=false", f"{plain}?logo=false", size),
    ("logo=true", f"{plain}?logo=true", ("warned", size, "logo")),
    ("before_layer", f"{start}/path-20+f00({polyline})/{place}/300x200?before_layer=water",
     ("differs", size, f"{start}/path-20+f00({polyline})/{place}/300x200")),
    ("addlayer", f"{plain}?addlayer={parts['layer']}", ("differs", size, plain)),
    ("addlayer with before_layer", f"{plain}?addlayer={parts['layer']}&before_layer=roads", ("differs", size, plain)),
    ("setfilter with layer_id", f"{plain}?setfilter={parts['none']}&layer_id=roads", ("differs", size, plain)),
    ("setfilter without layer_id", f"{plain}?setfilter={parts['none']}", ("refused", "layer_id")),
    ("padding with auto", f"{start}/path({polyline})/auto/300x200?padding=50,10,20",
     ("differs", size, f"{start}/path({polyline})/auto/300x200")),
    ("padding with {bbox}", f"{start}/[24.9,60.1,25,60.2]/300x200?padding=40", ("differs", size, f"{start}/[24.9,60.1,25,60.2]/300x200")),
    ("access_token", f"{plain}?access_token=pk.1", size),
    ("tiles/{z}/{x}/{y}", "/styles/v1/me/city/tiles/14/9327/4742?access_token=pk.1", (512, 512)),
    ("tiles/512/{z}/{x}/{y}", "/styles/v1/me/city/tiles/512/14/9327/4742", (512, 512)),
    ("tiles/256/{z}/{x}/{y}", "/styles/v1/me/city/tiles/256/14/9327/4742", (256, 256)),
    ("tiles/256/{z}/{x}/{y}{@2x}", "/styles/v1/me/city/tiles/256/14/9327/4742@2x", (512, 512)),
    ("tiles, another {tilesize}", "/styles/v1/me/city/tiles/128/14/9327/4742", ("refused", "tilesize")),
    ("style object", "/styles/v1/me/city", "json"),
    ("sprite{@2x}.{format}", "/styles/v1/me/city/sprite@2x.png", "image"),
    ("wmts", "/styles/v1/me/city/wmts", "xml"),
]

# The developer guide of the Maps Static API of Google.
google_start, google_place = "/maps/api/staticmap?size=300x200", "center=60.17,24.94&zoom=14"
google = [
    ("center, zoom, size", f"{google_start}&{google_place}", size),
    ("center, an address", f"{google_start}&center=Helsinki&zoom=14", ("refused", "center")),
    ("scale=2", f"{google_start}&{google_place}&scale=2", (600, 400)),
    ("format=png8", f"{google_start}&{google_place}&format=png8", size),
    ("format=png32", f"{google_start}&{google_place}&format=png32", size),
    ("format=jpg", f"{google_start}&{google_place}&format=jpg", "image/jpeg"),
    ("format=jpg-baseline", f"{google_start}&{google_place}&format=jpg-baseline", "image/jpeg"),
    ("format=gif", f"{google_start}&{google_place}&format=gif", ("refused", "format")),
    ("maptype=roadmap", f"{google_start}&{google_place}&maptype=roadmap", size),
    ("maptype of a map of this name", f"{google_start}&{google_place}&maptype=terrain",
     ("differs", size, f"{google_start}&{google_place}")),
    ("maptype=satellite, hybrid", f"{google_start}&{google_place}&maptype=satellite", ("refused", "maptype")),
    ("language", f"{google_start}&{google_place}&language=fi", size),
    ("region", f"{google_start}&{google_place}&region=fi", ("warned", size, "region")),
    ("map_id", f"{google_start}&{google_place}&map_id=1", ("refused", "map_id")),
    ("style", f"{google_start}&{google_place}&style=feature:road|color:0xff0000", ("refused", "style")),
    ("markers", f"{google_start}&markers=60.17,24.94|60.18,24.95", size),
    ("markers, an address", f"{google_start}&markers=Helsinki", ("refused", "markers")),
    ("markers size, color, label", f"{google_start}&{google_place}&markers=size:mid|color:0xff0000|label:S|60.17,24.94",
     ("differs", size, f"{google_start}&{google_place}&markers=60.17,24.94")),
    ("several markers", f"{google_start}&markers=color:blue|label:A|60.17,24.94&markers=size:tiny|color:green|60.18,24.95", size),
    ("markers scale", f"{google_start}&{google_place}&scale=2&markers=scale:2|60.17,24.94",
     ("differs", (600, 400), f"{google_start}&{google_place}&scale=2&markers=60.17,24.94")),
    ("markers icon, a listed host", google_start + "&" + google_place + "&markers=icon:{icons}/icon.png|60.17,24.94",
     ("differs", size, f"{google_start}&{google_place}")),
    ("markers anchor", google_start + "&" + google_place + "&markers=anchor:topleft|icon:{icons}/icon.png|60.17,24.94",
     ("differs", size, google_start + "&" + google_place + "&markers=icon:{icons}/icon.png|60.17,24.94")),
    ("markers icon, another host", f"{google_start}&markers=icon:http://icons.invalid/a.png|60.17,24.94", ("refused", "markers")),
    ("path", f"{google_start}&path=60.16,24.90|60.18,24.95", size),
    ("path weight, color", f"{google_start}&path=weight:8|color:0xff0000ff|60.16,24.90|60.18,24.95",
     ("differs", size, f"{google_start}&path=60.16,24.90|60.18,24.95")),
    ("path fillcolor", f"{google_start}&path=fillcolor:0xaa000033|60.16,24.90|60.18,24.95|60.16,24.95",
     ("differs", size, f"{google_start}&path=60.16,24.90|60.18,24.95|60.16,24.95")),
    ("path geodesic", f"{google_start}&path=geodesic:true|60,-100|60,100", ("differs", size, f"{google_start}&path=60,-100|60,100")),
    ("path enc:", f"{google_start}&path=weight:3|enc:{line_of_places}", size),
    ("path, an address", f"{google_start}&path=Helsinki|60.18,24.95", ("refused", "path")),
    ("visible", f"{google_start}&visible=60.17,24.94|60.18,24.95", size),
    ("visible, an address", f"{google_start}&visible=Helsinki", ("refused", "visible")),
    ("key, signature", f"{google_start}&{google_place}&key=k&signature=s", size),
    ("/staticmap", f"/staticmap?size=300x200&{google_place}", size),
]


def icon():
    """A PNG of 20 by 20 pixels in one colour."""
    def chunk(kind, data):
        return struct.pack(">I", len(data)) + kind + data + struct.pack(">I", zlib.crc32(kind + data))
    rows = (b"\0" + b"\x80\0\x80" * 20) * 20
    return (b"\x89PNG\r\n\x1a\n" + chunk(b"IHDR", struct.pack(">IIBBBBB", 20, 20, 8, 2, 0, 0, 0)) + chunk(b"IDAT", zlib.compress(rows))
            + chunk(b"IEND", b""))


def answer(address, target, icons):
    """The status, the header fields and the body of a request."""
    target = target.replace("{icons}", icons).replace("{encoded}", urllib.parse.quote(icons + "/icon.png", safe=""))
    body = None
    if target.startswith("POST "):
        target, body = target[5:], json.dumps({"path": ["24.90,60.16|24.95,60.18"]}).encode()
    request = urllib.request.Request(address.rstrip("/") + urllib.parse.quote(target, safe="/?&=,:@.;()~%"), data=body,
                                     headers={"Content-Type": "application/json"} if body else {})
    try:
        with urllib.request.urlopen(request, timeout=120) as response:
            return response.status, response.headers, response.read()
    except urllib.error.HTTPError as error:
        return error.code, error.headers, error.read()


def is_right(ask, target, expected):
    """Whether the response is that of the form, and the response in words."""
    status, headers, body = ask(target)
    kind, words = headers["Content-Type"] or "", f"{status} {headers['Content-Type']} {headers['Portolan-Warning']} {body[:300]}"
    if isinstance(expected, str):
        return status == 200 and expected in kind and (expected != "json" or json.loads(body) is not None), words
    rule, *more = expected if isinstance(expected[0], str) else ("picture", expected)
    if rule == "refused":
        return 400 <= status < 500 and json.loads(body).get("key") == more[0], words
    is_picture = status == 200 and body.startswith(b"\x89PNG") and struct.unpack(">II", body[16:24]) == more[0]
    warning = headers["Portolan-Warning"] or ""
    if rule == "warned":
        return is_picture and more[1] in warning, words
    return is_picture and not warning and (rule == "picture" or ask(more[1])[2] != body), words


def main():
    failures = 0
    with tempfile.TemporaryDirectory() as name:
        folder = pathlib.Path(name)
        (folder / "icons").mkdir()
        for path in ["icons/icon.png", "icon.png"]:
            (folder / path).write_bytes(icon())
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
        # JSON is YAML.
        (folder / "maps.yaml").write_text(json.dumps({
            "port": 0, "icons": {"folder": "icons", "hosts": ["127.0.0.1"]},
            "maps": {"city": {"layers": ["style:city.json"]},
                     "terrain": {"layers": [f"{fixtures}/world/countries.shp;fill=#c8e0b0;stroke=#705040"]}}}))
        handler = functools.partial(type("Quiet", (http.server.SimpleHTTPRequestHandler,), {"log_message": lambda *_: None}),
                                    directory=str(folder / "icons"))
        web = http.server.ThreadingHTTPServer(("127.0.0.1", 0), handler)
        threading.Thread(target=web.serve_forever, daemon=True).start()
        process = subprocess.Popen([server_path, str(folder / "maps.yaml"), "--quiet"], stdout=subprocess.PIPE, text=True)
        try:
            address = process.stdout.readline().strip()
            ask = functools.lru_cache(None)(lambda target: answer(address, target, f"http://127.0.0.1:{web.server_port}"))
            for title, table in [("tileserver-gl", tileserver_gl), ("Mapbox", mapbox), ("Google", google)]:
                wrong = 0
                for form, target, expected in table:
                    right, words = is_right(ask, target, expected)
                    wrong += not right
                    word = "FAIL" if not right else "refused" if expected[0] == "refused" else "warned" if expected[0] == "warned" else "ok"
                    print(f"{word:7} {title}: {form}", "" if right else words, flush=True)
                refused = sum(expected[0] == "refused" for _, _, expected in table)
                print(f"{title}: {len(table) - refused} of {len(table)} forms are answered, {refused} refused in words; {wrong} are wrong")
                failures += wrong
        finally:
            process.terminate()
            web.shutdown()
        failures += process.wait(60) != 0
    sys.exit(failures > 0)


main()
