#!/usr/bin/env python3
"""Compares pictures of GeoTIFF files with the pixels that GDAL reads.

usage: Tests/Clients/geotiff.py PORTOLAN FOLDER   (needs rasterio and Pillow)

Each file below FOLDER that GDAL opens and places on the earth is drawn three times:
- pixel by pixel: all are equal, by 1 after scaling. JPEG may differ by 0.6 of 255 on average, since decoders enlarge
  colours of half the size differently.
- a quarter as large: the mean difference is at most 1 of 255, from GDAL's averages or its linear interpolation, with
  overviews or without, or from the means of its pixels.
- four times as large around its middle: the mean difference from linear interpolation is at most 1 of 255.
At the edges of places without data, where GDAL chooses between pixels, the last two are not compared.
Where GDAL reads a file and the command refuses it, the refusal is listed.
"""
import io, math, pathlib, subprocess, sys, warnings
import numpy, rasterio
from PIL import Image
from rasterio.enums import ColorInterp, Resampling
from rasterio.windows import Window

warnings.filterwarnings("ignore")
SIDE = 1024  # pixels of a picture at most


def draw(command, path, keys, crs, box, size):
    """The premultiplied pixels of a picture, or the message of a refusal."""
    run = subprocess.run(
        [command, "render", "-l", f"geotiff:{path}{keys}", "--crs", crs, "--background", "transparent",
         "--bbox=" + ",".join(repr(number) for number in box), "--size", f"{size[0]}x{size[1]}",
         "--attribution", "none", "-o", "-"], capture_output=True)
    if run.returncode != 0:
        return run.stderr.decode().strip().splitlines()[-1]
    pixels = numpy.asarray(Image.open(io.BytesIO(run.stdout)).convert("RGBA")).astype(float)
    pixels[..., :3] *= pixels[..., 3:] / 255
    return pixels


class Picture:
    """The colours of a file as GDAL describes them, and the keys that ask for the same ones."""

    def __init__(self, file):
        self.file, self.keys = file, ""
        self.isLossy = file.compression is not None and file.compression.value in ("JPEG", "WEBP")
        kinds = file.colorinterp
        colors = [ColorInterp.red, ColorInterp.green, ColorInterp.blue]
        self.bands = [kinds.index(kind) + 1 for kind in colors] if all(kind in kinds for kind in colors) else [1]
        self.palette = kinds[0] == ColorInterp.palette and file.colormap(1) or None
        self.alpha = kinds.index(ColorInterp.alpha) + 1 if ColorInterp.alpha in kinds else None
        self.isByte = file.dtypes[0] == "uint8" and file.tags(1, ns="IMAGE_STRUCTURE").get("NBITS") is None
        self.range = (0, 255)
        if not self.palette and not self.isByte:
            values = self.values(None, file.read(self.bands, masked=True))
            valid = values[numpy.isfinite(values) & ~numpy.ma.getmaskarray(values)]
            self.range = (float(valid.min()), float(valid.max())) if valid.size else (0, 1)
            if self.range[0] == self.range[1]:
                self.range = (self.range[0], self.range[0] + 1)
            bands = ",".join(map(str, self.bands))
            self.keys = f";bands={bands};range={self.range[0]!r}..{self.range[1]!r}"

    @classmethod
    def like(cls, other, file):
        """The same colours, of a file that is opened in another way."""
        picture = cls.__new__(cls)
        picture.__dict__.update(other.__dict__)
        picture.file = file
        return picture

    def values(self, window, data):
        scales = [(self.file.scales[band - 1], self.file.offsets[band - 1]) for band in self.bands]
        return numpy.ma.stack([data[i] * scale + offset if (scale, offset) != (1, 0) else data[i].astype(float)
                               for i, (scale, offset) in enumerate(scales)])

    def read(self, window, size=None, resampling=Resampling.nearest):
        """The premultiplied pixels that GDAL reads, at the size of a picture."""
        shape = (size[1], size[0]) if size else (int(window.height), int(window.width))
        options = dict(window=window, out_shape=(len(self.bands),) + shape, resampling=resampling)
        data = self.file.read(self.bands, masked=True, **options)
        if self.palette:
            table = numpy.zeros((65536, 4))
            for index, color in self.palette.items():
                table[index] = color
            result = table[data.data[0].astype(int)]
            result[..., 3] *= ~numpy.ma.getmaskarray(data)[0]
        else:
            low, high = self.range
            values = self.values(window, data)
            valid = (numpy.isfinite(values.data) & ~numpy.ma.getmaskarray(values)).any(axis=0)
            scaled = numpy.clip((numpy.nan_to_num(values.data) - low) / (high - low) * 255, 0, 255)
            scaled = scaled if self.isByte else numpy.floor(scaled + 0.5)
            result = numpy.zeros(shape + (4,))
            for channel in range(3):
                result[..., channel] = scaled[channel % len(self.bands)]
            result[..., 3] = valid * 255.0
            if self.alpha:
                alpha = self.file.read(self.alpha, window=window, out_shape=shape, resampling=resampling)
                result[..., 3] = alpha.astype(float) / (numpy.iinfo(alpha.dtype).max if alpha.dtype.kind == "u" else 1)
                result[..., 3] *= 255
        result[..., :3] *= result[..., 3:] / 255
        return result


def mean_difference(mine, theirs, reach=1):
    """The mean difference where both have data, and so have the neighbours within a reach."""
    if isinstance(mine, str):
        return math.inf
    inside = (mine[..., 3] > 0) & (theirs[..., 3] > 0)
    for axis in (0, 1):
        whole = inside
        for step in range(-reach, reach + 1):
            inside = inside & numpy.roll(whole, step, axis)
    return float(numpy.abs(mine - theirs)[inside].mean()) if inside.any() else 0


