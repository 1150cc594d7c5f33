#!/usr/bin/python3
"""Reads portolan-server with clients that others wrote, and compares their pictures with those of `portolan render`.

usage: clients.py SERVER PORTOLAN [MAPPROXY_PYTHON]

SERVER and PORTOLAN are the built programs, MAPPROXY_PYTHON a Python that has MapProxy. Needs Debian's gdal-bin, python3-gdal,
python3-owslib, python3-pil and python3-qgis.
"""
import io, json, os, pathlib, subprocess, sys, tempfile, textwrap, urllib.request

import numpy
from osgeo import gdal
from owslib.tms import TileMapService
from owslib.wms import WebMapService
from owslib.wmts import WebMapTileService
from PIL import Image

gdal.UseExceptions()
server_path, portolan_path = map(os.path.abspath, sys.argv[1:3])
mapproxy_python = os.path.abspath(sys.argv[3]) if len(sys.argv) > 3 else None
world = pathlib.Path(__file__).resolve().parents[2] / "Fixtures" / "world"
# A ground that is opaque: of clear pixels 8 bits say too little to compare them on white.
layers = ["ground.geojson;fill=#f4f8fc;stroke-width=0", f"{world}/countries.shp;fill=#e8e0d0;stroke=#705040",
          f"{world}/lakes.shp;fill=#88b8e0;stroke-width=0"]
failures = 0


def told(words, is_right, more=""):
    global failures
    failures += not is_right
    print("ok  " if is_right else "FAIL", words, more, flush=True)


def pixels(data):
    """The pixels of a picture: rows, columns, red green blue alpha."""
    return numpy.asarray(Image.open(io.BytesIO(data)).convert("RGBA"))


def opaque(image):
    """What a picture looks like on white."""
    image = image.astype(float)
    alpha = image[..., 3:] / 255
    return numpy.rint(image[..., :3] * alpha + 255 * (1 - alpha)).astype(int)


def difference(one, other):
    """How many pixels differ by more than the rounding of a blend with white, and by how much."""
    if one.shape != other.shape:
        return f"{one.shape} beside {other.shape}"
    far = numpy.abs(one.astype(int) - other.astype(int)).max(axis=2)
    return "" if far.max() <= 1 else f"{int((far > 1).sum())} pixels differ, by at most {far.max()}"


def same(words, one, other):
    told(words, not difference(one, other), difference(one, other))


def rendered(folder, crs, box, size):
    """What `portolan render` draws."""
    path = folder / "rendered.png"
    command = [portolan_path, "render", *(part for layer in layers for part in ("-l", layer)), "--crs", crs,
               "--bbox=" + ",".join(map(repr, box)), "--size", "%dx%d" % size, "-o", str(path)]
    subprocess.run(command, check=True, stderr=subprocess.PIPE, cwd=folder)
    return opaque(pixels(path.read_bytes()))


def mosaic(address, zoom, columns, rows, grid=""):
    """The tiles themselves, beside each other: lines are cut at their borders, so a map in one picture has other joints there."""
    def tile(x, y):
        with urllib.request.urlopen(f"{address}tiles/world/{grid}{zoom}/{x}/{y}.png") as answer:
            return opaque(pixels(answer.read()))
    return numpy.vstack([numpy.hstack([tile(x, y) for x in columns]) for y in rows])


def gdal_picture(dataset, window=None):
    array = dataset.ReadAsArray(*(window or (0, 0, dataset.RasterXSize, dataset.RasterYSize)))
    array = numpy.moveaxis(array, 0, 2)
    if array.shape[2] == 3:
        array = numpy.dstack([array, numpy.full(array.shape[:2], 255)])
    return opaque(array)


MERCATOR = (0.0, 4000000.0, 4000000.0, 8000000.0)
HALF = 20037508.342789244


