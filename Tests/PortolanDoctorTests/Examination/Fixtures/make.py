#!/usr/bin/python3
"""Writes images of 600 by 600 pixels beside it whose parts lie in different orders, and verdicts.json: the errors and warnings of GDAL's
validate_cloud_optimized_geotiff. Needs python3-gdal, python3-numpy."""
import json, pathlib

import numpy
from osgeo import gdal, osr
from osgeo_utils.samples.validate_cloud_optimized_geotiff import validate, ValidateCloudOptimizedGeoTIFFException

gdal.UseExceptions()
here = pathlib.Path(__file__).resolve().parent
system = osr.SpatialReference()
system.ImportFromEPSG(32632)


def source(side=600):
    rows, columns = numpy.mgrid[0:side, 0:side]
    image = gdal.GetDriverByName("MEM").Create("", side, side, 1, gdal.GDT_Byte)
    image.SetGeoTransform((500000, 10, 0, 5500000, 0, -10))
    image.SetProjection(system.ExportToWkt())
    image.GetRasterBand(1).WriteArray(((columns // 75 + rows // 75) * 16).astype(numpy.uint8))
    return image


def write(name, driver, image, *options):
    gdal.GetDriverByName(driver).CreateCopy(str(here / f"{name}.tif"), image, options=["COMPRESS=DEFLATE", *options])


write("cog", "COG", source(), "BLOCKSIZE=256")
write("strips", "GTiff", source())
write("tiles", "GTiff", source(), "TILED=YES")
write("small-strips", "GTiff", source(300))
write("overviews-behind", "GTiff", source(), "TILED=YES")
dataset = gdal.Open(str(here / "overviews-behind.tif"), gdal.GA_Update)
dataset.BuildOverviews("AVERAGE", [2, 4])
dataset = None
image = source()
image.BuildOverviews("AVERAGE", [2, 4])
write("copied-overviews", "GTiff", image, "TILED=YES", "COPY_SRC_OVERVIEWS=YES")
# The directory of an edited file is written behind the blocks.
write("edited", "COG", source(), "BLOCKSIZE=256")
dataset = gdal.OpenEx(str(here / "edited.tif"), gdal.OF_UPDATE, open_options=["IGNORE_COG_LAYOUT_BREAK=YES"])
dataset.SetMetadataItem("NOTE", "edited" * 100)
dataset.BuildOverviews("AVERAGE", [8])
dataset = None
verdicts = {}
for path in sorted(here.glob("*.tif")):
    warnings, errors, _ = validate(str(path), full_check=True)
    verdicts[path.stem] = {"errors": errors, "warnings": warnings}
(here / "verdicts.json").write_text(json.dumps(verdicts, indent=1) + "\n")
