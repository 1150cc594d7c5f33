"""Writes the pictures of this folder and, beside each, the pixels that a decoder has to give. See README.md."""

import io
import os
import struct
import zlib

import numpy
from PIL import Image

FOLDER = os.path.dirname(os.path.abspath(__file__))
WIDTH, HEIGHT = 13, 11
GREY, RGB, PALETTE, GREY_ALPHA, RGBA = 0, 2, 3, 4, 6
CHANNELS = {GREY: 1, RGB: 3, PALETTE: 1, GREY_ALPHA: 2, RGBA: 4}
ADAM7 = [(0, 0, 8, 8), (4, 0, 8, 8), (0, 4, 4, 8), (2, 0, 4, 4), (0, 2, 2, 4), (1, 0, 2, 2), (0, 1, 1, 2)]


def save(name, data, rgba):
    with open(os.path.join(FOLDER, name), "wb") as file:
        file.write(data)
    with open(os.path.join(FOLDER, os.path.splitext(name)[0] + ".rgba"), "wb") as file:
        file.write(numpy.asarray(rgba, dtype=numpy.uint8).tobytes())


# PNG, written by hand from the specification.

def chunk(kind, data=b""):
    return struct.pack(">I", len(data)) + kind + data + struct.pack(">I", zlib.crc32(kind + data))


def pack_row(values, depth):
    if depth == 16:
        return b"".join(struct.pack(">H", v) for v in values)
    if depth == 8:
        return bytes(values)
    bits = "".join(format(v, "0%db" % depth) for v in values)
    bits += "0" * (-len(bits) % 8)
    return bytes(int(bits[i:i + 8], 2) for i in range(0, len(bits), 8))


def paeth(a, b, c):
    p = a + b - c
    pa, pb, pc = abs(p - a), abs(p - b), abs(p - c)
    return a if pa <= pb and pa <= pc else b if pb <= pc else c


