#!/usr/bin/python3
"""Reads a style of portolan-server as a client does, with its sprite, its glyphs and its sources.

usage: servedstyle.py SERVER

SERVER is the built program. The style has a folder of icons as its sprite, and its glyphs are made from the fonts of the server:
every address in it must be one of the server, and answer.
"""
import json, os, pathlib, subprocess, sys, tempfile, urllib.error, urllib.parse, urllib.request

server_path = os.path.abspath(sys.argv[1])
fixtures = pathlib.Path(__file__).resolve().parents[2] / "Fixtures"


def answer(url):
    """The status, the type and the body."""
    try:
        with urllib.request.urlopen(urllib.parse.quote(url, safe=":/?&=,@"), timeout=120) as response:
            return response.status, response.headers["Content-Type"], response.read()
    except urllib.error.HTTPError as error:
        return error.code, error.headers["Content-Type"], error.read()


def lost(address):
    """The addresses that are not those of the server, or do not answer."""
    style, wrong = json.loads(answer(f"{address}/styles/city/style.json")[2]), []

    def check(url, kind):
        url = urllib.parse.unquote(url)
        status, found, body = answer(url) if url.startswith(address) else (0, "", b"")
        if status != 200 or kind not in found or not body:
            wrong.append(f"{url}: {status} {found}")
        return body

    for ending, kind in [(".json", "json"), (".png", "png"), ("@2x.json", "json"), ("@2x.png", "png")]:
        check(style["sprite"] + ending, kind)
    for font in {",".join(layer["layout"]["text-font"]) for layer in style["layers"] if "text-font" in layer.get("layout", {})}:
        check(style["glyphs"].replace("{fontstack}", font).replace("{range}", "0-255"), "protobuf")
    for source in style["sources"].values():
        tiles = json.loads(check(source["url"], "json"))["tiles"][0]
        check(tiles.replace("{z}", "14").replace("{x}", "9327").replace("{y}", "4742"), "vector-tile")
    for form, kind in [("/sprites/signs.json", "json"), ("/sprite/signs@3x.png", "png"), ("/fonts/DejaVu Sans Book/1024-1279.pbf", "protobuf")]:
        check(address + form, kind)
    return wrong


with tempfile.TemporaryDirectory() as name:
    folder = pathlib.Path(name)
    (folder / "signs").mkdir()
    (folder / "signs/stop.svg").write_text(
        '<svg xmlns="http://www.w3.org/2000/svg" width="16" height="16"><circle cx="8" cy="8" r="7" fill="red"/></svg>')
    style = {
        "version": 8, "sprite": "signs",
        "sources": {"tiles": {"type": "vector", "url": f"mbtiles://{fixtures}/vector-tiles/helsinki.mbtiles"}},
        "layers": [
            {"id": "water", "type": "fill", "source": "tiles", "source-layer": "water", "paint": {"fill-color": "#88b8e0"}},
            {"id": "names", "type": "symbol", "source": "tiles", "source-layer": "transportation_name",
             "layout": {"text-field": ["get", "name"], "text-font": ["DejaVu Sans Book"], "icon-image": "stop", "symbol-placement": "line"}}]}
    (folder / "city.json").write_text(json.dumps(style))
    (folder / "maps.yaml").write_text("maps: {city: {layers: ['style:city.json']}}\nsprites: signs\nport: 0\n")
    process = subprocess.Popen([server_path, str(folder / "maps.yaml"), "--quiet"], stdout=subprocess.PIPE, text=True)
    try:
        wrong = lost(process.stdout.readline().strip().rstrip("/"))
        print("FAIL   " if wrong else "ok     ", "a style is drawn from the server alone: sprite, glyphs and sources", *wrong)
    finally:
        process.terminate()
    sys.exit(bool(wrong) or process.wait(60) != 0)
