"""Times datashader (PyPI) drawing the points of a GeoJSON file at 2048 x 2048 and prints one JSON line a part of the whole that is in view,
the parts of `map-bench points`. The points are read and projected before.   usage: points_datashader.py FILE.geojson
"""
import json, statistics, sys, time
import datashader, numpy, pandas
from datashader import transfer_functions

with open(sys.argv[1]) as file: document = json.load(file)
places = numpy.array([feature["geometry"]["coordinates"] for feature in document["features"]])
x, y = numpy.radians(places[:, 0]) * 6378137, numpy.log(numpy.tan(numpy.pi / 4 + numpy.radians(places[:, 1]) / 2)) * 6378137
points = pandas.DataFrame({"x": x, "y": y})
middle = [(x.min() + x.max()) / 2, (y.min() + y.max()) / 2]
half = max(x.max() - x.min(), y.max() - y.min()) / 2
for part in [8, 4, 2, 1, 0.5, 0.25, 0.1, 0.03, 0.01, 0.001]:
    canvas = datashader.Canvas(2048, 2048, *[(place - half * part, place + half * part) for place in middle])
    times = []
    for _ in range(6):
        start = time.process_time()
        transfer_functions.shade(canvas.points(points, "x", "y"), how="linear")
        times.append((time.process_time() - start) * 1e3)
    print(json.dumps({"scene": f"points-{len(points)}-{part}", "datashader_cpu_ms": round(statistics.median(times[1:]), 1)}))