def compare(command, path):
    """The result of a file: its name and properties, and the differences or the reason of a refusal."""
    with rasterio.open(path) as file:
        place = file.transform
        if place.is_identity or file.crs is None and not place.a:
            return None
        name = f"{file.width}x{file.height} {file.count} {file.dtypes[0]} {file.compression and file.compression.value}"
        picture = Picture(file)
        keys, crs = picture.keys, f"EPSG:{file.crs.to_epsg()}" if file.crs and file.crs.to_epsg() else None
        if crs is None:
            keys, crs = keys + ";crs=EPSG:3857", "EPSG:3857"
        if place.b or place.d or place.e > 0:
            message = draw(command, path, "", crs, (0, 0, 1, 1), (8, 8))
            return name, message if isinstance(message, str) else "drawn, although it is rotated or upside down"
        width, height = min(file.width, SIDE), min(file.height, SIDE)
        # A quarter of the size has whole blocks of 4 by 4 pixels, as levels and overviews do.
        left, top = (file.width - width) // 8 * 4, (file.height - height) // 8 * 4

        def box(left, top, width, height):
            return (place.c + left * place.a, place.f + (top + height) * place.e, place.c + (left + width) * place.a,
                    place.f + top * place.e)

        # Pixels that are no squares are drawn as squares of the shorter side, each the nearest pixel of the file.
        ratio = place.a / -place.e
        isSquare = abs(ratio - 1) < 1e-6
        size = (width, height)
        if isSquare:
            window = Window(left, top, width, height)
            mine = draw(command, path, keys + ";resampling=nearest", crs, box(left, top, width, height), size)
            theirs = picture.read(window)
        else:
            step = min(place.a, -place.e)
            size = (int(width * place.a / step), int(height * -place.e / step))
            size = (min(size[0], SIDE), min(size[1], SIDE))
            x, y = place.c + left * place.a, place.f + top * place.e
            mine = draw(command, path, keys + ";resampling=nearest", crs,
                        (x, y - size[1] * step, x + size[0] * step, y), size)
            theirs = picture.read(Window(left, top, width, height))
            columns = numpy.minimum(((numpy.arange(size[0]) + 0.5) * step / place.a).astype(int), width - 1)
            rows = numpy.minimum(((numpy.arange(size[1]) + 0.5) * step / -place.e).astype(int), height - 1)
            theirs = theirs[rows][:, columns]
        if isinstance(mine, str):
            return name, mine
        difference = numpy.abs(mine - theirs)
        unequal = float((difference.max(axis=2) > 1.01).mean())
        results = [f"unequal {unequal:.2%}"]
        if picture.isLossy:
            results = [f"mean difference {float(difference.mean()):.2f}"]
            good = float(difference.mean()) <= 0.6
        else:
            good = unequal == 0 if isSquare else unequal < 0.01
        if isSquare and not picture.palette and min(width, height) >= 64:
            quarter = (width // 4, height // 4)
            mine = draw(command, path, keys, crs, box(left, top, quarter[0] * 4, quarter[1] * 4), quarter)
            reduced = math.inf
            for level in ({}, {"OVERVIEW_LEVEL": "NONE"}):
                with rasterio.open(path, **level) as whole:
                    other = Picture.like(picture, whole)
                    pixels = other.read(Window(left, top, quarter[0] * 4, quarter[1] * 4))
                    means = pixels.reshape(quarter[1], 4, quarter[0], 4, 4).mean(axis=(1, 3))
                    reduced = min(reduced, mean_difference(mine, means))
                    for resampling in (Resampling.average, Resampling.bilinear):
                        theirs = other.read(Window(left, top, quarter[0] * 4, quarter[1] * 4), quarter, resampling)
                        reduced = min(reduced, mean_difference(mine, theirs))
            part = Window(left + width // 2 - 16, top + height // 2 - 16, 32, 32)
            mine = draw(command, path, keys, crs, box(part.col_off, part.row_off, 32, 32), (128, 128))
            theirs = picture.read(part, (128, 128), Resampling.bilinear)
            # GDAL looks at pixels in the window alone.
            enlarged = math.inf if isinstance(mine, str) else mean_difference(mine[4:-4, 4:-4], theirs[4:-4, 4:-4], 6)
            results += [f"quarter {reduced:.2f}", f"enlarged {enlarged:.2f}"]
            good = good and reduced <= 1 and enlarged <= 1
        return name, ("ok   " if good else "DIFF ") + ", ".join(results)


def main():
    command, folder = sys.argv[1], pathlib.Path(sys.argv[2])
    counts = {}
    for path in sorted(folder.rglob("*")):
        if not path.is_file() or path.suffix.lower() not in (".tif", ".tiff"):
            continue
        try:
            result = compare(command, path)
        except Exception as error:
            message = str(error).splitlines()[0] if str(error) else type(error).__name__
            result = "", f"GDAL: {message}"
        name, outcome = result or ("", "not placed on the earth")
        kind = outcome[:4] if outcome[:4] in ("ok  ", "DIFF", "GDAL", "not ") else "refused"
        counts[kind] = counts.get(kind, 0) + 1
        print(f"{path.relative_to(folder)}  {name}  {outcome}", flush=True)
    print(counts)
    return 1 if counts.get("DIFF") else 0


sys.exit(main())
