#!/usr/bin/python3
"""PDF documents of every layout, drawn by Poppler, look like the PNG of the same map.

usage: pdfpictures.py PORTOLAN [FOLDER [NAME...]]; needs poppler-utils, qpdf and python3-pil. FOLDER receives all pictures.
"""
import json
import math
import os
import subprocess
import sys
import tempfile

from PIL import Image, ImageChops, ImageStat

portolan = os.path.abspath(sys.argv[1])
folder = os.path.abspath(sys.argv[2]) if len(sys.argv) > 2 else tempfile.mkdtemp(prefix="portolan-pdf-")
os.makedirs(folder, exist_ok=True)
os.chdir(os.path.dirname(os.path.dirname(os.path.dirname(os.path.abspath(__file__)))))
# The most by which a channel may differ on average, of 255.
TOLERANCE = 1.5
# Poppler draws that many times as large, and the picture is averaged: at a low resolution its edges are lighter.
ENLARGEMENT = 4

city = ["-l", "style:Fixtures/helsinki/city-style.json"]
walk = ["-l", "route:Fixtures/routes/helsinki-walk.geojson"]
countries = ["-l", "Fixtures/world/countries.shp;fill=#efe9dc;fill-opacity=1;stroke=#888;stroke-width=1"]
classes = ["-l", "Fixtures/world/countries.shp;fill=POP_EST;classes=5;method=jenks;palette=blues"]
cities = ["-l", "Fixtures/world/cities.csv;label=name;marker-color=#c30;marker-size=small"]
center = ["--center", "24.9435,60.1718"]
utm = ["--crs", "EPSG:32635"]
# The walk with invented elevations.
hike = f"{folder}/hike.geojson"
with open("Fixtures/routes/helsinki-walk.geojson") as file:
    route = json.load(file)
for feature in route["features"]:
    if feature["geometry"]["type"] == "LineString":
        line = feature["geometry"]["coordinates"]
        feature["geometry"]["coordinates"] = [[*p[:2], 20 + 15 * math.sin(i / 20)] for i, p in enumerate(line)]
with open(hike, "w") as file:
    json.dump(route, file)
maps = {
    "city": [*city, *center, "--zoom", "15", "--size", "640x480", "--scale-bar", "--north-arrow", "--title", "Helsinki"],
    "city-2x": [*city, *center, "--zoom", "14", "--size", "400x300", "--pixel-ratio", "2", "--legend"],
    "city-rotated": [*city, *walk, *center, "--zoom", "14.5", "--size", "500x400", "--rotation", "30"],
    "dark": ["-l", "style:portolan-dark;sources.openmaptiles=Fixtures/vector-tiles/helsinki.mbtiles", *center, "--zoom", "14", "--size", "480x480"],
    "light": ["-l", "style:portolan-light;sources.openmaptiles=Fixtures/vector-tiles/helsinki.mbtiles", *center, "--zoom", "15", "--size", "640x640"],
    "relief": ["-l", "geotiff:Fixtures/world/relief.tif", *countries, "--size", "640x400", "--fit"],
    "relief-warped": ["-l", "geotiff:Fixtures/world/relief.tif", "--crs", "robinson", "--size", "640x400"],
    "classes": [*classes, "--size", "700x450", "--legend", "--fit"],
    "clusters": [*countries, *cities, "--size", "640x480", "--fit"],
    "paper": [*city, *center, "--paper", "A6", "--landscape", "--dpi", "120", "--scale", "1:8000", "--source", "Data: nobody"],
    **{f"frame-{frame}": [*city, *walk, *utm, "--paper", "A6", "--dpi", "200", "--scale", "1:20000", *center, "--frame", frame,
                          "--title", "A walk", "--subtitle", "Through eight places", "--source", "Data: nobody"]
       for frame in ("degrees", "utm", "mgrs")},
    "insets": [*countries, "--crs", "EPSG:3035", "--bbox", "4,54,32,71", "--bbox-crs", "EPSG:4326", "--size", "600x600",
               "--frame", "degrees", "--inset", "bbox=9.5,55,13,57;bbox-crs=EPSG:4326;at=top-left;size=25%",
               "--locator", "bbox=-10,35,40,70;bbox-crs=EPSG:4326"],
    "profile": [*city, "-l", f"{hike};kilometre-marks=1;slope-colors=true;arrows=true;ends=true;waypoints=true", "--fit",
                "--size", "600x600", "--profile", "--profile-slopes"],
    "graticule": [*countries, "--graticule", "auto", "--size", "640x400", "--fit"],
    **{f"sphere-{crs.split(':')[0]}": [*countries, "--crs", crs, "--sphere", "#bcd8ea", "--graticule", "auto", "--size", "500x400"]
       for crs in ("robinson", "mollweide:lon=150", "equal-earth", "ortho:lon=10,lat=45", "laea:lon=20,lat=60", "winkel-tripel",
                   "sinusoidal", "aeqd:lat=90")},
}
atlases = {
    "atlas-grid": [*countries, "--grid", "2x2", "--bbox", "-10,36,30,70", "--bbox-crs", "EPSG:4326", "--crs", "EPSG:3035",
                   "--paper", "A6", "--landscape", "--dpi", "96", "--title", "Europe", "--scale-bar"],
    "atlas-strip": [*city, *walk, "--along", "Fixtures/routes/helsinki-walk.geojson", "--rotate", "--scale", "1:8000", *utm,
                    "--paper", "A6", "--landscape", "--dpi", "180", "--frame", "utm", "--title", "The walk", "--north-arrow"],
}
names = sys.argv[3:]
if names:
    maps, atlases = ({n: a for n, a in kind.items() if n in names} for kind in (maps, atlases))