def filtered(rows, step):
    """Filters the rows with each of the five types in turn."""
    out, above = b"", None
    for number, row in enumerate(rows):
        above = above or bytes(len(row))
        kind = number % 5
        line = bytearray([kind])
        for i, value in enumerate(row):
            a = row[i - step] if i >= step else 0
            b = above[i]
            c = above[i - step] if i >= step else 0
            line.append((value - [0, a, b, (a + b) // 2, paeth(a, b, c)][kind]) & 255)
        out += bytes(line)
        above = row
    return out


def png(samples, depth, kind, interlaced=False, before=b"", between=b"", after=b"", split=None):
    height, width, channels = samples.shape
    step = max(1, channels * depth // 8)
    passes = ADAM7 if interlaced else [(0, 0, 1, 1)]
    data = b""
    for x, y, dx, dy in passes:
        part = samples[y::dy, x::dx]
        if part.shape[0] and part.shape[1]:
            data += filtered([pack_row([int(v) for v in row.reshape(-1)], depth) for row in part], step)
    data = zlib.compress(data, 9)
    parts = [data[i:i + split] for i in range(0, len(data), split)] if split else [data]
    header = struct.pack(">IIBBBBB", width, height, depth, kind, 0, 0, 1 if interlaced else 0)
    return (b"\x89PNG\r\n\x1a\n" + chunk(b"IHDR", header) + before + between
            + b"".join(chunk(b"IDAT", part) for part in parts) + after + chunk(b"IEND"))


def ramp(channels, depth, width=WIDTH, height=HEIGHT):
    """Samples that differ in all channels and use the whole range of the depth."""
    top = (1 << depth) - 1
    result = numpy.zeros((height, width, channels), dtype=numpy.int64)
    for y in range(height):
        for x in range(width):
            for c in range(channels):
                u = [x / max(width - 1, 1), y / max(height - 1, 1), (x + y) % 5 / 4, (x * 3 + y * 7) % 11 / 10][c]
                result[y, x, c] = int(u * top + 0.5)
    return result


def to8(samples, depth):
    top = (1 << depth) - 1
    return (samples * 255 + top // 2) // top


def expand(samples, depth, kind, key=None):
    """The straight RGBA that the specification gives for samples; `key` is the transparent colour of tRNS."""
    values = to8(samples, depth)
    colour = values[..., :1].repeat(3, axis=2) if kind in (GREY, GREY_ALPHA) else values[..., :3]
    if kind in (GREY_ALPHA, RGBA):
        alpha = values[..., -1:]
    else:
        alpha = numpy.full(values.shape[:2] + (1,), 255)
        if key is not None:
            alpha[(samples == numpy.array(key)).all(axis=2)] = 0
    return numpy.concatenate([colour, alpha], axis=2)


NAMES = {GREY: "grey", RGB: "rgb", GREY_ALPHA: "grey-alpha", RGBA: "rgba"}
DEPTHS = {GREY: [1, 2, 4, 8, 16], RGB: [8, 16], GREY_ALPHA: [8, 16], RGBA: [8, 16]}
for kind, depths in DEPTHS.items():
    for depth in depths:
        samples = ramp(CHANNELS[kind], depth)
        for interlaced in (False, True):
            name = "png-%s-%dbit%s" % (NAMES[kind], depth, "-interlaced" if interlaced else "")
            save(name + ".png", png(samples, depth, kind, interlaced), expand(samples, depth, kind))
        if kind in (GREY, RGB):
            key = [int(v) for v in samples[4, 3]]
            trns = chunk(b"tRNS", b"".join(struct.pack(">H", v) for v in key))
            save("png-%s-%dbit-transparent.png" % (NAMES[kind], depth),
                 png(samples, depth, kind, between=trns), expand(samples, depth, kind, key))

for depth in (1, 2, 4, 8):
    count = min(1 << depth, 200)
    palette = [((i * 83) % 256, (255 - i * 29) % 256, (i * i * 7) % 256) for i in range(count)]
    alphas = [(i * 97 + 40) % 256 for i in range((count + 1) // 2)]
    indices = numpy.array([[[(x * 17 + y * 5) % count] for x in range(WIDTH)] for y in range(HEIGHT)])
    plte = chunk(b"PLTE", b"".join(bytes(entry) for entry in palette))
    for interlaced in (False, True):
        for alpha in (False, True):
            table = [entry + ((alphas[i] if alpha and i < len(alphas) else 255),) for i, entry in enumerate(palette)]
            name = "png-palette-%dbit%s%s" % (depth, "-alpha" if alpha else "", "-interlaced" if interlaced else "")
            between = plte + (chunk(b"tRNS", bytes(alphas)) if alpha else b"")
            save(name + ".png", png(indices, depth, PALETTE, interlaced, between=between),
                 numpy.array([[table[i] for i in row] for row in indices[..., 0]]))

for width, height in ((1, 1), (2, 3), (5, 1), (1, 9)):
    samples = ramp(3, 8, width, height)
    save("png-interlaced-%dx%d.png" % (width, height), png(samples, 8, RGB, True), expand(samples, 8, RGB))

samples = ramp(4, 8)
plain = expand(samples, 8, RGBA)
save("png-data-in-small-chunks.png", png(samples, 8, RGBA, split=7), plain)
save("png-chunks-to-skip.png", png(
    samples, 8, RGBA,
    before=chunk(b"tEXt", b"Comment\0text") + chunk(b"zTXt", b"Comment\0\0" + zlib.compress(b"text" * 99))
    + chunk(b"pHYs", struct.pack(">IIB", 2835, 2835, 1)) + chunk(b"bKGD", bytes(6)) + chunk(b"prVt", b"private"),
    after=chunk(b"tIME", struct.pack(">HBBBBB", 2020, 2, 30, 0, 0, 0))), plain)
control = struct.pack(">IIIIIHHBB", 0, WIDTH, HEIGHT, 0, 0, 1, 10, 0, 0)
second = struct.pack(">IIIIIHHBB", 1, WIDTH, HEIGHT, 0, 0, 1, 10, 0, 0)
frame = zlib.compress(bytes((WIDTH * 4 + 1) * HEIGHT))
save("png-animated.png", png(
    samples, 8, RGBA, before=chunk(b"acTL", struct.pack(">II", 2, 0)) + chunk(b"fcTL", control),
    after=chunk(b"fcTL", second) + chunk(b"fdAT", struct.pack(">I", 2) + frame)), plain)


# Colour spaces. The matrices are those published by Bruce Lindbloom (brucelindbloom.com), not computed here.

ADOBE_TO_XYZ = numpy.array([[0.5767309, 0.1855540, 0.1881852], [0.2973769, 0.6273491, 0.0752741],
                            [0.0270343, 0.0706872, 0.9911085]])
PROPHOTO_TO_XYZ = numpy.array([[0.7976749, 0.1351917, 0.0313534], [0.2880402, 0.7118741, 0.0000857],
                               [0.0000000, 0.0000000, 0.8252100]])
D50_TO_D65 = numpy.array([[0.9555766, -0.0230393, 0.0631636], [-0.0282895, 1.0099416, 0.0210077],
                          [0.0122982, -0.0204830, 1.3299098]])
XYZ_TO_SRGB = numpy.array([[3.2404542, -1.5371385, -0.4985314], [-0.9692660, 1.8760108, 0.0415560],
                           [0.0556434, -0.2040259, 1.0572252]])


def shown(samples, depth, gamma, matrix=None):
    top = (1 << depth) - 1
    light = (samples[..., :3] / top) ** (1 / gamma)
    if matrix is not None:
        light = (light @ matrix.T).clip(0, 1)
    value = numpy.where(light <= 0.0031308, 12.92 * light, 1.055 * light ** (1 / 2.4) - 0.055)
    colour = numpy.floor(value * 255 + 0.5).astype(int)
    return numpy.concatenate([colour, to8(samples[..., 3:], depth)], axis=2)


def gama(value):
    return chunk(b"gAMA", struct.pack(">I", value))


def chrm(*values):
    return chunk(b"cHRM", struct.pack(">8I", *values))


srgb_primaries = chrm(31270, 32900, 64000, 33000, 30000, 60000, 15000, 6000)
save("png-gamma-of-srgb.png", png(samples, 8, RGBA, before=gama(45455)), plain)
save("png-gamma-and-primaries-of-srgb.png", png(samples, 8, RGBA, before=gama(45455) + srgb_primaries), plain)
save("png-srgb-over-gamma.png", png(
    samples, 8, RGBA, before=gama(100000) + chunk(b"sRGB", b"\0")), plain)
save("png-primaries-alone.png", png(
    samples, 8, RGBA, before=chrm(31270, 32900, 64000, 33000, 21000, 71000, 15000, 6000)), plain)
save("png-linear-8bit.png", png(samples, 8, RGBA, before=gama(100000)), shown(samples, 8, 1.0))
wide = ramp(4, 16)
save("png-linear-16bit.png", png(wide, 16, RGBA, before=gama(100000)), shown(wide, 16, 1.0))
save("png-primaries-of-adobe-rgb.png", png(
    samples, 8, RGBA, before=gama(45455) + chrm(31270, 32900, 64000, 33000, 21000, 71000, 15000, 6000)),
    shown(samples, 8, 0.45455, XYZ_TO_SRGB @ ADOBE_TO_XYZ))
save("png-primaries-of-prophoto-rgb.png", png(
    wide, 16, RGBA, before=gama(55556) + chrm(34567, 35850, 73470, 26530, 15960, 84040, 3660, 10)),
    shown(wide, 16, 0.55556, XYZ_TO_SRGB @ D50_TO_D65 @ PROPHOTO_TO_XYZ))


# JPEG, written and read by Pillow.

def smooth(mode):
    values = numpy.zeros((HEIGHT, WIDTH, 4), dtype=numpy.uint8)
    for y in range(HEIGHT):
        for x in range(WIDTH):
            values[y, x] = [20 + x * 15, 230 - y * 18, 60 + x * 5 + y * 8, 10 + x * 4 + y * 3]
    if mode == "L":
        return Image.fromarray(values[..., 0].copy(), "L")
    return Image.fromarray(values[..., :3].copy(), "RGB") if mode == "RGB" else Image.fromarray(values, "CMYK")


def jpeg(mode, **options):
    out = io.BytesIO()
    smooth(mode).save(out, "JPEG", quality=95, **options)
    return out.getvalue()


def save_jpeg(name, data):
    save(name, data, numpy.asarray(Image.open(io.BytesIO(data)).convert("RGB").convert("RGBA")))


save_jpeg("jpeg-grey.jpg", jpeg("L"))
save_jpeg("jpeg-grey-progressive.jpg", jpeg("L", progressive=True))
save_jpeg("jpeg-full-chroma.jpg", jpeg("RGB", subsampling=0))
save_jpeg("jpeg-half-chroma.jpg", jpeg("RGB", subsampling=1))
save_jpeg("jpeg-quarter-chroma.jpg", jpeg("RGB", subsampling=2))
save_jpeg("jpeg-progressive.jpg", jpeg("RGB", subsampling=0, progressive=True, optimize=True))
save_jpeg("jpeg-restart-markers.jpg", jpeg("RGB", subsampling=0, restart_marker_blocks=1))
save_jpeg("jpeg-comment-and-exif.jpg", jpeg("RGB", comment=b"a comment", exif=b"Exif\0\0MM\0*\0\0\0\x08\0\0\0\0\0\0"))
save_jpeg("jpeg-rgb.jpg", jpeg("RGB", subsampling=0, keep_rgb=True))
inks = jpeg("CMYK", subsampling=0)
save_jpeg("jpeg-cmyk.jpg", inks)

# The transform byte of Adobe's marker says how components are to be read: 2 makes YCCK of the stored values.
place = inks.index(b"Adobe") + 11
assert inks[place] == 0
stored = numpy.asarray(smooth("RGB").convert("YCbCr"))
key = numpy.full((HEIGHT, WIDTH, 1), 200, dtype=numpy.uint8)
out = io.BytesIO()
Image.fromarray(255 - numpy.concatenate([stored, key], axis=2), "CMYK").save(out, "JPEG", quality=95, subsampling=0)
ycck = bytearray(out.getvalue())
ycck[place] = 2
save_jpeg("jpeg-ycck.jpg", bytes(ycck))

# The same inks without the marker are read in the same way.
start = inks.index(b"\xff\xee")
save_jpeg("jpeg-cmyk-without-marker.jpg", inks[:start] + inks[start + 16:])


# WebP, written by Pillow; without loss the samples are what has to come.

def webp(samples, mode, **options):
    out = io.BytesIO()
    Image.fromarray(samples, mode).save(out, "WEBP", method=6, **options)
    return out.getvalue()


def save_webp(name, data):
    save(name, data, numpy.asarray(Image.open(io.BytesIO(data)).convert("RGBA")))


def riff(kind, data):
    return kind + struct.pack("<I", len(data)) + data + b"\0" * (len(data) % 2)


def three(value):
    return struct.pack("<I", value)[:3]


opaque = numpy.asarray(smooth("RGB"))
alpha = numpy.arange(WIDTH * HEIGHT).reshape(HEIGHT, WIDTH, 1) * 255 // (WIDTH * HEIGHT - 1)
clear = numpy.concatenate([opaque, alpha.astype(numpy.uint8)], axis=2)
save("webp-lossless.webp", webp(opaque, "RGB", lossless=True), numpy.insert(opaque, 3, 255, axis=2))
save("webp-lossless-transparent.webp", webp(clear, "RGBA", lossless=True, exact=True), clear)
few = numpy.asarray([[[255, 0, 0, 255], [0, 0, 255, 255], [0, 0, 0, 0]][(x + y) % 3]
                     for y in range(HEIGHT) for x in range(WIDTH)], dtype=numpy.uint8).reshape(HEIGHT, WIDTH, 4)
save("webp-lossless-three-colours.webp", webp(few, "RGBA", lossless=True, exact=True), few)
save_webp("webp-lossy.webp", webp(opaque, "RGB", quality=90))
save_webp("webp-lossy-transparent.webp", webp(clear, "RGBA", quality=80))
save_webp("webp-lossy-with-profile-and-exif.webp", webp(
    opaque, "RGB", quality=50, icc_profile=b"no profile", exif=b"Exif\0\0MM\0*\0\0\0\x08\0\0\0\0\0\0"))

# An animation whose first frame, of even offsets, leaves a part of the canvas free.
frames = b""
for left, top, samples in [(4, 2, clear[:7, :9]), (0, 0, numpy.full_like(clear, 255))]:
    still = webp(samples, "RGBA", lossless=True, exact=True)
    height, width = samples.shape[:2]
    frames += riff(b"ANMF", b"".join(map(three, [left // 2, top // 2, width - 1, height - 1, 100])) + b"\0" + still[12:])
body = b"WEBP" + riff(b"VP8X", b"\x12\0\0\0" + three(WIDTH - 1) + three(HEIGHT - 1)) + riff(b"ANIM", b"\xff" * 4 + b"\0\0")
canvas = numpy.zeros_like(clear)
canvas[2:9, 4:13] = clear[:7, :9]
save("webp-animated.webp", riff(b"RIFF", body + frames), canvas)


# GIF: LZW by Pillow, the rest changed by hand. The samples are what has to come.

TABLE = [(255, 0, 0), (0, 160, 0), (0, 0, 255), (250, 250, 240), (10, 20, 30)]


def gif(indices, table=TABLE, **options):
    image = Image.fromarray(indices, "P")
    image.putpalette([channel for color in table for channel in color])
    out = io.BytesIO()
    image.save(out, "GIF", optimize=False, **options)
    return out.getvalue()


def shades(indices, table=TABLE, transparent=None):
    rgba = numpy.asarray([color + (255,) for color in table], dtype=numpy.uint8)[indices]
    if transparent is not None:
        rgba[indices == transparent] = 0
    return rgba


def screen(data, width, height, left=0, top=0):
    """Changes the logical screen, and where the first image lies on it."""
    data = bytearray(data)
    place = data.index(b"\x2c", 13 + 3 * 2 ** ((data[10] & 7) + 1))
    data[6:10] = struct.pack("<HH", width, height)
    data[place + 1:place + 5] = struct.pack("<HH", left, top)
    return bytes(data)


def pattern(width, height):
    return numpy.asarray([[(x * x + 3 * y + x * y) % 5 for x in range(width)] for y in range(height)], dtype=numpy.uint8)


indices = pattern(WIDTH, HEIGHT)
save("gif-plain.gif", gif(indices), shades(indices))
save("gif-transparent.gif", gif(indices, transparency=1), shades(indices, transparent=1))
large = pattern(20, 18)
save("gif-interlaced-20x18.gif", gif(large, interlace=1), shades(large))
assert gif(large, interlace=1) != gif(large, interlace=0)
many = [(i, 255 - i, i * 7 % 256) for i in range(256)]
ramped = (numpy.arange(60 * 50).reshape(50, 60) * 37 % 256).astype(numpy.uint8)
save("gif-256-colours-60x50.gif", gif(ramped, many), shades(ramped, many))
part = numpy.zeros((18, 20, 4), dtype=numpy.uint8)
part[5:16, 3:16] = shades(indices)
save("gif-part-of-screen-20x18.gif", screen(gif(indices), 20, 18, 3, 5), part)
beyond = numpy.zeros((13, 14, 4), dtype=numpy.uint8)
beyond[2:, 1:] = shades(indices)
save("gif-beyond-screen-14x13.gif", screen(gif(indices), 5, 5, 1, 2), beyond)
other = Image.fromarray(4 - indices, "P")
other.putpalette([channel for color in TABLE for channel in color])
animated = gif(indices, save_all=True, append_images=[other], duration=100, loop=0, comment=b"two frames")
assert Image.open(io.BytesIO(animated)).n_frames == 2
save("gif-animated.gif", animated, shades(indices))

# With a table of its own for the image: the screen's moves behind the descriptor.
stored = gif(indices)
count = 3 * 2 ** ((stored[10] & 7) + 1)
place = stored.index(b"\x2c", 13 + count)
own = stored[:10] + bytes([stored[10] & 0x70]) + stored[11:13] + stored[13 + count:place + 9]
own += bytes([0x80 | stored[10] & 7]) + stored[13:13 + count] + stored[place + 10:]
save("gif-own-table.gif", own, shades(indices))
