import PortolanFeatures
import PortolanGeo
import PortolanRaster

/// The Google Static Maps syntax: `center zoom size scale format maptype markers path visible`.
///
/// Coordinates have the latitude first. Addresses are not geocoded.
extension StaticMap {
    /// Parses a request.
    ///
    /// - Parameter usual: the map if neither `map` nor `maptype` names one.
    /// - Throws: ``Problem`` with the key and the position of the error.
    package init(google query: Query, usual: String, limits: ServingLimits) throws(Problem) {
        guard let sizeText = query["size"] else { throw Problem(.badRequest, "missing size", key: "size") }
        let size = try OverlayText.size(sizeText, "size")
        let ratio = try query["scale"].map { text throws(Problem) in try RequestText.whole(text, "scale") } ?? 1
        guard (1...4).contains(ratio) else { throw Problem(.badRequest, "\(ratio) must be 1 to 4", key: "scale") }
        self.init(
            map: query["map"] ?? usual, place: .overlays, width: size.width, height: size.height, ratio: ratio,
            format: try Self.googleFormat(query["format"]))
        for key in ["style", "map_id"] where query[key] != nil {
            throw Problem(.badRequest, "styles cannot be changed by a request", key: key)
        }
        if let type = query["maptype"], type != "roadmap" {
            throw Problem(.badRequest, "the map has no type '\(type)'; choose a map with map=", key: "maptype")
        }
        ignored = query.unused(
            except: [
                "size", "scale", "format", "map", "maptype", "path", "markers", "visible", "zoom", "center", "key",
                "signature", "expires", "sig",
            ])
        for text in query.all("path") { overlays += try Self.googlePath(text, limits) }
        for text in query.all("markers") { overlays += try Self.googleMarkers(text, &ignored) }
        for text in query.all("visible") {
            for part in OverlayText.parts(text, by: "|") {
                visible.append(
                    try OverlayText.place(part.text, isLatitudeFirst: true, "visible", position: part.position))
            }
        }
        let zoom = try query["zoom"].map { text throws(Problem) in try OverlayText.measure(text, upTo: 24, "zoom") }
        if let text = query["center"] {
            let center = try OverlayText.place(text, isLatitudeFirst: true, "center")
            place = zoom.map { .center(center, zoom: $0) } ?? .around(center)
        } else {
            guard !overlays.isEmpty || !visible.isEmpty else {
                throw Problem(
                    .badRequest, "missing view; add a center, markers, a path or visible places", key: "center")
            }
            maximumZoom = zoom
        }
    }

    private static func googleFormat(_ text: String?) throws(Problem) -> ServedFormat {
        switch text {
        case nil, "png", "png8", "png32": return .png
        case "jpg", "jpg-baseline", "jpeg": return .jpg
        case .some(let word):
            guard let format = ServedFormat(name: word) else {
                throw Problem(.badRequest, "unknown format '\(word)'", key: "format")
            }
            return format
        }
    }

    /// Parses a colour as `0xRRGGBB`, `0xRRGGBBAA` or by name.
    private static func googleColor(
        _ text: some StringProtocol, _ key: String, position: Int
    ) throws(Problem) -> MapColor {
        let isHexadecimal = text.hasPrefix("0x") || text.hasPrefix("0X")
        return try OverlayText.color(isHexadecimal ? "#\(text.dropFirst(2))" : String(text), key, position: position)
    }

    private static func googlePath(_ text: String, _ limits: ServingLimits) throws(Problem) -> [Overlay] {
        var color = MapColor(red: 0, green: 0, blue: 255).withOpacity(0.5), fill: MapColor?, weight = 5.0
        var places: [Coordinate] = [], rest = text, isGeodesic = false
        var polyline: (text: Substring, position: Int)?
        if let start = text.firstRange(of: "enc:") {
            polyline = (text[start.upperBound...], text.distance(from: text.startIndex, to: start.upperBound))
            rest = String(text[..<start.lowerBound])
        }
        for part in OverlayText.parts(rest, by: "|") where !part.text.isEmpty {
            let sides = part.text.split(separator: ":", maxSplits: 1)
            guard sides.count == 2 else {
                places.append(
                    try OverlayText.place(part.text, isLatitudeFirst: true, "path", position: part.position))
                continue
            }
            let value = sides[1], position = part.position + sides[0].count + 1
            switch sides[0] {
            case "color": color = try googleColor(value, "path", position: position)
            case "fillcolor": fill = try googleColor(value, "path", position: position)
            case "weight": weight = try OverlayText.measure(value, upTo: 100, "path", position: position)
            case "geodesic": isGeodesic = value == "true"
            default:
                throw Problem(.badRequest, "unknown path option '\(sides[0]):'", key: "path", position: part.position)
            }
        }
        if let polyline {
            places += try OverlayText.polyline(polyline.text, limits: limits, "path", position: polyline.position)
        }
        guard places.count > 1 else { throw Problem(.badRequest, "a path needs at least two places", key: "path") }
        let overlays = Overlay.path(places, stroke: LineSymbol(color: color, width: weight), fill: fill)
        return isGeodesic ? overlays.map(\.alongGreatCircles) : overlays
    }

    private static func googleMarkers(_ text: String, _ ignored: inout [String]) throws(Problem) -> [Overlay] {
        var color = MapColor(red: 234, green: 67, blue: 53), radius = 9.0, symbol: PinSymbol?, places: [Coordinate] = []
        for part in OverlayText.parts(text, by: "|") where !part.text.isEmpty {
            let sides = part.text.split(separator: ":", maxSplits: 1)
            guard sides.count == 2 else {
                places.append(
                    try OverlayText.place(part.text, isLatitudeFirst: true, "markers", position: part.position))
                continue
            }
            let value = sides[1], position = part.position + sides[0].count + 1
            switch sides[0] {
            case "color": color = try googleColor(value, "markers", position: position)
            case "label":
                symbol = value.count == 1 ? PinSymbol(String(value)) : nil
                guard symbol != nil else {
                    throw Problem(
                        .badRequest, "a label must be one letter or digit", key: "markers", position: position)
                }
            case "size":
                guard let found = ["tiny": 5.0, "small": 6, "mid": 7.5, "normal": 9][String(value)] else {
                    throw Problem(
                        .badRequest, "'\(value)' must be tiny, small, mid or normal", key: "markers", position: position
                    )
                }
                radius = found
            case "icon":
                throw Problem(
                    .forbidden, "icons are not fetched from other servers", key: "markers", position: position)
            case "anchor", "scale": ignored.append("\(sides[0]) of markers")
            default:
                throw Problem(
                    .badRequest, "unknown marker option '\(sides[0]):'", key: "markers", position: part.position)
            }
        }
        guard !places.isEmpty else { throw Problem(.badRequest, "missing place in markers", key: "markers") }
        return places.map { .pin(at: $0, color: color, radius: radius, symbol: symbol) }
    }
}

extension Overlay {
    /// The overlay with edges along great circles.
    fileprivate var alongGreatCircles: Overlay {
        guard var style, let geometry = feature.geometry else { return self }
        style.isGeodesic = true
        return Overlay(geometry, style: style)
    }
}
