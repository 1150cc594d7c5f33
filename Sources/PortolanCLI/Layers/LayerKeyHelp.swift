import Portolan

/// The help for one key of a layer.
struct LayerKeyHelp {
    /// The values that the key takes.
    let values: String
    /// The value without the key; empty if the key then has no effect.
    let standard: String
    /// The effect of the key.
    let effect: String

    init(_ values: String, _ standard: String, _ effect: String) {
        self.values = values
        self.standard = standard
        self.effect = effect
    }

    /// The help for a key of a kind, or `nil` for an unknown key.
    init?(_ key: String, of kind: LayerKind) {
        let drawsFeatures = kind.readsFeatures || kind.takes("fill")
        let tables = [
            drawsFeatures ? Self.features : [:], Self.common, Self.services, Self.tiles, Self.points, Self.vectorTiles,
            Self.databases, Self.tables, Self.transit, Self.terrain, Self.images,
        ]
        // Keys that differ between kinds have an entry `KIND.KEY`.
        guard
            let help = tables.lazy.compactMap({ $0["\(kind.name).\(key)"] }).first
                ?? tables.lazy.compactMap({ $0[key] }).first
        else { return nil }
        self = help
    }

    private static let common: [String: LayerKeyHelp] = [
        "name": .init("TEXT", "source", "Name in legends, reports and messages."),
        "opacity": .init("0 to 1", "1", "Opacity of the layer."),
        "visible": .init("true, false", "true", "false leaves the layer out."),
        "min-resolution": .init("NUMBER", "", "Smallest resolution (units of --crs/pixel)."),
        "max-resolution": .init("NUMBER", "", "Largest resolution (units of --crs/pixel)."),
        "group": .init("NAME", "", "Layers of a group are faded as one."),
        "group-opacity": .init("0 to 1", "1", "Opacity of the group."),
        "legend": .init("true, false", "", "false leaves it out; plain base maps need true."),
        "cache": .init("off, TERM:TIME,…", "server", "at-least:1d, at-most:7d, fixed:1h, stale:30d."),
        "transparent-color": .init("COLOR", "", "Colour that becomes transparent."),
        "transparent-tolerance": .init("0 to 255", "0", "Tolerance of the colour; JPEG needs some 10."),
        "empty-status": .init("STATUS,…", "204", "Statuses of empty tiles, as 404 or 403,404."),
    ]

    private static let services: [String: LayerKeyHelp] = [
        "layers": .init("NAME,…", "", "Layers to draw, bottom first."),
        "styles": .init("NAME,…", "default", "Style of each layer."),
        "version": .init("1.3.0, …", "newest", "Protocol version."),
        "format": .init("TYPE", "best", "Media type, as image/png."),
        "transparent": .init("true, false", "true", "Request transparent images."),
        "background": .init("COLOR, none", "", "Background colour; none leaves it to the service."),
        "crs": .init("CODE", "map's", "CRS of the requests."),
        "tiled": .init("true, false", "false", "Request tiles, of the service's own tile set if one fits."),
        "tile-size": .init("PIXELS", "256", "Size of a tile."),
        "wms.tile-size": .init("PIXELS", "512", "Size of a tile, with tiled=true."),
        "gutter": .init("PIXELS", "64", "Margin that is cut off each tile, with tiled=true."),
        "tile-set": .init("yes, no", "yes", "no ignores the service's own tile sets, with tiled=true."),
        "params.NAME": .init("VALUE", "", "Another parameter, or the value of {NAME}."),
        "dim.NAME": .init("VALUE", "default", "Value of a dimension, as dim.time=2026-01-01."),
        "axis": .init("auto, xy, yx", "auto", "Axis order of the service."),
        "url-policy": .init("advertised, base, …", "advertised", "Host of the requests (advertisedIfSameHost)."),
        "layer": .init("NAME", "only one", "Layer to draw."),
        "matrix-set": .init("NAME", "best", "Tile matrix set."),
        "style": .init("NAME", "default", "Style of the layer."),
        "encoding": .init("parameters, path", "any", "Encoding of tile requests."),
        "wmts.crs": .init("CODE", "stated", "CRS of a matrix set with an unknown one."),
        "attribution": .init("TEXT", "stated", "Attribution of the source."),
        "arcgis.layers": .init("NUMBER,… or NAME,…", "all", "Layers to draw, as images and not as tiles."),
        "arcgis.tiled": .init("true, false", "auto", "Request cached tiles; by default if they fit the map."),
        "arcgis.format": .init("png32, jpg, …", "best", "Image format."),
        "oat.layers": .init("NAME", "only one", "Collection to draw."),
        "oam.layers": .init("NAME,…", "dataset", "Collections to draw."),
        "wfs.layers": .init("NAME", "", "Feature type to draw."),
        "wfs.format": .init("TYPE", "best", "Media type of the features."),
        "oaf.layers": .init("NAME", "", "Collection to draw."),
        "wfs.crs": .init("CODE", "map's", "CRS of the requests."),
        "oaf.crs": .init("CODE", "map's", "CRS of the requests."),
        "limit": .init("1 to 1000000", "20000", "Largest number of features in a view."),
    ]

