#!/usr/bin/env python3
"""Shapefiles of portolan in any CRS are recognized by GDAL and PROJ, with coordinates that agree with PROJ's to a millimetre.

usage: shapefiles.py PORTOLAN [all | CODE…]; needs geopandas, pyogrio, shapely and pyproj
  (no codes: a sample of each method, datum and unit; all: each code that is built in, which takes long)
"""
import math
import os
import random
import subprocess
import sys
import tempfile

import geopandas
import pyogrio
import pyproj
import shapely
from pyproj import CRS, Transformer

portolan = os.path.abspath(sys.argv[1])
root = os.path.dirname(os.path.dirname(os.path.dirname(os.path.abspath(__file__))))
folder = tempfile.mkdtemp(prefix="portolan-shapefiles-")
failures = 0
# Of these systems east of Paris, Lisbon and Oslo, those east of Greenwich.
GREENWICH = {4807: 4275, 4803: 4207, 4817: 4273}
SAMPLE = (
    "EPSG:25830 EPSG:32601 EPSG:32760 EPSG:3857 EPSG:3395 EPSG:2154 EPSG:3035 EPSG:5070 EPSG:3338 EPSG:3413 EPSG:3031 EPSG:3976 "
    "EPSG:32661 EPSG:32761 EPSG:28992 EPSG:2056 EPSG:21781 EPSG:23700 EPSG:2263 EPSG:3078 EPSG:5514 EPSG:27700 EPSG:31370 "
    "EPSG:31467 EPSG:8857 EPSG:3067 EPSG:3006 EPSG:2180 EPSG:2193 EPSG:3577 EPSG:3112 EPSG:6931 EPSG:31287 EPSG:2039 "
    "EPSG:2227 EPSG:26917 EPSG:26717 EPSG:23031 EPSG:31256 EPSG:3301 EPSG:3844 EPSG:27572 EPSG:20790 EPSG:27393 EPSG:6201 "
    "EPSG:4258 EPSG:4326 EPSG:4277 ESRI:54008 ESRI:54009 ESRI:54012 ESRI:54030 ESRI:54032 ESRI:54035 ESRI:54042 ESRI:54077 "
    "ESRI:102013 ESRI:102004 ESRI:102017 ESRI:102035").split()
# Projections by name, and PROJ's strings for them.
NAMED = {
    "robinson:lon=10": "+proj=robin +lon_0=10", "winkel-tripel": "+proj=wintri", "mollweide": "+proj=moll",
    "equal-earth": "+proj=eqearth", "eckert4:lon=-70": "+proj=eck4 +lon_0=-70", "natural-earth": "+proj=natearth",
    "sinusoidal:lon=15": "+proj=sinu +lon_0=15", "aeqd:lon=25,lat=60": "+proj=aeqd +lon_0=25 +lat_0=60",
    "laea:lon=10,lat=52": "+proj=laea +lon_0=10 +lat_0=52",
    "tpeqd:lon1=-74,lat1=41,lon2=25,lat2=60": "+proj=tpeqd +lon_1=-74 +lat_1=41 +lon_2=25 +lat_2=60",
    "albers:lat1=29.5,lat2=45.5,lon=-96,lat=23": "+proj=aea +lat_1=29.5 +lat_2=45.5 +lon_0=-96 +lat_0=23",
    "lcc:lat1=49,lat2=44,lon=3,lat=46.5": "+proj=lcc +lat_1=49 +lat_2=44 +lon_0=3 +lat_0=46.5",
    "lcc:lat1=49,lat2=44,lon=3,lat=46.5,k=0.999": "+proj=lcc +lat_1=49 +lat_2=44 +lon_0=3 +lat_0=46.5 +k_0=0.999",
    "lcc:lat1=-30,lon=20,lat=-40": "+proj=lcc +lat_1=-30 +lon_0=20 +lat_0=-40",
    "omerc:lon=-100,lat=40,azimuth=45": "+proj=omerc +lonc=-100 +lat_0=40 +alpha=45",
    "omerc:lon=115,lat=4,azimuth=53.3,grid-angle=53.1,k=0.99984":
        "+proj=omerc +lonc=115 +lat_0=4 +alpha=53.3 +gamma=53.1 +k=0.99984",
    "tmerc:lon=24,k=0.9996,x=500000": "+proj=tmerc +lon_0=24 +k=0.9996 +x_0=500000",
    "robinson:radius=6371000": "+proj=robin +R=6371000",
}


def fail(name, detail):
    global failures
    failures += 1
    print(f"FAILED {name}: {detail}", file=sys.stderr)


def convert(*arguments):
    done = subprocess.run([portolan, "convert", *arguments, "--quiet"], capture_output=True, text=True, timeout=300)
    return None if done.returncode == 0 else done.stderr


def places(area, name):
    chance = random.Random(name)
    west, south, east, north = area
    if east < west:
        east += 360
    def longitude():
        x = chance.uniform(west, east)
        return x - 360 if x > 180 else x
    return [shapely.Point(longitude(), chance.uniform(south, north)) for _ in range(20)]


