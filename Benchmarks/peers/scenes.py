"""Writes scenes for raster-bench and rasterizers.py into a folder.   usage: scenes.py FOLDER

Each scene is the same everywhere: its numbers are random, with a seed. 1024 x 1024 pixels, y down, on white, one operation a line, colours not
premultiplied:
  fill R G B A nonzero|evenodd N x y …                                  a closed ring
  stroke R G B A WIDTH butt|round round|miter DASHES d… N x y …         an open line
"""
import math, pathlib, random, sys

SIDE = 1024


def ring(points, color, rule="nonzero"):
    return f"fill {color} {rule} {len(points)} " + " ".join(f"{x:.3f} {y:.3f}" for x, y in points)


def line(points, color, width, cap="butt", join="miter", dashes=()):
    lengths = "".join(f"{length} " for length in dashes)
    return f"stroke {color} {width:.3f} {cap} {join} {len(dashes)} {lengths}{len(points)} " + " ".join(f"{x:.3f} {y:.3f}" for x, y in points)


def coast(numbers):
    """An island with a coast of 100,000 vertices."""
    points = []
    for index in range(100_000):
        angle = math.tau * index / 100_000
        radius = 370 + 70 * math.sin(5 * angle) + 20 * math.sin(41 * angle) + 8 * math.sin(907 * angle) + numbers.gauss(0, 1)
        points.append((512 + radius * math.cos(angle), 512 + radius * math.sin(angle)))
    yield ring(points, "60 110 190 255")


def buildings(numbers):
    """20,000 small translucent areas."""
    for _ in range(20_000):
        x, y, turn, wide, high = numbers.uniform(0, SIDE), numbers.uniform(0, SIDE), numbers.uniform(0, math.pi), numbers.uniform(2, 8), numbers.uniform(2, 8)
        corners = [(-wide, -high), (wide, -high), (wide, 0), (0, 0), (0, high), (-wide, high)]
        yield ring([(x + a * math.cos(turn) - b * math.sin(turn), y + a * math.sin(turn) + b * math.cos(turn)) for a, b in corners], "160 90 60 128")


def walk(numbers, count, step, bend):
    x, y, angle = numbers.uniform(0, SIDE), numbers.uniform(0, SIDE), numbers.uniform(0, math.tau)
    points = [(x, y)]
    while len(points) < count:
        angle += numbers.uniform(-bend, bend)
        x, y = x + step * math.cos(angle), y + step * math.sin(angle)
        if not (0 <= x <= SIDE and 0 <= y <= SIDE):
            angle, x, y = angle + math.pi, min(max(x, 0), SIDE), min(max(y, 0), SIDE)
        points.append((x, y))
    return points


def track(numbers):
    """A GPS track of 100,000 points, 3 pixels wide."""
    yield line(walk(numbers, 100_000, 1.2, 0.5), "30 30 210 200", 3, "round", "round")


def roads(numbers):
    """5,000 roads of 20 points, 1 to 6 pixels wide, half of them dashed."""
    for index in range(5_000):
        yield line(walk(numbers, 20, 4, 0.4), "30 140 60 230", numbers.uniform(1, 6), "butt", "round", (8, 4) if index % 2 else ())


def thin_tangle(numbers):
    """One line of 1 pixel through 2,000 random points."""
    yield line([(numbers.uniform(0, SIDE), numbers.uniform(0, SIDE)) for _ in range(2_000)], "0 0 0 255", 1)


def thin_streets(numbers):
    """8,000 streets of 12 points, 0.5 to 2 pixels wide."""
    for _ in range(8_000):
        yield line(walk(numbers, 12, 5, 0.3), "90 90 90 255", numbers.uniform(0.5, 2), "round", "round")


def thin_dashes(numbers):
    """3,000 dashed paths of 15 points, 1 pixel wide."""
    for _ in range(3_000):
        yield line(walk(numbers, 15, 5, 0.4), "150 70 20 255", 1, "butt", "miter", (4, 2))


def contours(numbers):
    """200 contours of 400 points, 0.7 pixels wide."""
    for index in range(200):
        x, y, radius = numbers.uniform(0, SIDE), numbers.uniform(0, SIDE), numbers.uniform(40, 250)
        parts = [(numbers.uniform(0, 0.1), numbers.randint(2, 9), numbers.uniform(0, math.tau)) for _ in range(4)]
        points = []
        for step in range(401):
            angle = math.tau * step / 400
            reach = radius * (1 + sum(size * math.sin(count * angle + start) for size, count, start in parts))
            points.append((x + reach * math.cos(angle), y + reach * math.sin(angle)))
        yield line(points, "150 110 60 255", 0.7, "butt", "round")


SCENES = [coast, buildings, track, roads, thin_tangle, thin_streets, thin_dashes, contours]

if __name__ == "__main__":
    folder = pathlib.Path(sys.argv[1])
    folder.mkdir(parents=True, exist_ok=True)
    for seed, scene in enumerate(SCENES):
        (folder / f"{scene.__name__.replace('_', '-')}.scene").write_text("\n".join(scene(random.Random(seed))) + "\n")