    private static let tiles: [String: LayerKeyHelp] = [
        "min-zoom": .init("LEVEL", "0", "First level with tiles; below it, tiles are reduced."),
        "max-zoom": .init("LEVEL", "", "Last level with tiles; beyond it, tiles are enlarged."),
        "subdomains": .init("NAME,…", "a,b,c", "Values of {s}."),
        "bounds": .init("W,S,E,N", "world", "Extent of the tiles in degrees."),
        "xyz.crs": .init("CODE", "EPSG:3857", "CRS of a custom grid; needs resolutions."),
        "tms.crs": .init("CODE", "EPSG:3857", "CRS of a custom grid; needs resolutions."),
        "xyz.tile-size": .init("PIXELS", "256", "Size of a tile: 256, or 256x512."),
        "tms.tile-size": .init("PIXELS", "256", "Size of a tile: 256, or 256x512."),
        "wmsc.tile-size": .init("PIXELS", "stated", "Size of a tile: 256, or 256x512."),
        "tms.layer": .init("TITLE", "only one", "Tile map of a document with several: title or end of its URL."),
        "resolutions": .init("NUMBER,…", "", "Units per pixel of each level of a custom grid."),
        "origin": .init("X,Y", "", "Upper left corner of a custom grid (lower left if rows go up)."),
        "wmsc.origin": .init("bottomLeft, topLeft", "bottomLeft", "Corner where tiles are counted from."),
        "extent": .init("MINX,MINY,MAXX,MAXY", "", "Extent of a custom grid, in units of its CRS."),
        "gpkg.layers": .init("NAME", "only one", "Tile table to draw."),
        "style.style-layers": .init("NAME,…", "all", "Layers of the style to draw."),
        "sources.NAME": .init("[KIND:]SOURCE", "", "Replacement for the source NAME of the style."),
    ]

    private static let images: [String: LayerKeyHelp] = [
        "geotiff.crs": .init("CODE", "stated", "CRS of an image with none, or an unknown one."),
        "bands": .init("NUMBER or R,G,B", "file's", "Band in grey, or three as red, green, blue; the first is 1."),
        "range": .init("LOW..HIGH,…", "2%..98%", "Values from black to white, or shares of values; bytes: 0..255."),
        "gamma": .init("NUMBER,…", "1", "More than 1 makes the middle of the range brighter."),
        "ramp": .init("NAME or VALUE:COLOR,…", "", "Continuous colours of a band, as viridis or 0:#000,900:#0f0."),
        "values": .init("VALUE:COLOR,…", "", "Colours of exact values; others are transparent."),
        "geotiff.classes": .init("1 to 32", "", "Number of classes of the values of a band."),
        "geotiff.method": .init("quantile, equal, …", "quantile", "Method of classes, or jenks, pretty, log."),
        "geotiff.breaks": .init("NUMBER,…", "", "Bounds between classes, each in the lower class."),
        "geotiff.style-name": .init("NAME", "first", "Style of an SLD with several."),
        "geotiff.palette": .init("NAME, -NAME", "viridis", "viridis or ColorBrewer palette of classes; - reverses it."),
        "geotiff.style": .init("FILE, URL", "", "SLD with a RasterSymbolizer; replaces the keys above."),
        "stac.crs": .init("CODE", "stated", "CRS of an image with none, or an unknown one."),
        "stac.classes": .init("1 to 32", "", "Number of classes of the values of a band."),
        "stac.method": .init("quantile, equal, …", "quantile", "Method of classes, or jenks, pretty, log."),
        "stac.breaks": .init("NUMBER,…", "", "Bounds between classes, each in the lower class."),
        "stac.style-name": .init("NAME", "first", "Style of an SLD with several."),
        "stac.palette": .init("NAME, -NAME", "viridis", "viridis or ColorBrewer palette of classes; - reverses it."),
        "stac.style": .init("FILE, URL", "", "SLD with a RasterSymbolizer; replaces the keys above."),
        "asset": .init("NAME", "visual", "Asset of the items: visual, or else their first image."),
        "stac.limit": .init("1 to 100", "24", "Largest number of images, the newest first."),
        "resampling": .init("nearest, bilinear, cubic", "bilinear", "Colours between pixels; of classes nearest."),
    ]

