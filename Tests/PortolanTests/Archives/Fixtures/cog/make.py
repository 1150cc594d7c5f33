#!/usr/bin/python3
"""Writes images beside it: cog.tif and values.tif are Cloud Optimized GeoTIFFs, strips.tif is none; NAME.png are pictures of values.tif
as NumPy draws them. Needs python3-gdal, python3-numpy, python3-pil."""
import pathlib

import numpy
from osgeo import gdal, osr
from PIL import Image

gdal.UseExceptions()
here = pathlib.Path(__file__).resolve().parent
system = osr.SpatialReference()
system.ImportFromEPSG(3857)


def source(kind, bands, size, resolution, values):
    dataset = gdal.GetDriverByName("MEM").Create("", size, size, bands, kind)
    dataset.SetGeoTransform((2770000, resolution, 0, 8440000, 0, -resolution))
    dataset.SetProjection(system.ExportToWkt())
    for number in range(bands):
        dataset.GetRasterBand(number + 1).WriteArray(values[number])
    return dataset


rows, columns = numpy.mgrid[0:1024, 0:1024]
colors = [(numpy.sin(columns / 90 + band) * numpy.cos(rows / (70 + 20 * band)) * 110 + 128).astype(numpy.uint8) for band in range(3)]
image = source(gdal.GDT_Byte, 3, 1024, 10, colors)
options = ["COMPRESS=DEFLATE", "PREDICTOR=2", "BLOCKSIZE=256", "OVERVIEW_RESAMPLING=AVERAGE", "LEVEL=9"]
gdal.GetDriverByName("COG").CreateCopy(str(here / "cog.tif"), image, options=options)
gdal.GetDriverByName("GTiff").CreateCopy(str(here / "strips.tif"), source(gdal.GDT_Byte, 1, 600, 10, [colors[1][:600, :600]]), options=["COMPRESS=DEFLATE"])

# Reflectances of 16 bits with a place without data.
rows, columns = numpy.mgrid[0:200, 0:200]
bands = [(500 + 900 * band + 8 * columns + 5 * rows + 300 * numpy.sin(columns / 9)).astype(numpy.uint16) for band in range(4)]
for band in bands:
    band[20:60, 30:90] = 0
image = source(gdal.GDT_UInt16, 4, 200, 10, bands)
for number in range(4):
    image.GetRasterBand(number + 1).SetNoDataValue(0)
image.GetRasterBand(4).SetDescription("nir")
gdal.GetDriverByName("COG").CreateCopy(str(here / "values.tif"), image, options=["COMPRESS=DEFLATE", "BLOCKSIZE=256"])
has_data = bands[0] > 0


def write(name, planes):
    planes = [numpy.clip(numpy.floor(plane + 0.5), 0, 255) for plane in planes]
    opacity = planes[3] if len(planes) > 3 else numpy.full((200, 200), 255)
    Image.fromarray(numpy.dstack([*planes[:3], numpy.where(has_data, opacity, 0)]).astype(numpy.uint8), "RGBA").save(here / f"{name}.png", optimize=True)


def stretched(band, low, high, gamma=1.0):
    return numpy.clip((bands[band - 1].astype(float) - low) / (high - low), 0, 1) ** (1 / gamma) * 255


def percentile(band, share):
    return numpy.percentile(bands[band - 1][has_data], share)


write("bands", [stretched(4, 0, 3000), stretched(2, 0, 3000), stretched(1, 0, 3000)])
write("percentiles", [stretched(band, percentile(band, 2), percentile(band, 98)) for band in (4, 2, 1)])
write("gamma", [stretched(1, 500, 3000, 2)] * 3)
value = bands[1].astype(float)
write("ramp", [numpy.interp(value, [1000, 2500, 4000], each) for each in ([255, 0, 0], [0, 255, 0], [0, 0, 255])])
# ColorBrewer's YlOrBr of three classes, reversed: d95f0e, fec44f, fff7bc.
place = numpy.digitize(value, [2000, 3000], right=True)
write("classes", [numpy.choose(place, each) for each in ([0xD9, 0xFE, 0xFF], [0x5F, 0xC4, 0xF7], [0x0E, 0x4F, 0xBC])])
write("intervals", [numpy.choose(numpy.digitize(value, [1500, 2500]), each) for each in ([255, 0, 0], [0, 255, 0], [0, 0, 0], )] +
      [numpy.choose(numpy.digitize(value, [1500, 2500]), [255, 255, 0])])
