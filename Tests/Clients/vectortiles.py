#!/usr/bin/python3
"""Reads archives of `portolan tile` and vector tiles of portolan-server with decoders that others wrote.

usage: vectortiles.py PORTOLAN [SERVER]

PORTOLAN and SERVER are the built programs. Needs PyPI's pmtiles, mapbox-vector-tile and shapely, and GDAL's ogr2ogr and ogrinfo.
"""
import gzip, json, os, pathlib, socket, sqlite3, subprocess, sys, tempfile, time, urllib.request

import mapbox_vector_tile
from pmtiles.reader import MmapSource, Reader, all_tiles
from shapely.geometry import shape

portolan = os.path.abspath(sys.argv[1])
server = os.path.abspath(sys.argv[2]) if len(sys.argv) > 2 else None
fixtures = pathlib.Path(__file__).resolve().parents[2] / "Fixtures"
inputs = [f"{fixtures}/helsinki/{name}.geojson" for name in ("streets", "buildings", "areas", "stops")]
failures = 0


def told(words, is_right, more=""):
    global failures
    failures += not is_right
    print("ok  " if is_right else "FAIL", words, more, flush=True)


def area(ring):
    """Twice the area of a ring by the surveyor's formula: positive if it is clockwise on a screen, y downwards."""
    return sum(a[0] * b[1] - b[0] * a[1] for a, b in zip(ring, ring[1:] + ring[:1]))


def examine(data, words):
    """Decodes a tile, and returns its layers; y is downwards."""
    tile = mapbox_vector_tile.decode(data, default_options={"y_coord_down": True})
    for name, layer in tile.items():
        told(f"{words}, {name}: version and extent", layer["version"] == 2 and layer["extent"] == 4096)
        polygons = [shape(feature["geometry"]) for feature in layer["features"] if "Polygon" in feature["geometry"]["type"]]
        parts = [part for whole in polygons for part in getattr(whole, "geoms", [whole])]
        wrong = [part for part in parts if area(list(part.exterior.coords)) <= 0
                 or any(area(list(hole.coords)) >= 0 for hole in part.interiors)]
        told(f"{words}, {name}: winding of {len(parts)} polygons", not wrong)
        reach = [value for whole in polygons for value in whole.bounds]
        told(f"{words}, {name}: within the buffer", all(-64 <= value <= 4160 for value in reach))
    return tile


with tempfile.TemporaryDirectory() as folder:
    archive, database = f"{folder}/city.pmtiles", f"{folder}/city.mbtiles"
    for path in (archive, database):
        subprocess.run([portolan, "tile", *inputs, "-o", path, "--zooms", "8-14", "--drop-rate", "1", "--quiet"], check=True)

    source = MmapSource(open(archive, "rb"))
    reader = Reader(source)
    header, metadata = reader.header(), reader.metadata()
    told("header of the archive", header["min_zoom"] == 8 and header["max_zoom"] == 14 and header["clustered"])
    told("layers of the metadata", [layer["id"] for layer in metadata["vector_layers"]] == ["streets", "buildings", "areas", "stops"])
    tiles = {place: gzip.decompress(data) for place, data in all_tiles(source)}
    told("all tiles are counted", len(tiles) == header["addressed_tiles_count"], str(len(tiles)))
    found = set()
    for place, data in sorted(tiles.items()):
        if place[0] in (8, 12, 14):
            layers = examine(data, "/".join(map(str, place)))
            if place[0] == 14 and "streets" in layers:
                found |= {json.dumps(feature["properties"], sort_keys=True) for feature in layers["streets"]["features"]}
    given = {json.dumps(feature["properties"], sort_keys=True) for feature in json.load(open(inputs[0]))["features"]}
    told("the finest level has the attributes of all streets", found == given, f"{len(found)} of {len(given)}")

    rows = sqlite3.connect(database).execute("SELECT zoom_level, tile_column, tile_row, tile_data FROM tiles").fetchall()
    same = {(z, x, (1 << z) - 1 - y): gzip.decompress(data) for z, x, y, data in rows}
    told("MBTiles have the same tiles", same == tiles)
    listed = subprocess.run(["ogrinfo", "-so", "-al", f"{database}"], capture_output=True, text=True)
    told("GDAL reads the MBTiles", listed.returncode == 0 and "Layer name: streets" in listed.stdout, listed.stderr[:300])
    written = f"{folder}/streets.geojson"
    back = subprocess.run(["ogr2ogr", "-f", "GeoJSON", written, database, "streets"], capture_output=True, text=True)
    count = len(json.load(open(written))["features"]) if back.returncode == 0 else 0
    told("GDAL reads the features", back.returncode == 0 and count > 2000 and not back.stderr, f"{count} {back.stderr[:300]}")

    if server:
        with socket.socket() as probe:
            probe.bind(("127.0.0.1", 0))
            port = probe.getsockname()[1]
        run = subprocess.Popen([server, "-l", inputs[0], "-l", inputs[1], "--port", str(port)], stderr=subprocess.DEVNULL)
        try:
            for _ in range(100):
                try:
                    urllib.request.urlopen(f"http://127.0.0.1:{port}/health/ready")
                    break
                except OSError:
                    time.sleep(0.1)
            lists = json.load(urllib.request.urlopen(f"http://127.0.0.1:{port}/data.json"))
            told("the server lists the tiles", [layer["id"] for layer in lists[0]["vector_layers"]] == ["streets", "buildings"])
            address = lists[0]["tiles"][0].format(z=14, x=9327, y=4742)
            layers = examine(urllib.request.urlopen(address).read(), "the server's tile")
            told("the tile has both layers", set(layers) == {"streets", "buildings"})
            made = mapbox_vector_tile.decode(tiles[14, 9327, 4742])
            told("it has as many features as the archive's",
                 all(len(layers[name]["features"]) == len(made[name]["features"]) for name in layers))
        finally:
            run.terminate()
            run.wait()

sys.exit(failures > 0)