    private static let features: [String: LayerKeyHelp] = [
        "stroke": .init(
            "COLOR or PROPERTY", "by layer", "Colour of lines and outlines, or the property that decides it."),
        "stroke-width": .init(
            "PIXELS or PROPERTY", "2", "Width of lines and outlines, or the property that decides it."),
        "stroke-opacity": .init("0 to 1", "1", "Opacity of lines and outlines."),
        "fill": .init("COLOR or PROPERTY", "by layer", "Colour of polygons, or the property that decides it."),
        "fill-opacity": .init("0 to 1", "0.6", "Opacity of polygons, and of discs with radius."),
        "marker-color": .init("COLOR or PROPERTY", "by layer", "Colour of markers, or the property that decides it."),
        "radius": .init("PIXELS or PROPERTY", "6", "Radius of points; the area of a disc shows the property."),
        "radius-range": .init("LOW..HIGH", "2..30", "Smallest and largest radius by a property."),
        "stroke-width-range": .init("LOW..HIGH", "1..8", "Smallest and largest width by a property."),
        "classes": .init("1 to 32", "5", "Number of classes of a property with numbers."),
        "method": .init(
            "quantile, equal, …", "quantile", "Or jenks, pretty, log, continuous (a ramp), categories."),
        "breaks": .init("NUMBER,…", "", "Bounds between classes, each in the lower class."),
        "palette": .init("NAME, -NAME", "ylgnbu", "viridis or ColorBrewer palette of classes; - reverses it."),
        "no-data": .init("COLOR, none", "#d9d9d9", "Colour of features without a value."),
        "marker-size": .init("small, medium, large", "medium", "Size of markers."),
        "marker-symbol": .init("NAME", "", "Accepted, but not drawn."),
        "dash": .init("6,3, or a name", "solid", "Dashes in pixels, or dot, dash, longdash, dashdot, longdashdot."),
        "casing": .init("COLOR", "", "Colour of a wider line below each line."),
        "casing-width": .init("PIXELS", "width + 3", "Total width of the casing."),
        "outline": .init("COLOR", "", "Colour of the outline of markers."),
        "label": .init("PROPERTY or TEXT", "", "Label text: a property, or as '{name}: {people:,.0f}'."),
        "label-priority": .init(
            "PROPERTY, NUMBER", "", "Property, high numbers first (with '-', low ones), or one number."),
        "declutter": .init("true, false", "false", "Draw only the points whose labels have a place."),
        "label-line": .init("on, above, below", "on", "Position of line labels."),
        "label-size": .init("PIXELS", "", "Size of labels."),
        "label-color": .init("COLOR", "", "Colour of labels."),
        "label-background": .init("COLOR", "", "Colour of a box behind labels."),
        "label-padding": .init("PIXELS", "", "Padding of that box."),
        "label-font": .init("FAMILY", "--font", "Font of labels."),
        "halo-color": .init("COLOR", "by label", "Colour of the halo of labels: white, or dark for light labels."),
        "halo-width": .init("PIXELS", "2", "Width of that halo."),
        "geodesic": .init("true, false", "false", "Draw edges as great circles."),
        "feature-styles": .init("true, false", "true", "Let the styles of features override these keys."),
        "kilometre-marks": .init("KILOMETRES", "", "Mark every N kilometres along lines."),
        "slope-colors": .init("true, false", "false", "Colour lines by slope; needs elevations."),
        "arrows": .init("true, false", "false", "Draw arrows along lines in their direction."),
        "ends": .init("true, false", "false; route: true", "Mark the start and end of lines."),
        "waypoints": .init("true, false", "false; route: true", "Name the points (label, or name)."),
        "look": .init("JSON", "", "Style object of the route dialect, as {\"pointRadius\":4}."),
        "selected-look": .init("JSON", "", "The same for the selected feature."),
        "style": .init("FILE, URL", "", "MapLibre style or SLD; overrides all other styling."),
        "style-layers": .init("NAME,…", "all", "Layers of the style to draw."),
        "style-name": .init("NAME", "first", "Style of an SLD with several."),
        "crs": .init("CODE", "stated", "CRS of the coordinates."),
        "layer": .init("NAME", "only one", "Layer of a file with several."),
        "x-column": .init("COLUMN", "lon, x", "CSV column with longitudes or eastings."),
        "y-column": .init("COLUMN", "lat, y", "CSV column with latitudes or northings."),
        "geometry-column": .init("COLUMN", "wkt", "CSV column with geometries."),
        "encoding": .init("NAME", "UTF-8", "Text encoding of a CSV or Shapefile, as windows-1251."),
        "driver": .init("NAME", "any", "The only GDAL driver that may read the file."),
    ]

