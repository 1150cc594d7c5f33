import PortolanFeatures
import PortolanGeo
import PortolanRaster

/// The tileserver-gl static map syntax.
///
/// The path is `{lon},{lat},{zoom}[@{bearing}[,0]]`, `{west},{south},{east},{north}` or `auto`, then
/// `{w}x{h}[@{r}x].{format}`.
extension StaticMap {
    /// Parses a request.
    ///
    /// - Parameters:
    ///   - path: the location and the size.
    ///   - query: `path`, `marker`, `latlng`, `padding`, `maxzoom`, `fill`, `stroke`, `width`, `border`, `borderwidth`,
    ///     `linecap`, `linejoin`.
    /// - Throws: ``Problem`` with the key and the position of the error.
    package init(
        tileServer map: String, path: some Collection<String>, query: Query, limits: ServingLimits
    ) throws(Problem) {
        let parts = Array(path)
        guard parts.count == 2 else {
            throw Problem(.notFound, "the path of a static map is /maps/{map}/static/{place}/{width}x{height}.png")
        }
        let file = try RequestText.file(parts[1]), size = try OverlayText.size(file.name, "size")
        let isLatitudeFirst = query["latlng"].map { $0 != "false" && $0 != "0" } ?? false
        self.init(
            map: map, place: try Self.tileServerPlace(parts[0]), width: size.width, height: size.height,
            ratio: file.ratio, format: file.format)
        if let text = query["padding"] {
            padding = .share(try OverlayText.measure(text, upTo: 10, "padding"))
        }
        if let text = query["maxzoom"] { maximumZoom = try OverlayText.measure(text, upTo: 24, "maxzoom") }
        let look = try PathLook(query)
        for text in query.all("path") {
            overlays += try Self.tileServerPath(text, look, isLatitudeFirst: isLatitudeFirst, limits: limits)
        }
        for text in query.all("marker") {
            overlays.append(try Self.tileServerMarker(text, isLatitudeFirst: isLatitudeFirst))
        }
    }

    private static func tileServerPlace(_ text: String) throws(Problem) -> Place {
        if text == "auto" { return .overlays }
        let sides = text.split(separator: "@", maxSplits: 1, omittingEmptySubsequences: false)
        let first = sides[0]
        if first.split(separator: ",", omittingEmptySubsequences: false).count == 4, sides.count == 1 {
            let numbers = try RequestText.numbers(first, count: 4, "place")
            guard let extent = Extent(sides: numbers),
                let box = BoundingBox(minX: extent.minX, minY: extent.minY, maxX: extent.maxX, maxY: extent.maxY)
            else {
                throw Problem(.badRequest, "'\(text)': expected a box: west, south, east, north", key: "place")
            }
            return .box(box)
        }
        let numbers = try RequestText.numbers(first, count: 3, "place")
        var bearing = 0.0
        if sides.count == 2 {
            let angles = sides[1].split(separator: ",", omittingEmptySubsequences: false)
            bearing = try RequestText.number(angles[0], "place", position: first.count + 1)
            guard angles.count == 1 || angles.count == 2 && Double(angles[1]) == 0 else {
                throw Problem(.badRequest, "the pitch must be 0; perspective views are not supported", key: "place")
            }
        }
        return .center(Coordinate(x: numbers[0], y: numbers[1]), zoom: numbers[2], bearing: bearing)
    }

    /// The style of paths: the defaults from the query, overridden by each path.
    private struct PathLook {
        var stroke: MapColor?
        var fill: MapColor?
        var width: Double?
        var border: MapColor?
        var borderWidth: Double?
        var cap = StrokeStyle.LineCap.butt
        var join = StrokeStyle.LineJoin.miter

        init(_ query: Query) throws(Problem) {
            for key in ["stroke", "fill", "width", "border", "borderwidth"] {
                if let value = query[key] { _ = try set(key, value, key: key, position: 0) }
            }
            switch query["linecap"] {
            case nil, "butt": cap = .butt
            case "round": cap = .round
            case "square": cap = .square
            case .some(let word): throw Problem(.badRequest, "'\(word)' must be butt, round or square", key: "linecap")
            }
            switch query["linejoin"] {
            case nil, "miter": join = .miter
            case "round": join = .round
            case "bevel": join = .bevel
            case .some(let word): throw Problem(.badRequest, "'\(word)' must be miter, round or bevel", key: "linejoin")
            }
        }

        /// Sets a style value.
        ///
        /// Returns `false` for an unknown name.
        mutating func set(
            _ name: some StringProtocol, _ value: some StringProtocol, key: String, position: Int
        ) throws(Problem) -> Bool {
            switch name {
            case "stroke": stroke = try OverlayText.color(value, key, position: position)
            case "fill": fill = try OverlayText.color(value, key, position: position)
            case "border": border = try OverlayText.color(value, key, position: position)
            case "width": width = try OverlayText.measure(value, upTo: 100, key, position: position)
            case "borderwidth": borderWidth = try OverlayText.measure(value, upTo: 100, key, position: position)
            default: return false
            }
            return true
        }

