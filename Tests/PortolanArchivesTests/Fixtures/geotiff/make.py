#!/usr/bin/python3
"""Writes the GeoTIFFs beside it, and what GDAL reads from them: NAME.tif, NAME.png, and values.json. Needs python3-gdal, python3-numpy, python3-pil."""
import itertools, json, pathlib

import numpy
from osgeo import gdal, osr
from PIL import Image

gdal.UseExceptions()
gdal.SetConfigOption("GDAL_TIFF_INTERNAL_MASK", "YES")
here = pathlib.Path(__file__).resolve().parent
system = osr.SpatialReference()
system.ImportFromEPSG(32632)
WIDTH, HEIGHT = 75, 53
rows, columns = numpy.mgrid[0:HEIGHT, 0:WIDTH]
random = numpy.random.default_rng(5)


def values(dtype, band):
    base = (numpy.sin(columns / 9 + band) + numpy.cos(rows / 7)) * 0.24 + 0.5
    base[10:30, 20:50] = 0.25 * band
    if numpy.issubdtype(dtype, numpy.floating):
        return (base * 3000 - 500).astype(dtype)
    limits = numpy.iinfo(dtype)
    low = 0 if limits.min == 0 else -100
    return (base * (min(limits.max, 60000) - low) + low).astype(dtype)


def expected(dataset):
    """Colours as GDAL tells them; values of more than eight bits are stretched over their range."""
    bands = [dataset.GetRasterBand(number + 1) for number in range(dataset.RasterCount)]
    meaning = {band.GetColorInterpretation(): band for band in bands}
    colors = [meaning.get(each) for each in (gdal.GCI_RedBand, gdal.GCI_GreenBand, gdal.GCI_BlueBand)]
    table = bands[0].GetColorTable()
    colors = colors if all(colors) else bands[:1] if table or len(bands) < 3 else bands[:3]
    alpha = meaning.get(gdal.GCI_AlphaBand)
    opacity = alpha.ReadAsArray() if alpha else numpy.maximum.reduce([band.GetMaskBand().ReadAsArray() for band in colors])
    planes = [band.ReadAsArray() for band in colors]
    if table:
        entries = numpy.array([table.GetColorEntry(index) for index in range(table.GetCount())])
        planes = list(numpy.moveaxis(entries[planes[0]][..., :3], 2, 0))
    elif bands[0].DataType != gdal.GDT_Byte:
        valid = numpy.concatenate([plane[(band.GetMaskBand().ReadAsArray() > 0) & numpy.isfinite(plane)]
                                   for plane, band in zip(planes, colors)]).astype(float)
        low, high = valid.min(), valid.max()
        planes = [numpy.nan_to_num(numpy.clip(numpy.floor((plane.astype(float) - low) * 255 / (high - low) + 0.5), 0, 255)) for plane in planes]
    planes = planes * 3 if len(planes) == 1 else planes
    return numpy.dstack([*planes, opacity]).astype(numpy.uint8)


def write(name, kind, bands, *options, no_data=None, palette=False, has_alpha=False, has_mask=False, overviews=None, scaling=None):
    path = here / f"{name}.tif"
    dataset = gdal.GetDriverByName("GTiff").Create(str(path), WIDTH, HEIGHT, bands, kind, list(options))
    dataset.SetGeoTransform((500000, 10, 0, 5500000, 0, -10))
    dataset.SetProjection(system.ExportToWkt())
    dtype = {1: numpy.uint8, 2: numpy.uint16, 3: numpy.int16, 4: numpy.uint32, 5: numpy.int32, 6: numpy.float32, 7: numpy.float64}[kind]
    for number in range(bands):
        band, data = dataset.GetRasterBand(number + 1), values(dtype, number)
        if has_alpha and number == bands - 1:
            data = numpy.where(columns > 50, 255, numpy.where(columns > 25, 128, 0)).astype(dtype)
        if palette:
            table = gdal.ColorTable()
            for index, color in enumerate([(255, 0, 0), (0, 200, 30), (10, 20, 240), (250, 240, 20)]):
                table.SetColorEntry(index, (*color, 255))
            band.SetColorTable(table)
            data = data % 4
        if no_data is not None:
            data[30:40, 5:15] = no_data
            band.SetNoDataValue(no_data)
        if scaling:
            band.SetScale(scaling[0])
            band.SetOffset(scaling[1])
            band.SetDescription(f"height {number + 1}")
        band.WriteArray(data)
    if has_mask:
        dataset.CreateMaskBand(gdal.GMF_PER_DATASET)
        dataset.GetRasterBand(1).GetMaskBand().WriteArray(numpy.where((columns - 30) ** 2 + (rows - 25) ** 2 < 400, 255, 0).astype(numpy.uint8))
    if overviews:
        dataset.BuildOverviews("AVERAGE", overviews)
    dataset = None
    Image.fromarray(expected(gdal.Open(str(path))), "RGBA").save(here / f"{name}.png", optimize=True)


