import ArgumentParser
import Portolan

/// The options that say what a picture shows.
struct ViewOptions: ParsableArguments {
    @Option(help: "Width and height in pixels, before the pixel ratio (default: 1024x768).")
    var size: String?

    @Option(help: "Picture pixels a pixel of --size, 0.1 to 16 (default: 1).")
    var pixelRatio: Double?

    @Option(help: "The CRS of the map (default: EPSG:3857).")
    var crs: String?

    @Option(
        parsing: .unconditional,
        help: "MINX,MINY,MAXX,MAXY to show, east first, in units of --bbox-crs; grown to the picture's aspect.")
    var bbox: String?

    @Option(name: .customLong("bbox-crs"), help: "The CRS of --bbox (default: the map's).")
    var bboxCRS: String?

    @Flag(name: .customLong("exact-bbox"), help: "Not supported yet: stretch --bbox to the picture.")
    var exactBBox = false

    @Option(parsing: .unconditional, help: "LON,LAT in degrees to show in the middle.")
    var center: String?

    @Option(parsing: .unconditional, help: "Zoom level, fractions allowed; level 0 is the world in one 256-pixel tile.")
    var zoom: Double?

    @Option(parsing: .unconditional, help: "Map units a pixel.")
    var resolution: Double?

    @Option(help: "Scale as 1:N, on pixels of 0.28 mm.")
    var scale: String?

    @Flag(help: "Show all features (the default when there are features and nothing else is said).")
    var fit = false

    @Option(parsing: .unconditional, help: "Pixels kept free around the features with --fit (default: 40).")
    var padding: Double?

    @Option(parsing: .unconditional, help: "The closest zoom level that --fit goes to (default: 17).")
    var maxZoom: Double?

    @Option(parsing: .unconditional, help: "The bearing that points up, in degrees clockwise from north (default: 0).")
    var rotation: Double?
}

extension ViewOptions {
    /// These options, with those of `document` where they say nothing.
    ///
    /// A way of placing the view given here replaces the document's whole, so that `--bbox` is not joined to its centre.
    func over(_ document: ViewOptions) -> ViewOptions {
        var merged = self
        merged.size = size ?? document.size
        merged.pixelRatio = pixelRatio ?? document.pixelRatio
        merged.crs = crs ?? document.crs
        merged.padding = padding ?? document.padding
        merged.maxZoom = maxZoom ?? document.maxZoom
        merged.rotation = rotation ?? document.rotation
        merged.exactBBox = exactBBox || document.exactBBox
        guard bbox == nil, !fit else { return merged }
        if center == nil {
            merged.bbox = document.bbox
            merged.bboxCRS = bboxCRS ?? document.bboxCRS
            merged.fit = document.fit
        }
        merged.center = center ?? document.center
        if zoom == nil, resolution == nil, scale == nil {
            merged.zoom = document.zoom
            merged.resolution = document.resolution
            merged.scale = document.scale
        }
        return merged
    }

    /// The size of the picture before the pixel ratio.
    func imageSize() throws(CommandFailure) -> ImageSize {
        let text = size ?? "1024x768"
        let sides = text.lowercased().split(separator: "x", omittingEmptySubsequences: false).map { Int($0) }
        guard sides.count == 2, let width = sides[0], let height = sides[1],
            let size = ImageSize(width: width, height: height)
        else {
            throw CommandFailure(
                .usage, "--size \(text) is not a size; write it as 1024x768, each side 1 to \(ImageSize.maximumSide)")
        }
        return size
    }

    /// The CRS of the map.
    func mapCRS() throws(CommandFailure) -> CRS { try Self.crs(crs ?? "EPSG:3857", option: "--crs") }

    static func crs(_ text: String, option: String) throws(CommandFailure) -> CRS {
        do { return try CRS(text) } catch { throw CommandFailure(.usage, "\(option): \(error)") }
    }

    /// The numbers of a list such as `1,2.5,3`.
    static func numbers(_ text: String, count: Int, option: String, form: String) throws(CommandFailure) -> [Double] {
        let numbers = text.split(separator: ",", omittingEmptySubsequences: false)
            .map { Double($0.trimmingPrefix { $0 == " " }) }
        guard numbers.count == count, numbers.allSatisfy({ $0?.isFinite ?? false }) else {
            throw CommandFailure(.usage, "\(option) \(text) is not of the form \(form)")
        }
        return numbers.compactMap { $0 }
    }
}
