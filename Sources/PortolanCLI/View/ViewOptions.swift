import ArgumentParser
import Portolan

/// The options of the view.
struct ViewOptions: ParsableArguments {
    @Option(
        parsing: .unconditional,
        help: ArgumentHelp("Set the width and height in pixels (default: 1024x768).", valueName: "WxH"))
    var size: String?

    @Option(
        parsing: .unconditional,
        help: ArgumentHelp("Multiply the pixels of --size by R, 0.1 to 16 (default: 1).", valueName: "r"))
    var pixelRatio: Double?

    @Option(help: ArgumentHelp("Set the CRS of the map (default: EPSG:3857).", valueName: "code"))
    var crs: String?

    @Option(
        parsing: .unconditional,
        help: ArgumentHelp(
            "Show MINX,MINY,MAXX,MAXY, east first, extended to the picture's shape.", valueName: "box"))
    var bbox: String?

    @Option(
        name: .customLong("bbox-crs"), help: ArgumentHelp("Set the CRS of --bbox (default: --crs).", valueName: "code"))
    var bboxCRS: String?

    @Flag(name: .customLong("exact-bbox"), help: "Stretch --bbox to the picture (not supported yet).")
    var exactBBox = false

    @Option(
        parsing: .unconditional,
        help: ArgumentHelp("Centre the map here, in degrees, longitude first.", valueName: "lon,lat"))
    var center: String?

    @Option(
        parsing: .unconditional,
        help: ArgumentHelp(
            "Set the zoom level (12.5); 0 is the world in one 256-pixel tile.", valueName: "z"))
    var zoom: Double?

    @Option(
        parsing: .unconditional,
        help: ArgumentHelp("Set the units of --crs (metres or degrees) per pixel.", valueName: "n"))
    var resolution: Double?

    @Option(
        parsing: .unconditional, help: ArgumentHelp("Set the scale, for pixels of 0.28 mm.", valueName: "1:N"))
    var scale: String?

    @Flag(help: "Show all features, or the layers' extent (default without a view).")
    var fit = false

    @Option(
        parsing: .unconditional,
        help: ArgumentHelp("Keep N pixels free around --fit (default: 40, less in small pictures).", valueName: "n"))
    var padding: Double?

    @Option(
        parsing: .unconditional,
        help: ArgumentHelp("Limit the zoom level of --fit (default: 17).", valueName: "z"))
    var maxZoom: Double?

    @Option(
        parsing: .unconditional,
        help: ArgumentHelp("Rotate: the bearing that points up, clockwise from north (default: 0).", valueName: "deg"))
    var rotation: Double?

    /// The view request of the options.
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
