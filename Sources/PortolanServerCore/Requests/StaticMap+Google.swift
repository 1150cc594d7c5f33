import PortolanFeatures
import PortolanGeo
import PortolanRaster
import PortolanStyles

/// The Google Static Maps syntax: `center zoom size scale format maptype language markers path visible`.
///
/// Coordinates have the latitude first. Addresses are not geocoded.
extension StaticMap {
    /// Parses a request.
    ///
    /// - Parameter maps: the names of the maps, of which the first is drawn if neither `map` nor `maptype` names one.
    /// - Throws: ``Problem`` with the key and the position of the error.
    package init(google query: Query, maps: [String], limits: ServingLimits) throws(Problem) {
        guard let sizeText = query["size"] else { throw Problem(.badRequest, "missing size", key: "size") }
        let size = try OverlayText.size(sizeText, "size")
        let ratio = try query["scale"].map { text throws(Problem) in try RequestText.whole(text, "scale") } ?? 1
        guard (1...4).contains(ratio) else { throw Problem(.badRequest, "\(ratio) must be 1 to 4", key: "scale") }
        self.init(
            map: try Self.googleMap(query, maps), place: .overlays, width: size.width, height: size.height,
            ratio: ratio,
            format: try Self.googleFormat(query["format"]))
        for key in ["style", "map_id"] where query[key] != nil {
            throw Problem(.badRequest, "styles cannot be changed by a request", key: key)
        }
        if let text = query["language"] {
            changes.language = LabelLanguage(text)
            guard changes.language != nil else {
                throw Problem(.badRequest, "'\(text)' is not a language such as en or pt-BR", key: "language")
            }
        }
        ignored = query.unused(
            except: [
                "size", "scale", "format", "map", "maptype", "path", "markers", "visible", "zoom", "center",
                "language", "key", "client", "channel", "signature", "expires", "sig",
            ])
        if let type = query["maptype"], !["roadmap", map].contains(type) { ignored.append("maptype") }
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

    private static func googleMap(_ query: Query, _ maps: [String]) throws(Problem) -> String {
        guard let first = maps.first else { throw Problem(.notFound, "no map available", key: "map") }
        guard let type = query["maptype"], type != "roadmap" else { return query["map"] ?? first }
        // The operator may have a map of this name.
        guard maps.contains(type) else {
            throw Problem(
                .badRequest, "no map has the name '\(type)'; available: \(maps.prefix(20).joined(separator: ", "))",
                key: "maptype")
        }
        return query["map"] ?? type
    }

    private static func googleFormat(_ text: String?) throws(Problem) -> ServedFormat {
        switch text {
        case nil, "png", "png8", "png32": return .png
        case "jpg", "jpg-baseline", "jpeg": return .jpg
        case .some(let word):
            guard let format = ServedFormat(name: word) else {
                throw Problem(
                    .badRequest, "the format '\(word)' is not available; use png, jpg, webp or svg", key: "format")
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
        var look = GoogleMarker(), places: [Coordinate] = []
        for part in OverlayText.parts(text, by: "|") where !part.text.isEmpty {
            let sides = part.text.split(separator: ":", maxSplits: 1)
            guard sides.count == 2 else {
                places.append(
                    try OverlayText.place(part.text, isLatitudeFirst: true, "markers", position: part.position))
                continue
            }
            let value = sides[1], position = part.position + sides[0].count + 1
            switch sides[0] {
            case "color": look.color = try googleColor(value, "markers", position: position)
            case "label":
                look.symbol = value.count == 1 ? PinSymbol(String(value)) : nil
                guard look.symbol != nil else {
                    throw Problem(
                        .badRequest, "a label must be one letter or digit", key: "markers", position: position)
                }
            case "size":
                guard let found = ["tiny": 5.0, "small": 6, "mid": 7.5, "normal": 9][String(value)] else {
                    throw Problem(
                        .badRequest, "'\(value)' must be tiny, small, mid or normal", key: "markers", position: position
                    )
                }
                look.radius = found
            case "scale":
                guard let scale = ["1": 1.0, "2": 2, "4": 4][String(value)] else {
                    throw Problem(.badRequest, "'\(value)' must be 1, 2 or 4", key: "markers", position: position)
                }
                look.scale = scale
            case "icon":
                look.icon = OverlayIcon(
                    String(value), anchor: .share(.bottom), key: "markers", position: position)
            case "anchor": look.anchor = try googleAnchor(value, position: position)
            default:
                throw Problem(
                    .badRequest, "unknown marker option '\(sides[0]):'", key: "markers", position: part.position)
            }
        }
        guard !places.isEmpty else { throw Problem(.badRequest, "missing place in markers", key: "markers") }
        ignored += look.ignored
        return places.map(look.overlay)
    }

    /// Parses the position in an icon: pixels, or a word such as `topleft`.
    private static func googleAnchor(
        _ text: some StringProtocol, position: Int
    ) throws(Problem) -> OverlayIcon.Anchor {
        if text.contains(",") {
            let numbers = try RequestText.numbers(text, count: 2, "markers", position: position)
            guard numbers.allSatisfy({ abs($0) <= 4096 }) else {
                throw Problem(
                    .badRequest, "'\(text)': an anchor must be within 4096 pixels", key: "markers", position: position)
            }
            return .pixel(x: numbers[0], y: numbers[1])
        }
        let shares: [String: (Double, Double)] = [
            "center": (0.5, 0.5), "top": (0.5, 0), "bottom": (0.5, 1), "left": (0, 0.5), "right": (1, 0.5),
            "topleft": (0, 0), "topright": (1, 0), "bottomleft": (0, 1), "bottomright": (1, 1),
        ]
        guard let share = shares[String(text)] else {
            throw Problem(
                .badRequest, "'\(text)' must be x,y or one of \(shares.keys.sorted().joined(separator: ", "))",
                key: "markers", position: position)
        }
        return .share(IconMarker.Anchor(x: share.0, y: share.1))
    }
}

/// The appearance of markers in the Google syntax.
private struct GoogleMarker {
    var color: MapColor?
    var radius: Double?
    var symbol: PinSymbol?
    var icon: OverlayIcon?
    var anchor: OverlayIcon.Anchor?
    var scale = 1.0

    /// The options that have no effect: an icon has no colour, and a pin no anchor.
    var ignored: [String] {
        guard icon != nil else { return anchor == nil ? [] : ["anchor of markers without an icon"] }
        let unused = [("color", color != nil), ("size", radius != nil), ("label", symbol != nil)]
        return unused.filter(\.1).map { "\($0.0) of markers with an icon" }
    }

    func overlay(at place: Coordinate) -> Overlay {
        guard var icon else {
            return .pin(
                at: place, color: color ?? MapColor(red: 234, green: 67, blue: 53), radius: (radius ?? 9) * scale,
                symbol: symbol)
        }
        icon.anchor = anchor ?? icon.anchor
        // A pixel of an icon is one of the picture, whatever its scale.
        icon.scale = .picture(scale)
        return Overlay(icon: icon, at: place)
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