        var line: LineSymbol {
            let width = width ?? 1
            var line = LineSymbol(
                color: stroke ?? MapColor(red: 0, green: 64, blue: 255).withOpacity(0.7), width: width, cap: cap,
                join: join)
            if let border {
                line.casing = .init(color: border, width: width + 2 * (borderWidth ?? width * 0.1))
            }
            return line
        }
    }

    private static func tileServerPath(
        _ text: String, _ usual: PathLook, isLatitudeFirst: Bool, limits: ServingLimits
    ) throws(Problem) -> [Overlay] {
        var look = usual, places: [Coordinate] = [], rest = text
        // An encoded polyline may contain `|`, so it extends to the end of the text.
        var polyline: (text: Substring, position: Int)?
        if let start = text.firstRange(of: "enc:") {
            polyline = (text[start.upperBound...], text.distance(from: text.startIndex, to: start.upperBound))
            rest = String(text[..<start.lowerBound])
        }
        for part in OverlayText.parts(rest, by: "|") where !part.text.isEmpty {
            let sides = part.text.split(separator: ":", maxSplits: 1)
            if sides.count == 2,
                try look.set(
                    sides[0], sides[1], key: "path", position: part.position + sides[0].count + 1)
            {
                continue
            }
            places.append(
                try OverlayText.place(
                    part.text, isLatitudeFirst: isLatitudeFirst, "path", position: part.position))
            guard places.count <= limits.vertices else {
                throw Problem(.badRequest, "a path can have at most \(limits.vertices) vertices", key: "path")
            }
        }
        if let polyline {
            places += try OverlayText.polyline(polyline.text, limits: limits, "path", position: polyline.position)
        }
        guard places.count > 1 else { throw Problem(.badRequest, "a path needs at least two places", key: "path") }
        return Overlay.path(places, stroke: look.line, fill: look.fill)
    }

    private static func tileServerMarker(_ text: String, isLatitudeFirst: Bool) throws(Problem) -> Overlay {
        let parts = OverlayText.parts(text, by: "|")
        let place = try OverlayText.place(parts[0].text, isLatitudeFirst: isLatitudeFirst, "marker")
        var mark = try NamedMark(
            parts.count > 1 ? String(parts[1].text) : "pin", position: parts.count > 1 ? parts[1].position : 0)
        for part in parts.dropFirst(2) {
            let sides = part.text.split(separator: ":", maxSplits: 1), value = sides.count == 2 ? sides[1] : ""
            switch sides.first {
            case "scale":
                mark.scale = try OverlayText.measure(value, upTo: 10, "marker", position: part.position + 6)
            case "offset":
                // The anchor is validated but ignored: built-in markers have a fixed anchor.
                _ = try RequestText.numbers(value, count: 2, "marker", position: part.position + 7)
            default:
                throw Problem(
                    .badRequest, "'\(part.text)' must be scale:N or offset:X,Y", key: "marker",
                    position: part.position)
            }
        }
        return mark.overlay(at: place)
    }
}

/// A marker by name: a shape with an optional colour after a hyphen, such as `pin`, `circle-d7301f` or `star-red`.
struct NamedMark {
    private var shape: ShapeMarker.Shape
    private var color = MapColor(red: 215, green: 48, blue: 31)
    /// The scale factor of its size.
    var scale = 1.0

    private static let shapes: [String: ShapeMarker.Shape] = [
        "pin": .pin, "circle": .circle, "square": .square, "triangle": .triangle, "star": .star, "cross": .cross,
        "x": .x, "flag": .flag,
    ]

    init(_ text: String, position: Int) throws(Problem) {
        let sides = text.split(separator: "-", maxSplits: 1)
        guard let name = sides.first, let shape = Self.shapes[String(name)] else {
            // Images named by a client are never fetched.
            throw Problem(
                .badRequest,
                "unknown icon '\(text)'; available: \(Self.shapes.keys.sorted().joined(separator: ", "))",
                key: "marker", position: position)
        }
        self.shape = shape
        guard sides.count == 2 else { return }
        guard let color = MapColor(css: "#\(sides[1])") ?? MapColor(css: String(sides[1])) else {
            throw Problem(
                .badRequest, "'\(sides[1])' is not a valid colour", key: "marker", position: position + name.count + 1)
        }
        self.color = color
    }

    func overlay(at place: Coordinate) -> Overlay {
        if shape == .pin { return .pin(at: place, color: color, radius: 9 * scale) }
        let marker = ShapeMarker(
            shape: shape, radius: 9 * scale, fill: FillSymbol(color: color),
            stroke: LineSymbol(color: .white, width: 1))
        return Overlay(.point(place), style: Style(marker: .shape(marker)))
    }
}