failures = []


def run(*command):
    done = subprocess.run(command, capture_output=True, text=True, timeout=600)
    if done.returncode not in (0, 3):
        raise RuntimeError(f"{' '.join(command)}: {done.returncode}\n{done.stderr[:1500]}")
    return done


def draw(pdf, page, size, density):
    """A page at the pixels of the PNG."""
    base = pdf[:-4] + f"-drawn-{page}"
    run("pdftoppm", "-png", "-singlefile", "-f", str(page), "-l", str(page), "-r", str(density * ENLARGEMENT), pdf, base)
    # Paper rarely has a whole number of pixels.
    large = Image.open(base + ".png").convert("RGB")
    whole = Image.new("RGB", (size[0] * ENLARGEMENT, size[1] * ENLARGEMENT), "white")
    whole.paste(large)
    return whole.resize(size, Image.BOX)


def compare(name, png, pdf, arguments, page=1):
    expected = Image.open(png).convert("RGB")
    def option(key, usual):
        return float(arguments[arguments.index(key) + 1]) if key in arguments else usual
    drawn = draw(pdf, page, expected.size, option("--dpi", 96 * option("--pixel-ratio", 1)))
    drawn.save(pdf[:-4] + f"-drawn-{page}.png")
    mean = sum(ImageStat.Stat(ImageChops.difference(expected, drawn)).mean) / 3
    print(f"{name:24} {mean:.2f}")
    if mean > TOLERANCE:
        failures.append(f"{name}: the mean difference is {mean:.2f}")


for name, arguments in maps.items():
    try:
        png, pdf = f"{folder}/{name}.png", f"{folder}/{name}.pdf"
        run(portolan, "render", *arguments, "-o", png)
        run(portolan, "render", *arguments, "-o", pdf)
        run("qpdf", "--check", pdf)
        compare(name, png, pdf, arguments)
    except RuntimeError as error:
        failures.append(f"{name}: {error}")
for name, arguments in atlases.items():
    try:
        pdf = f"{folder}/{name}.pdf"
        run(portolan, "atlas", *arguments, "-o", f"{folder}/{name}-%02d.png")
        run(portolan, "atlas", *arguments, "-o", pdf)
        run("qpdf", "--check", pdf)
        pages = sorted(f for f in os.listdir(folder) if f.startswith(name + "-") and f[len(name) + 1:-4].isdigit())
        for number, page in enumerate(pages, 1):
            compare(f"{name} {number}", f"{folder}/{page}", pdf, arguments, number)
    except RuntimeError as error:
        failures.append(f"{name}: {error}")

for failure in failures:
    print("FAILED", failure, file=sys.stderr)
print(f"{len(maps)} maps and {len(atlases)} atlases as PDF, {len(failures)} failures")
sys.exit(1 if failures else 0)