def by_gdal(address, folder):
    expected = rendered(folder, "EPSG:3857", MERCATOR, (512, 512))
    for version, key in [("1.1.1", "SRS"), ("1.3.0", "CRS")]:
        document = f"""<GDAL_WMS><Service name="WMS"><Version>{version}</Version><ServerUrl>{address}wms?</ServerUrl>
            <{key}>EPSG:3857</{key}><ImageFormat>image/png</ImageFormat><Layers>world</Layers></Service>
            <DataWindow><UpperLeftX>{MERCATOR[0]}</UpperLeftX><UpperLeftY>{MERCATOR[3]}</UpperLeftY><LowerRightX>{MERCATOR[2]}</LowerRightX>
            <LowerRightY>{MERCATOR[1]}</LowerRightY><SizeX>512</SizeX><SizeY>512</SizeY></DataWindow><Projection>EPSG:3857</Projection>
            <BandsCount>3</BandsCount><BlockSizeX>512</BlockSizeX><BlockSizeY>512</BlockSizeY></GDAL_WMS>"""
        same(f"GDAL, WMS {version}", gdal_picture(gdal.Open(document)), expected)
    listed = gdal.Open(f"WMS:{address}wms?service=WMS&request=GetCapabilities").GetMetadata("SUBDATASETS")
    told("GDAL, WMS: the capabilities name the map", any("LAYERS=world" in text for text in listed.values()))
    # Tiles of level 3 about 0, 0: four of them.
    side = HALF / 4
    expected = mosaic(address, 3, (4, 5), (3, 4))
    dataset = gdal.Open(f"WMTS:{address}wmts/1.0.0/WMTSCapabilities.xml,layer=world,tilematrixset=WebMercatorQuad,tilematrix=3")
    left, top = (int(round(value)) for value in ((0 - dataset.GetGeoTransform()[0]) / dataset.GetGeoTransform()[1],
                                                 (side - dataset.GetGeoTransform()[3]) / dataset.GetGeoTransform()[5]))
    same("GDAL, WMTS", gdal_picture(dataset, (left, top, 512, 512)), expected)
    dataset = gdal.OpenEx(f"OGCAPI:{address}ogc/collections/world", gdal.OF_RASTER, open_options=["API=MAP"])
    told("GDAL, OGC API - Maps", dataset.ReadAsArray(0, 0, 64, 64).shape[1:] == (64, 64))
    # Of the grids, GDAL 3.6 takes that in degrees: it reads the box of a collection as if it were in the units of the grid.
    dataset = gdal.OpenEx(f"OGCAPI:{address}ogc/collections/world", gdal.OF_RASTER, open_options=["API=TILES", "TILEMATRIX=2"])
    left = round(-dataset.GetGeoTransform()[0] / dataset.GetGeoTransform()[1])
    top = round((45 - dataset.GetGeoTransform()[3]) / dataset.GetGeoTransform()[5])
    same("GDAL, OGC API - Tiles", gdal_picture(dataset, (left, top, 512, 256)), mosaic(address, 2, (4, 5), (1,), "WorldCRS84Quad/"))
    listed = gdal.Open(f"{address}tms/1.0.0/").GetMetadata("SUBDATASETS")
    dataset = gdal.Open(next(text for text in listed.values() if text.endswith("/world/WebMercatorQuad")))
    # The last overviews are levels 0 and 1: level 3 is the fourth from the end.
    band = dataset.GetRasterBand(1)
    wanted = next(number for number in range(band.GetOverviewCount()) if band.GetOverview(number).XSize == 2048)
    array = numpy.dstack([dataset.GetRasterBand(place).GetOverview(wanted).ReadAsArray(1024, 768, 512, 512)
                          for place in range(1, dataset.RasterCount + 1)])
    same("GDAL, TMS", array.astype(int)[..., :3], expected)


