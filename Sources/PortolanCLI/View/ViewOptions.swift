import ArgumentParser
import Portolan

/// The options that say what a picture shows.
struct ViewOptions: ParsableArguments {
    @Option(
        parsing: .unconditional,
        help: ArgumentHelp(
            "Width and height in pixels, before the pixel ratio (default: 1024x768).", valueName: "WxH"))
    var size: String?

    @Option(parsing: .unconditional, help: "Picture pixels a pixel of --size, 0.1 to 16 (default: 1).")
    var pixelRatio: Double?

    @Option(help: "The CRS of the map (default: EPSG:3857).")
    var crs: String?

    @Option(
        parsing: .unconditional,
        help: ArgumentHelp(
            """
            What to show, east first, in units of --bbox-crs (metres, or degrees); grown to the picture's aspect, never \
            stretched.
            """, valueName: "minx,miny,maxx,maxy"))
    var bbox: String?

    @Option(name: .customLong("bbox-crs"), help: "The CRS of --bbox (default: the map's).")
    var bboxCRS: String?

    @Flag(name: .customLong("exact-bbox"), help: "Not supported yet: stretch --bbox to the picture.")
    var exactBBox = false

    @Option(
        parsing: .unconditional,
        help: ArgumentHelp("What to show in the middle, in degrees, east first.", valueName: "lon,lat"))
    var center: String?

    @Option(
        parsing: .unconditional,
        help: "Zoom level with --center, fractions allowed; level 0 is the world in one 256-pixel tile.")
    var zoom: Double?

    @Option(parsing: .unconditional, help: "Units of --crs (metres, or degrees) a pixel, with --center.")
    var resolution: Double?

    @Option(parsing: .unconditional, help: ArgumentHelp("Scale on pixels of 0.28 mm, with --center.", valueName: "1:N"))
    var scale: String?

    @Flag(
        help:
            "Show all features or, where there are none, the extent that the layers state (the default when no view is given)."
    )
    var fit = false

    @Option(
        parsing: .unconditional,
        help: "Pixels kept free around the features with --fit (default: 40, less in small pictures).")
    var padding: Double?

    @Option(parsing: .unconditional, help: "The closest zoom level that --fit goes to (default: 17).")
    var maxZoom: Double?

    @Option(parsing: .unconditional, help: "The bearing that points up, in degrees clockwise from north (default: 0).")
    var rotation: Double?

    /// What the options say.
    func request() throws(CommandFailure) -> ViewRequest {
        if exactBBox { throw .notSupportedYet("--exact-bbox is not supported yet") }
        var request = ViewRequest()
        let texts: [(ViewRequest.Key, String?)] = [
            (.size, size), (.crs, crs), (.bbox, bbox), (.boxCRS, bboxCRS), (.center, center), (.scale, scale),
        ]
        for case (let key, let text?) in texts {
            try ViewRequest.asking { () throws(ViewRequestError) in try request.set(key, to: text) }
        }
        request.pixelRatio = pixelRatio
        request.zoom = zoom
        request.resolution = resolution
        request.isFitting = fit
        request.padding = padding
        request.maximumZoom = maxZoom
        request.rotation = rotation
        return request
    }
}