    private static let databases: [String: LayerKeyHelp] = [
        "table": .init("NAME, SCHEMA.NAME", "", "Table or view; several, separated by commas, with tiles=true."),
        "sql": .init("QUERY", "", "SELECT whose rows are drawn, in place of table."),
        "geometry": .init("COLUMN", "only one", "Geometry column."),
        "id": .init("COLUMN", "primary key", "Column with unique identifiers."),
        "attributes": .init("COLUMN,…", "all", "Attributes that can be read; those that the style needs are."),
        "filter": .init("CONDITION", "", "SQL condition for rows."),
        "postgis.crs": .init("CODE", "by SRID", "CRS of the coordinates, if the table states none."),
        "postgis.limit": .init("1 to 1000000", "20000", "Largest number of features in a view; 50000 in a tile."),
        "simplify": .init("true, false", "true", "Leave out vertices that move lines less than 1/16 pixel."),
        "function": .init("NAME, SCHEMA.NAME", "", "Function that returns vector tiles for z, x, y[, query json]."),
        "tiles": .init("true, false", "false", "Draw vector tiles of the table; true for a function."),
        "postgis.min-zoom": .init("LEVEL", "0", "First level of the tiles."),
        "postgis.max-zoom": .init("LEVEL", "22", "Last level of the tiles; beyond it, tiles are enlarged."),
        "postgis.layers": .init("NAME,…", "all", "Tile layers to draw without a style."),
        "postgis.source": .init("NAME", "only one", "Source of the style that the tiles replace."),
        "postgis.style": .init("FILE, URL", "", "MapLibre style or SLD; overrides all other styling."),
        "pool": .init("1 to 100", "4", "Largest number of connections."),
        "timeout": .init("1 to 3600", "30", "Time limit of a query in seconds."),
    ]

    private static let points: [String: LayerKeyHelp] = [
        "cluster": .init("true, false", "false", "Draw close points as one, with their number."),
        "cluster-radius": .init("1 to 512 pixels", "50", "Radius of a cluster."),
        "cluster-max-zoom": .init("0 to 24", "16", "Last style zoom with clusters (tile zoom minus one)."),
        "cluster-min-points": .init("NUMBER", "2", "Smallest number of points in a cluster."),
        "heatmap": .init("true, false", "false", "Draw the density of the points."),
        "heatmap-radius": .init("1 to 500 pixels", "30", "Radius of a point."),
        "heatmap-intensity": .init(
            "NUMBER", "", "Factor of the density: by default one that suits it, 2.5 with weights."),
        "heatmap-weight": .init("PROPERTY", "", "Property with the weight of a point."),
        "heatmap-max": .init("NUMBER or N%", "100%", "Weight that counts as one point: a number, or a percentile."),
        "heatmap-ramp": .init("NAME", "maplibre", "Colour ramp: \(LayerHelp.ramps)."),
        "point-radius": .init("PIXELS", "", "Radius of a point."),
    ]

    private static let vectorTiles: [String: LayerKeyHelp] = [
        "vector.layers": .init("NAME,…", "all", "Tile layers to draw without a style."),
        "vector.source": .init("NAME", "only one", "Source of the style that the tiles replace."),
        "vector.max-zoom": .init("LEVEL", "stated", "Last level with tiles; beyond it, tiles are enlarged."),
        "vector.encoding": .init("mvt, mlt", "stated", "Encoding of the tiles."),
        "scheme": .init("xyz, tms", "xyz", "Order of the rows."),
    ]

