"""Times Cairo (PyPI pycairo) and Skia (PyPI skia-python) drawing scenes and prints a JSON line a scene.   usage: rasterizers.py [--png FOLDER] SCENE…

Paths, paints and the canvas are made beforehand; a time is that of a frame, white background included, in milliseconds of the processor.
"""
import argparse, json, pathlib, statistics, time

import cairo, skia

SIDE, FRAMES = 1024, 11


def operations(file):
    for text in file.read_text().splitlines():
        parts = text.split()
        color, rest = [int(part) for part in parts[1:5]], parts[5:]
        if parts[0] == "fill":
            numbers = [float(part) for part in rest[2:]]
            yield "fill", color, {"rule": rest[0]}, list(zip(numbers[::2], numbers[1::2]))
        else:
            dashes = int(rest[3])
            numbers = [float(part) for part in rest[5 + dashes:]]
            look = {"width": float(rest[0]), "cap": rest[1], "join": rest[2], "dashes": [float(part) for part in rest[4:4 + dashes]]}
            yield "stroke", color, look, list(zip(numbers[::2], numbers[1::2]))


def with_cairo(scene):
    surface = cairo.ImageSurface(cairo.Format.ARGB32, SIDE, SIDE)
    context, drawings = cairo.Context(surface), []
    for kind, color, look, points in scene:
        context.new_path()
        context.move_to(*points[0])
        for point in points[1:]: context.line_to(*point)
        if kind == "fill": context.close_path()
        drawings.append((kind, [part / 255 for part in color], look, context.copy_path()))
    caps = {"butt": cairo.LineCap.BUTT, "round": cairo.LineCap.ROUND}
    joins = {"miter": cairo.LineJoin.MITER, "round": cairo.LineJoin.ROUND}
    rules = {"nonzero": cairo.FillRule.WINDING, "evenodd": cairo.FillRule.EVEN_ODD}

    def frame():
        context.set_source_rgb(1, 1, 1)
        context.paint()
        for kind, color, look, path in drawings:
            context.new_path()
            context.append_path(path)
            context.set_source_rgba(*color)
            if kind == "fill":
                context.set_fill_rule(rules[look["rule"]])
                context.fill()
            else:
                context.set_line_width(look["width"])
                context.set_line_cap(caps[look["cap"]])
                context.set_line_join(joins[look["join"]])
                context.set_dash(look["dashes"])
                context.stroke()
        surface.flush()
    return frame, lambda file: surface.write_to_png(str(file))


def with_skia(scene):
    surface = skia.Surface(SIDE, SIDE)
    canvas, drawings = surface.getCanvas(), []
    caps = {"butt": skia.Paint.kButt_Cap, "round": skia.Paint.kRound_Cap}
    joins = {"miter": skia.Paint.kMiter_Join, "round": skia.Paint.kRound_Join}
    for kind, color, look, points in scene:
        path = skia.Path()
        path.moveTo(*points[0])
        for point in points[1:]: path.lineTo(*point)
        paint = skia.Paint(AntiAlias=True, Color=skia.Color(*color))
        if kind == "fill":
            path.close()
            path.setFillType(skia.PathFillType.kEvenOdd if look["rule"] == "evenodd" else skia.PathFillType.kWinding)
        else:
            paint.setStyle(skia.Paint.kStroke_Style)
            paint.setStrokeWidth(look["width"])
            paint.setStrokeCap(caps[look["cap"]])
            paint.setStrokeJoin(joins[look["join"]])
            if look["dashes"]: paint.setPathEffect(skia.DashPathEffect.Make(look["dashes"], 0))
        # A kept mask of a volatile path would not be drawn again.
        path.setIsVolatile(True)
        drawings.append((path, paint))

    def frame():
        canvas.clear(skia.ColorWHITE)
        for path, paint in drawings: canvas.drawPath(path, paint)
    return frame, lambda file: surface.makeImageSnapshot().save(str(file), skia.kPNG)


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("scenes", type=pathlib.Path, nargs="+")
    parser.add_argument("--png", type=pathlib.Path, help="write the pictures to this folder")
    options = parser.parse_args()
    for file in options.scenes:
        scene, row = list(operations(file)), {"scene": file.stem}
        for name, peer in [("cairo", with_cairo), ("skia", with_skia)]:
            frame, save = peer(scene)
            times = []
            for _ in range(FRAMES + 1):
                start = time.process_time()
                frame()
                times.append((time.process_time() - start) * 1e3)
            row[f"{name}_ms"] = round(statistics.median(times[1:]), 3)
            if options.png: save(options.png / f"{file.stem}-{name}.png")
        print(json.dumps(row), flush=True)


main()