def compare(name, base, shapes, expected, tolerance=1e-3):
    """Writes the places in `base`, converts them, and compares what GDAL reads with `expected`; returns the .prj."""
    source, out = f"{folder}/in.shp", f"{folder}/out.shp"
    pyogrio.write_dataframe(geopandas.GeoDataFrame({"n": range(len(shapes))}, geometry=shapes, crs=base), source)
    fault = convert(source, out, "--crs", name)
    if fault:
        return fail(name, fault)
    read = pyogrio.read_dataframe(out)
    # Places outside the domain of the projection have no shape.
    found = {n: g for n, g in zip(read["n"], read.geometry) if g is not None}
    if len(found) < 15 or len(read) != len(expected):
        return fail(name, f"{len(found)} places in {len(read)} rows")
    worst = max(math.hypot(g.x - expected[n][0], g.y - expected[n][1]) for n, g in found.items())
    if not worst < tolerance:
        fail(name, f"{worst} off")
    return open(f"{folder}/out.prj").read(), read.crs


def check_code(name):
    authority, code = name.split(":")
    system = CRS.from_authority(authority, code)
    base = system.geodetic_crs
    number = base.to_epsg()
    base = CRS.from_epsg(GREENWICH.get(number, number)) if number else base
    area = system.area_of_use
    bounds = (area.west, area.south, area.east, area.north) if area else (-180, -90, 180, 90)
    shapes = places((bounds[0], max(bounds[1], -85), bounds[2], min(bounds[3], 85)), name)
    if system.is_geographic:
        expected = [(p.x, p.y) for p in shapes]
    else:
        # From a sphere or from the same datum nothing is shifted.
        way = Transformer.from_crs(base, system, always_xy=True)
        expected = [way.transform(p.x, p.y) for p in shapes]
    factor = system.axis_info[0].unit_conversion_factor if system.is_projected else 1
    result = compare(name, base, shapes, expected, 1e-9 if system.is_geographic else 1e-3 / factor)
    if not result:
        return None
    text, read = result
    own = CRS.from_wkt(text)
    found = own.to_authority(min_confidence=70)
    # GDAL's own reading: with the axes x first.
    same = own.equals(system, ignore_axis_order=True) or found and CRS.from_authority(*found).equals(system, ignore_axis_order=True)
    if found != (authority, code) and not same:
        return f"{name}: {found}"
    confident = own.to_authority(min_confidence=90)
    return None if confident else f"{name}: only {found} by less than 90 %"


def check_named(name, proj):
    base = "OGC:CRS84" if "+R" not in proj else None
    shapes = places((-9, -30, 40, 60) if "lon1=" not in name and "-100" not in name and "-96" not in name and "115" not in name
                    else (-120, 20, -80, 50) if "115" not in name else (110, -5, 120, 9), name)
    way = Transformer.from_pipeline(
        f"+proj=pipeline +step +proj=unitconvert +xy_in=deg +xy_out=rad +step {proj}" + ("" if "+R" in proj else " +ellps=WGS84"))
    expected = [way.transform(p.x, p.y) for p in shapes]
    result = compare(name, "OGC:CRS84", shapes, expected)
    if not result:
        return
    # The definition says the same to PROJ.
    system = CRS.from_wkt(result[0])
    back = Transformer.from_crs(system.geodetic_crs, system, always_xy=True)
    worst = max(math.hypot(*(a - b for a, b in zip(back.transform(p.x, p.y), e))) for p, e in zip(shapes, expected))
    if not worst < 1e-3:
        fail(name, f"the definition is {worst} off: {result[0]}")


codes = sys.argv[2:] or SAMPLE
if codes == ["all"]:
    table = "".join(open(f"{root}/Sources/PortolanGeo/CRS/EPSGNames+{part}.swift").read() for part in ("Table", "Table2"))
    codes, code = [], 0
    for line in table.splitlines():
        if not line.startswith("        ") or '"""' in line:
            continue
        for token in line.split():
            if token.startswith("@"):
                continue
            code = int(token.split("=")[0]) if "=" in token else code + 1
            codes.append(f"{'ESRI' if code > 32767 else 'EPSG'}:{code}")
vague = []
for name in codes:
    try:
        note = check_code(name)
    except pyproj.exceptions.CRSError as error:
        note = f"{name}: {error}"
    if note:
        vague.append(note)
if len(sys.argv) < 3:
    for name, proj in NAMED.items():
        check_named(name, proj)
    # What ESRI's text cannot state is an error, and no file.
    fault = convert(f"{folder}/in.shp", f"{folder}/globe.shp", "--crs", "ortho:lon=10,lat=45")
    if not fault or os.path.exists(f"{folder}/globe.shp"):
        fail("ortho", "no error")
for note in vague:
    print(f"not recognized: {note}", file=sys.stderr)
print(f"{len(codes)} Shapefiles by code, {len(vague)} of them not recognized by PROJ" + (f": {failures} failures" if failures else ""))
sys.exit(1 if failures or (vague and len(sys.argv) < 3) else 0)