    private static let tables: [String: LayerKeyHelp] = [
        "join": .init("FILE.csv, URL", "", "Table with values for features."),
        "on": .init("NAME[:COLUMN]", "", "Key of features and rows: a property, or id."),
        "language": .init("TAG", "", "Language of labels and numbers, as es; mul for local names."),
    ]

    private static let transit: [String: LayerKeyHelp] = [
        "transit.lines": .init("NAME,…", "all", "Lines to draw: names or identifiers."),
        "show": .init("lines, stops, names", "all", "Parts to draw."),
        "line-width": .init("0.5 to 40 pixels", "4", "Width of lines."),
        "vehicles.format": .init("NAME", "auto", "gtfs-rt, siri, stomp, hfp or recording."),
        "timetable": .init("FEED", "", "GTFS feed with the names of the lines."),
        "vehicles.lines": .init("ID,…", "all", "Lines to draw, by identifier."),
        "seconds": .init("0.1 to 600", "5", "How long to listen to a broker."),
        "directions": .init("eight, free, none", "", "Directions of the vehicle symbols."),
    ]

    private static let terrain: [String: LayerKeyHelp] = {
        let all: [String: LayerKeyHelp] = [
            "encoding": .init("terrarium, mapbox, …", "", "Encoding of tiles that are images, or custom."),
            "crs": .init("CODE", "stated", "CRS of a GeoTIFF, or of a custom tile grid."),
            "tile-size": .init("PIXELS", "256", "Size of a tile of a template."),
            "scheme": .init("xyz, tms", "xyz", "Order of the rows."),
            "max-zoom": .init("LEVEL", "15 or stated", "Last level with tiles; beyond it, tiles are enlarged."),
        ]
        var help: [String: LayerKeyHelp] = [
            "red-factor": .init("NUMBER", "1", "Metres per step of red, with encoding=custom."),
            "green-factor": .init("NUMBER", "1", "Metres per step of green."),
            "blue-factor": .init("NUMBER", "1", "Metres per step of blue."),
            "base-shift": .init("NUMBER", "0", "Metres that are subtracted from the sum."),
            "band": .init("1, 2, …", "1", "Band of a GeoTIFF."),
            "hillshade.method": .init("standard, …", "standard", "Or multidirectional, combined, igor."),
            "azimuth": .init("DEGREES", "315", "Direction of the light, clockwise from north."),
            "altitude": .init("0 to 90", "45", "Height of the light above the horizon in degrees."),
            "z-factor": .init("NUMBER", "1", "Factor of elevations: metres per unit, or exaggeration."),
            "gradient": .init("horn, …", "horn", "Or zevenbergen-thorne, for smooth ground."),
            "shadow": .init("COLOR", "", "Colour of shades above a map; level ground is then clear."),
            "highlight": .init("COLOR", "", "Colour of slopes towards the light above a map."),
            "ramp": .init("VALUE:COLOR,…", "by kind", "Colours, interpolated; or a palette, as viridis or -blues."),
            "range": .init("LOW..HIGH", "by kind", "Values at the ends of a palette."),
            "slope.unit": .init("degrees, percent", "degrees", "Unit of the ramp."),
            "interval": .init("NUMBER", "by scale", "Difference between lines."),
            "base": .init("NUMBER", "0", "An elevation with a line."),
            "index": .init("NUMBER", "5", "Every N-th line is an index line; 0 for none."),
            "contours.unit": .init("m, ft", "m", "Unit of the lines and their labels."),
            "contours.stroke": .init("COLOR", "#9c6b3c", "Colour of the lines."),
            "contours.stroke-width": .init("PIXELS", "0.7", "Width of the lines."),
            "contours.stroke-opacity": .init("0 to 1", "1", "Opacity of the lines."),
            "index-width": .init("PIXELS", "stroke-width x 2", "Width of index lines."),
            "contours.label": .init("true, false", "true", "Label index lines."),
            "contours.label-size": .init("PIXELS", "10", "Size of labels."),
            "contours.label-color": .init("COLOR", "by stroke", "Colour of labels."),
            "contours.label-font": .init("FAMILY", "--font", "Font of labels."),
            "contours.halo-color": .init("COLOR", "white", "Colour of the halo of labels."),
            "contours.halo-width": .init("PIXELS", "2", "Width of that halo."),
        ]
        for kind in [LayerKind.hillshade, .colorRelief, .slope, .aspect, .contours] {
            for (key, value) in all { help["\(kind.name).\(key)"] = value }
        }
        return help
    }()
}
