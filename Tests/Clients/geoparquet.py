#!/usr/bin/env python3
"""GeoParquet files go both ways between portolan, pyarrow and geopandas.

usage: geoparquet.py PORTOLAN [RUNS]; needs pyarrow, geopandas, shapely and pyproj
"""
import json
import os
import random
import subprocess
import sys
import tempfile

import geopandas
import numpy
import pandas
import pyarrow as pa
import pyarrow.parquet as pq
import shapely

portolan, runs = os.path.abspath(sys.argv[1]), int(sys.argv[2]) if len(sys.argv) > 2 else 40
root = os.path.dirname(os.path.dirname(os.path.dirname(os.path.abspath(__file__))))
folder = tempfile.mkdtemp(prefix="portolan-geoparquet-")
failures = 0


def run(*arguments):
    done = subprocess.run([portolan, *arguments], capture_output=True, text=True, timeout=300)
    if done.returncode != 0:
        raise RuntimeError(f"portolan {' '.join(arguments)}: {done.returncode}\n{done.stderr}")
    return done.stderr


def check(name, condition, detail=""):
    global failures
    if not condition:
        failures += 1
        print(f"FAILED {name} {detail}", file=sys.stderr)


def same(name, frame, other):
    """Whether two frames have the same rows; integers may have become numbers where values are missing."""
    check(name, len(frame) == len(other), f"{len(frame)} rows, {len(other)}")
    for one, two in zip(frame.geometry, other.geometry):
        equal = (one is None or one.is_empty) and (two is None or two.is_empty) or (
            one is not None and two is not None and shapely.equals_exact(one, two, 0)
            and one.has_z == two.has_z)
        if not equal:
            return check(name, False, f"{one} is {two}")
    for column in frame.columns.drop(frame.geometry.name):
        if frame[column].isna().all() and column not in other.columns:
            continue
        if column not in other.columns:
            return check(name, False, f"no column {column}")
        for one, two in zip(frame[column], other[column]):
            missing = pandas.isna(one) if numpy.isscalar(one) or one is None else False
            if missing and pandas.isna(two):
                continue
            if missing != bool(pandas.isna(two)) or not missing and one != two:
                return check(name, False, f"{column}: {one!r} is {two!r}")