TILED = ("TILED=YES", "BLOCKXSIZE=32", "BLOCKYSIZE=16")
for compression, layout, interleaving in itertools.product(("NONE", "LZW", "DEFLATE", "PACKBITS"), (TILED, ("BLOCKYSIZE=20",)), ("PIXEL", "BAND")):
    predictor = ("PREDICTOR=2",) if compression in ("LZW", "DEFLATE") and interleaving == "PIXEL" else ()
    name = "-".join(["rgb", compression.lower(), "tiles" if layout is TILED else "strips", interleaving.lower()])
    write(name, gdal.GDT_Byte, 3, f"COMPRESS={compression}", f"INTERLEAVE={interleaving}", *layout, *predictor)
for order, big, kind in itertools.product(("LITTLE", "BIG"), ("NO", "YES"), (2, 3, 4, 5, 6, 7)):
    # GDAL 3.6 does not read floats with a predictor in the other byte order as it wrote them.
    predictor = 2 if kind < 6 else 3 if order == "LITTLE" else 1
    write(f"{gdal.GetDataTypeName(kind).lower()}-{order.lower()}{'-bigtiff' if big == 'YES' else ''}", kind, 1, f"ENDIANNESS={order}", f"BIGTIFF={big}",
          "COMPRESS=LZW", f"PREDICTOR={predictor}")
write("rgba", gdal.GDT_Byte, 4, "COMPRESS=DEFLATE", "ALPHA=YES", *TILED, has_alpha=True)
write("gray-alpha", gdal.GDT_Byte, 2, "COMPRESS=DEFLATE", "ALPHA=YES", has_alpha=True)
for bits in (2, 4, 8):
    write(f"palette-{bits}", gdal.GDT_Byte, 1, "COMPRESS=PACKBITS", f"NBITS={bits}", palette=True)
write("no-data-byte", gdal.GDT_Byte, 3, "COMPRESS=LZW", no_data=0)
write("no-data-float", gdal.GDT_Float32, 1, "COMPRESS=LZW", no_data=-9999)
write("no-data-nan", gdal.GDT_Float32, 1, "COMPRESS=LZW", no_data=float("nan"))
write("mask", gdal.GDT_Byte, 3, "COMPRESS=DEFLATE", *TILED, has_mask=True, overviews=[2])
write("sparse", gdal.GDT_Byte, 3, "SPARSE_OK=TRUE", *TILED)
write("five-bands", gdal.GDT_Byte, 5, "COMPRESS=LZW")
for photometric in ("YCBCR", "RGB"):
    write(f"jpeg-{photometric.lower()}", gdal.GDT_Byte, 3, "COMPRESS=JPEG", "JPEG_QUALITY=90", f"PHOTOMETRIC={photometric}", *TILED)
write("jpeg-gray", gdal.GDT_Byte, 1, "COMPRESS=JPEG", "JPEG_QUALITY=90")
write("jpeg-rgba", gdal.GDT_Byte, 4, "COMPRESS=JPEG", "JPEG_QUALITY=90", "PHOTOMETRIC=RGB", "ALPHA=YES", *TILED, has_alpha=True)
write("webp", gdal.GDT_Byte, 3, "COMPRESS=WEBP", "WEBP_LOSSLESS=YES", *TILED)
for compression in ("ZSTD", "LERC", "LERC_DEFLATE", "LERC_ZSTD"):
    write(f"{compression.lower()}-rgb", gdal.GDT_Byte, 3, f"COMPRESS={compression}", *TILED)
    write(f"{compression.lower()}-float32", gdal.GDT_Float32, 1, f"COMPRESS={compression}", no_data=float("nan"))
write("lerc-rgba", gdal.GDT_Byte, 4, "COMPRESS=LERC", "ALPHA=YES", *TILED, has_alpha=True)
write("lerc-band", gdal.GDT_Int16, 1, "COMPRESS=LERC", "INTERLEAVE=BAND", *TILED)
write("scaled", gdal.GDT_Int16, 2, "COMPRESS=DEFLATE", no_data=-7, scaling=(0.25, 100))

# The values of bands: for each the number of pixels with data, their sum, and the values along a diagonal.
values = {}
for path in sorted(here.glob("*.tif")):
    dataset = gdal.Open(str(path))
    values[path.stem] = []
    for number in range(dataset.RasterCount):
        band = dataset.GetRasterBand(number + 1)
        data = band.ReadAsArray().astype(float) * (band.GetScale() or 1) + (band.GetOffset() or 0)
        data[(band.GetMaskBand().ReadAsArray() == 0) | ~numpy.isfinite(data)] = numpy.nan
        diagonal = [None if numpy.isnan(data[each, each]) else float(data[each, each]) for each in range(0, HEIGHT, 4)]
        values[path.stem].append({"count": int((~numpy.isnan(data)).sum()), "sum": float(numpy.nansum(data)), "diagonal": diagonal})
(here / "values.json").write_text(json.dumps(values, indent=0))