def by_owslib(address, folder):
    expected = rendered(folder, "EPSG:3857", MERCATOR, (400, 400))
    for version in ("1.1.1", "1.3.0"):
        service = WebMapService(f"{address}wms", version=version)
        answer = service.getmap(layers=["world"], srs="EPSG:3857", bbox=MERCATOR, size=(400, 400), format="image/png")
        same(f"OWSLib, WMS {version}", opaque(pixels(answer.read())), expected)
    degrees = (-30.0, 10.0, 50.0, 70.0)
    expected = rendered(folder, "EPSG:4326", degrees, (400, 300))
    answer = WebMapService(f"{address}wms", version="1.3.0").getmap(
        layers=["world"], srs="EPSG:4326", bbox=degrees, size=(400, 300), format="image/png")
    same("OWSLib, WMS 1.3.0, latitude first", opaque(pixels(answer.read())), expected)
    service = WebMapTileService(f"{address}wmts/1.0.0/WMTSCapabilities.xml")
    answer = service.gettile(layer="world", tilematrixset="WebMercatorQuad", tilematrix="2", row=1, column=2, format="image/png")
    side = HALF / 2
    tms = TileMapService(f"{address}tms/1.0.0/")
    maps = dict(tms.items(srs="EPSG:3857", profile="global-mercator"))
    tile = tms.gettile(2, 2, 2, id=next(iter(maps)))
    same("OWSLib, TMS", opaque(pixels(tile.read())), mosaic(address, 2, (2,), (1,)))
    same("OWSLib, WMTS", opaque(pixels(answer.read())), rendered(folder, "EPSG:3857", (0.0, 0.0, side, side), (256, 256)))


def by_mapproxy(address, folder):
    """MapProxy as a cascade: over the WMS, and over the tiles."""
    configuration = f"""
        services: {{wms: {{srs: ['EPSG:3857', 'EPSG:4326']}}, tms: {{}}}}
        layers:
          - {{name: map, title: Map, sources: [wms]}}
          - {{name: tiles, title: Tiles, sources: [kept]}}
        caches:
          kept: {{grids: [GLOBAL_WEBMERCATOR], sources: [xyz], disable_storage: true}}
        sources:
          wms: {{type: wms, supported_srs: ['EPSG:3857'], wms_opts: {{version: '1.3.0'}}, req: {{url: '{address}wms?', layers: world}}}}
          xyz: {{type: tile, grid: GLOBAL_WEBMERCATOR, url: '{address}tiles/world/%(z)s/%(x)s/%(y)s.png'}}
        """
    (folder / "mapproxy.yaml").write_text(textwrap.dedent(configuration))
    program = """
import sys
from mapproxy.wsgiapp import make_wsgi_app
app = make_wsgi_app(sys.argv[1])
path, query = sys.argv[2].split('?')
status = []
body = b''.join(app({'REQUEST_METHOD': 'GET', 'PATH_INFO': path, 'QUERY_STRING': query, 'SCRIPT_NAME': '', 'HTTP_HOST': 'localhost',
    'SERVER_NAME': 'localhost', 'SERVER_PORT': '80', 'wsgi.url_scheme': 'http', 'wsgi.input': sys.stdin.buffer}, lambda code, *more: status.append(code)))
assert status[0].startswith('200'), (status, body[:500])
sys.stdout.buffer.write(body)
"""

    def ask(target):
        run = subprocess.run([mapproxy_python, "-c", program, str(folder / "mapproxy.yaml"), target], capture_output=True, stdin=subprocess.DEVNULL)
        if run.returncode:
            raise RuntimeError(run.stderr.decode()[-500:])
        return opaque(pixels(run.stdout))

    box = ",".join(map(repr, MERCATOR))
    asked = f"/service?SERVICE=WMS&VERSION=1.1.1&REQUEST=GetMap&LAYERS=map&STYLES=&SRS=EPSG:3857&BBOX={box}&WIDTH=300&HEIGHT=300&FORMAT=image/png"
    same("MapProxy over the WMS", ask(asked), rendered(folder, "EPSG:3857", MERCATOR, (300, 300)))
    side = HALF / 2
    # Its rows are counted from below.
    same("MapProxy over the tiles", ask("/tms/1.0.0/tiles/EPSG3857/1/2/2.png?"), rendered(folder, "EPSG:3857", (0.0, 0.0, side, side), (256, 256)))