# Random tables in random forms are read as they are.
for seed in range(runs):
    chance = random.Random(seed)
    count = chance.choice([1, 7, 8, 9, 100, 1500])
    gaps = chance.random() * 0.5
    def values(make):
        return [None if chance.random() < gaps else make() for _ in range(count)]
    columns = {
        "whole": pa.array(values(lambda: chance.randint(-2**chance.randint(1, 62), 2**chance.randint(1, 62))), pa.int64()),
        "small": pa.array(values(lambda: chance.randint(-9, 9)), pa.int32()),
        "real": pa.array(values(lambda: chance.gauss(0, 1e6)), pa.float64()),
        "text": pa.array(values(lambda: "".join(chance.choices("abcäöü東 \n\"", k=chance.randint(0, 40)))), pa.string()),
        "kind": pa.array(values(lambda: chance.choice(["road", "path", "track"])), pa.string()),
        "flag": pa.array(values(lambda: chance.random() < 0.3), pa.bool_()),
    }
    def shape():
        x, y = chance.uniform(-170, 170), chance.uniform(-80, 80)
        return chance.choice([
            lambda: shapely.Point(x, y), lambda: shapely.Point(x, y, 7), lambda: shapely.box(x, y, x + 1, y + 1),
            lambda: shapely.LineString([(x + i, y + i % 3) for i in range(chance.randint(2, 40))]),
            lambda: shapely.MultiPoint([(x, y), (x + 1, y)]), lambda: None])()
    shapes = [shape() for _ in range(count)]
    columns["geometry"] = pa.array([None if s is None else shapely.to_wkb(s, flavor="iso") for s in shapes], pa.binary())
    meta = {"version": "1.1.0", "primary_column": "geometry", "columns": {"geometry": {"encoding": "WKB", "geometry_types": []}}}
    table = pa.table(columns).replace_schema_metadata({"geo": json.dumps(meta)})
    dictionaries = chance.random() < 0.5
    encodings = {} if dictionaries else {
        "whole": chance.choice(["PLAIN", "DELTA_BINARY_PACKED", "BYTE_STREAM_SPLIT"]),
        "small": chance.choice(["PLAIN", "DELTA_BINARY_PACKED", "BYTE_STREAM_SPLIT"]),
        "real": chance.choice(["PLAIN", "BYTE_STREAM_SPLIT"]),
        "text": chance.choice(["PLAIN", "DELTA_LENGTH_BYTE_ARRAY", "DELTA_BYTE_ARRAY"]),
        "geometry": chance.choice(["PLAIN", "DELTA_LENGTH_BYTE_ARRAY", "DELTA_BYTE_ARRAY"]),
        "flag": chance.choice(["PLAIN", "RLE"])}
    options = dict(
        compression=chance.choice(["none", "snappy", "gzip", "zstd"]), use_dictionary=dictionaries,
        data_page_version=chance.choice(["1.0", "2.0"]), data_page_size=chance.choice([50, 1000, 1 << 20]),
        write_batch_size=chance.choice([3, 1024]), version=chance.choice(["1.0", "2.4", "2.6"]),
        column_encoding=encodings or None, row_group_size=chance.choice([5, 1000, 1 << 20]),
        use_byte_stream_split=False)
    path = f"{folder}/{seed}.parquet"
    pq.write_table(table, path, **options)
    frame = geopandas.GeoDataFrame({n: table[n].to_pylist() for n in columns if n != "geometry"}, geometry=shapes, crs="OGC:CRS84")
    try:
        # What portolan reads, and what it writes of that, is read by geopandas.
        run("convert", path, f"{folder}/{seed}-again.parquet")
        again = geopandas.read_parquet(f"{folder}/{seed}-again.parquet")
        same(f"table {seed} {options}", frame, again)
    except RuntimeError as error:
        check(f"table {seed} {options}", False, error)

# Files of the repository keep their features, their coordinate system and boxes.
for name, crs in (("world/countries.shp", None), ("world/lakes.shp", "EPSG:3857"), ("helsinki/streets.geojson", "EPSG:3067"),
                  ("helsinki/streets.geojson", "EPSG:32635"), ("world/cities.csv", None)):
    source, out = f"{root}/Fixtures/{name}", f"{folder}/out.parquet"
    run("convert", source, out, *(["--crs", crs] if crs else []))
    run("convert", source, f"{folder}/out.gpkg", *(["--crs", crs] if crs else []))
    frame, other = geopandas.read_parquet(out), geopandas.read_file(f"{folder}/out.gpkg")
    check(name, frame.crs.to_epsg() == (int(crs[5:]) if crs else frame.crs.to_epsg()), frame.crs)
    check(name, frame.crs.equals(other.crs, ignore_axis_order=True) or frame.crs.to_authority() == ("OGC", "CRS84"), frame.crs)
    check(name, len(frame) == len(other) and all(
        shapely.equals_exact(a, b, 1e-9) for a, b in zip(frame.geometry, other.geometry)), "geometries differ")
    box = frame.geometry.iloc[len(frame) // 3].bounds
    found = geopandas.read_parquet(out, bbox=box)
    expected = frame[frame.geometry.apply(lambda g: shapely.box(*g.bounds).intersects(shapely.box(*box)))]
    check(name, len(found) == len(expected), f"{len(found)} features in a box, not {len(expected)}")
    meta = json.loads(pq.ParquetFile(out).metadata.metadata[b"geo"])
    check(name, meta["version"] == "1.1.0" and meta["columns"]["geometry"]["covering"]["bbox"]["xmin"] == ["bbox", "xmin"])

print(f"{runs} tables and 5 files of GeoParquet" + (f": {failures} failures" if failures else ""))
sys.exit(1 if failures else 0)
