package import Portolan

/// What a picture is to show, as options or a map document say it; `nil` where they say nothing.
package struct ViewRequest: Equatable {
    /// `WIDTHxHEIGHT` in pixels.
    package var size: String?
    package var pixelRatio: Double?
    package var crs: String?
    /// `MINX,MINY,MAXX,MAXY` in units of `bboxCRS`.
    package var bbox: String?
    package var bboxCRS: String?
    /// Whether `bbox` is to be stretched.
    package var isExact = false
    /// `LON,LAT` in degrees.
    package var center: String?
    package var zoom: Double?
    package var resolution: Double?
    /// `1:N`.
    package var scale: String?
    package var isFitting = false
    package var padding: Double?
    package var maxZoom: Double?
    package var rotation: Double?
    /// Pixels at the foot that a bar covers.
    var foot = 0.0

    /// What stands before the names of options in messages; a map document has keys of the same names.
    let mark: String

    /// Makes a request that says nothing.
    ///
    /// - Parameter isDocument: whether a map document says it, and not the command line.
    package init(isDocument: Bool = false) { mark = isDocument ? "" : "--" }
}

extension ViewRequest {
    /// These options, with those of `document` where they say nothing.
    ///
    /// A way of placing the view given here replaces the document's whole, so that `--bbox` is not joined to its centre.
    package func over(_ document: ViewRequest) -> ViewRequest {
        var merged = self
        merged.size = size ?? document.size
        merged.pixelRatio = pixelRatio ?? document.pixelRatio
        merged.crs = crs ?? document.crs
        merged.padding = padding ?? document.padding
        merged.maxZoom = maxZoom ?? document.maxZoom
        merged.rotation = rotation ?? document.rotation
        merged.isExact = isExact || document.isExact
        // A box, or --fit, says all of the place; a way of scaling goes with a centre, here or in the document.
        guard bbox == nil, !isFitting else { return merged }
        let scales = zoom != nil || resolution != nil || scale != nil
        if !scales {
            merged.zoom = document.zoom
            merged.resolution = document.resolution
            merged.scale = document.scale
        }
        guard center == nil else { return merged }
        merged.center = document.center
        if !scales || document.center == nil {
            merged.bbox = document.bbox
            // A document's box stays where it is when the map gets another CRS.
            merged.bboxCRS =
                bboxCRS ?? document.bboxCRS
                ?? (document.bbox != nil && crs != nil ? document.crs ?? Self.defaultCRS : nil)
            merged.isFitting = document.isFitting
        }
        return merged
    }

    /// These options about a place in degrees, where they say how large things are and not where.
    package func centered(on place: String?) -> ViewRequest {
        guard center == nil, bbox == nil, !isFitting, zoom != nil || resolution != nil || scale != nil else {
            return self
        }
        var request = self
        request.center = place
        return request
    }

    /// The size of the picture before the pixel ratio.
    package func imageSize() throws(CommandFailure) -> ImageSize {
        let text = size ?? "1024x768"
        let sides = text.lowercased().split(separator: "x", omittingEmptySubsequences: false).map { Int($0) }
        guard sides.count == 2, let width = sides[0], let height = sides[1],
            let size = ImageSize(width: width, height: height)
        else {
            throw CommandFailure(
                .usage,
                "\(mark)size \(text) is not a size; write it as 1024x768, each side 1 to \(ImageSize.maximumSide)")
        }
        return size
    }

    private static let defaultCRS = "EPSG:3857"

    /// The CRS of the map.
    package func mapCRS() throws(CommandFailure) -> CRS { try Self.crs(crs ?? Self.defaultCRS, option: "\(mark)crs") }

    static func crs(_ text: String, option: String) throws(CommandFailure) -> CRS {
        do { return try CRS(text) } catch {
            var message = "\(option): \(error)"
            if case .unknown = error { message += "; possible are \(projected)" }
            throw CommandFailure(.usage, message)
        }
    }

    /// The systems that coordinates can be transformed to and from, as far as a line has room for them.
    static let projected =
        "EPSG:3857, EPSG:4326, CRS:84, the UTM zones (as EPSG:32633, 25833, 26912), national grids (as EPSG:2056, 2154, "
        + "2180, 27700, 28992, 31467), EPSG:3035, the systems of the poles (as EPSG:3031, 3413, 3575) and the geographic "
        + "systems of their datums"

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