def by_qgis(address, folder):
    """QGIS without a display, in a process of its own."""
    program = """
import sys
from qgis.core import QgsApplication, QgsRasterLayer, QgsVectorTileLayer, QgsRectangle, QgsMapSettings, QgsMapRendererSequentialJob
from qgis.core import QgsCoordinateReferenceSystem
from qgis.PyQt.QtCore import QSize
from qgis.PyQt.QtGui import QColor
QgsApplication.setPrefixPath('/usr', True)
application = QgsApplication([], False)
application.initQgis()
uri, path, box = sys.argv[1], sys.argv[2], [float(text) for text in sys.argv[3].split(',')]
layer = QgsVectorTileLayer(uri, 'world') if uri.endswith('.pbf') else QgsRasterLayer(uri, 'world', 'wms')
assert layer.isValid(), layer.error().message()
settings = QgsMapSettings()
settings.setLayers([layer])
settings.setDestinationCrs(QgsCoordinateReferenceSystem('EPSG:3857'))
settings.setOutputSize(QSize(512, 512))
settings.setOutputDpi(90.714)
settings.setBackgroundColor(QColor('white'))
settings.setExtent(QgsRectangle(*box))
job = QgsMapRendererSequentialJob(settings)
job.start()
job.waitForFinished()
job.renderedImage().save(path)
"""
    uris = {
        "WMS": f"url={address}wms?&layers=world&styles=&format=image/png&crs=EPSG:3857",
        "XYZ": f"type=xyz&zmin=0&zmax=18&url={address}tiles/world/{{z}}/{{x}}/{{y}}.png",
        "vector tiles": f"type=xyz&zmin=0&zmax=14&url={address}data/world/{{z}}/{{x}}/{{y}}.pbf",
        "WMTS": f"url={address}wmts/1.0.0/WMTSCapabilities.xml&layers=world&styles=default&format=image/png&tileMatrixSet=WebMercatorQuad&crs=EPSG:3857",
    }
    side = HALF / 2
    for name, uri in uris.items():
        box = (0.0, 0.0, 2 * side, 2 * side) if name != "WMS" else MERCATOR
        expected = rendered(folder, "EPSG:3857", box, (512, 512)) if name == "WMS" else mosaic(address, 2, (2, 3), (0, 1))
        path = folder / f"qgis-{name}.png"
        run = subprocess.run(["/usr/bin/python3", "-c", program, uri, str(path), ",".join(map(repr, box))], capture_output=True, text=True,
                             env={**os.environ, "QT_QPA_PLATFORM": "offscreen", "HOME": str(folder)})
        if run.returncode or not path.exists():
            told(f"QGIS, {name}", False, run.stderr[-500:])
            continue
        image = opaque(pixels(path.read_bytes()))
        if name == "vector tiles":
            # QGIS draws them in a style of its own: without land, as the ground covers all, only its lines show it.
            told(f"QGIS, {name}", len(numpy.unique(image.reshape(-1, 3), axis=0)) > 2)
        else:
            same(f"QGIS, {name}", image, expected)


def by_doctor(address, folder):
    for path in ("wms?", "wmts/1.0.0/WMTSCapabilities.xml"):
        run = subprocess.run([portolan_path, "doctor", address + path, "--json"], capture_output=True, text=True)
        sections = json.loads(run.stdout)["sections"]
        worries = [each for section in sections for each in section["findings"] if each["severity"] not in ("good", "note")]
        told(f"portolan doctor, {path}", run.returncode == 0, "; ".join(str(each) for each in worries)[:800])


def main():
    with tempfile.TemporaryDirectory() as name:
        folder = pathlib.Path(name)
        gdal.SetConfigOption("GDAL_DEFAULT_WMS_CACHE_PATH", name)
        ring = [[-180, -85.06], [180, -85.06], [180, 85.06], [-180, 85.06], [-180, -85.06]]
        ground = {"type": "Feature", "properties": {"fill-opacity": 1}, "geometry": {"type": "Polygon", "coordinates": [ring]}}
        (folder / "ground.geojson").write_text(json.dumps(ground))
        quoted = ", ".join(json.dumps(layer) for layer in layers)
        (folder / "server.yaml").write_text(f"port: 0\nmaps:\n  world: {{title: The world, zooms: 0-18, layers: [{quoted}]}}\n")
        process = subprocess.Popen([server_path, str(folder / "server.yaml"), "--quiet"], stdout=subprocess.PIPE, text=True)
        try:
            address = process.stdout.readline().strip()
            by_gdal(address, folder)
            by_owslib(address, folder)
            if mapproxy_python:
                by_mapproxy(address, folder)
            by_qgis(address, folder)
            by_doctor(address, folder)
        finally:
            process.terminate()
        told("SIGTERM ends the server with 0", process.wait(60) == 0)
    sys.exit(failures > 0)


main()
