import ArgumentParser

/// The layers on the command line.
struct LayerOptions: ParsableArguments {
    @Option(
        name: [.short, .long], parsing: .unconditionalSingleValue,
        help: ArgumentHelp(
            "A layer, bottom first; repeatable.",
            discussion: """
                [KIND:]SOURCE[;key=value]…  A ';' inside is written %3B. Every layer: name, opacity (0-1), \
                min-resolution, max-resolution (units of --crs a pixel), cache (off, or how long images are used again, \
                as in at-least:1d,at-most:7d,fixed:1h,stale:30d; otherwise the server decides, and an hour where it says nothing). Of images also \
                transparent-color (shown as transparent) with transparent-tolerance (0-255; JPEG needs some 10).

                wms:URL   layers, styles, version, format, transparent, crs, params.NAME, axis (auto, xy, yx), \
                url-policy (advertised, base, advertisedIfSameHost); tiled=true takes the service's own tile set where one \
                fits (tile-set=no: never), else tiles of tile-size (512 pixels) with a gutter (64 pixels) that is cut off
                wmsc:URL  layers, styles, format, crs; by hand also extent, resolutions, tile-size
                wmts:URL  of the service or its capabilities  layer, matrix-set, style, format, dim.NAME
                xyz:TEMPLATE, tms:TEMPLATE  {z} {x} {y} {-y} {s} {r} {q}; min-zoom, max-zoom, tile-size (pixels), \
                subdomains, attribution. {r} is @2x at pixel ratios of 1.5 and more. Beyond max-zoom its tiles are \
                enlarged; before min-zoom its tiles are reduced, but not more than 256.
                tms:URL  of a document  layer (title or end of the address of one of several maps), min-zoom, \
                max-zoom, attribution
                mbtiles:FILE  images in web mercator
                gpkg:FILE  a GeoPackage of images  layers (the name of a table of tiles, where there are several)
                FILE, URL or - (standard input), GeoJSON  stroke, stroke-width (pixels), stroke-opacity, fill, \
                fill-opacity, marker-color, marker-size, label (the name of a property), \
                label-background (a colour, for a box behind the text), label-padding (pixels), crs (of its coordinates). These \
                are defaults: the style that a feature brings along wins.
                """, valueName: "layer"))
    var layer: [String] = []
}
