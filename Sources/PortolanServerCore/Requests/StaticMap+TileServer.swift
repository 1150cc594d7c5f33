import PortolanFeatures
import PortolanGeo
import PortolanRaster

/// The tileserver-gl static map syntax.
///
/// The path is `{lon},{lat},{zoom}[@{bearing}[,0]]`, `{west},{south},{east},{north}` or `auto`, then
/// `{w}x{h}[@{r}x].{format}`. After `raw`, coordinates are in Web Mercator (EPSG:3857).
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
        var parts = Array(path)
        let isRaw = parts.first == "raw"
        if isRaw { parts.removeFirst() }
        guard parts.count == 2 else {
            throw Problem(
                .notFound, "the path of a static map is …/static/[raw/]{place}/{width}x{height}[@2x].png")
        }
        let file = try RequestText.file(parts[1]), size = try OverlayText.size(file.name, "size")
        let isLatitudeFirst = query["latlng"].map { $0 != "false" && $0 != "0" } ?? false
        let order = TileServerOrder(isRaw: isRaw, isLatitudeFirst: isLatitudeFirst)
        self.init(
            map: map, place: try Self.tileServerPlace(parts[0], order), width: size.width, height: size.height,
            ratio: file.ratio, format: file.format)
        if let text = query["padding"] {
            padding = .share(try OverlayText.measure(text, upTo: 10, "padding"))
        }
        if let text = query["maxzoom"] { maximumZoom = try OverlayText.measure(text, upTo: 24, "maxzoom") }
        let look = try PathLook(query)
        for text in query.all("path") {
            overlays += try Self.tileServerPath(text, look, order, limits: limits)
        }
        for text in query.all("marker") { overlays.append(try Self.tileServerMarker(text, order)) }
        ignored = ignoredKeys(of: query)
    }

    /// Returns the parameters that have no effect.
    private func ignoredKeys(of query: Query) -> [String] {
        var used: Set = ["path", "marker", "expires", "sig", "key"]
        if query["path"] != nil { used.formUnion(PathLook.keys) }
        if query["path"] != nil || query["marker"] != nil { used.insert("latlng") }
        if case .center = place {} else { used.formUnion(["padding", "maxzoom"]) }
        return query.unused(except: used)
    }

    private static func tileServerPlace(_ text: String, _ order: TileServerOrder) throws(Problem) -> Place {
        if text == "auto" { return .overlays }
        let sides = text.split(separator: "@", maxSplits: 1, omittingEmptySubsequences: false)
        let first = sides[0]
        if first.split(separator: ",", omittingEmptySubsequences: false).count == 4, sides.count == 1 {
            var numbers = try RequestText.numbers(first, count: 4, "place")
            if order.isRaw {
                let low = try order.degrees(numbers[0], numbers[1], "place", position: 0)
                let high = try order.degrees(numbers[2], numbers[3], "place", position: 0)
                numbers = [low.x, low.y, high.x, high.y]
            }
            // A box whose west is east of its east crosses the antimeridian (RFC 7946, section 5.2).
            if numbers[0] > numbers[2], abs(numbers[0]) <= 180, abs(numbers[2]) <= 180 { numbers[2] += 360 }
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
        let center =
            order.isRaw
            ? try order.degrees(numbers[0], numbers[1], "place", position: 0)
            : Coordinate(x: numbers[0], y: numbers[1])
        return .center(center, zoom: numbers[2], bearing: bearing)
    }

    /// The style of paths: the defaults from the query, overridden by each path.
    private struct PathLook {
        /// The parameters with defaults for all paths.
        static let keys = ["stroke", "fill", "width", "border", "borderwidth", "linecap", "linejoin"]

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
            case "stroke": stroke = value == "none" ? .clear : try OverlayText.color(value, key, position: position)
            case "fill": fill = value == "none" ? nil : try OverlayText.color(value, key, position: position)
            case "border": border = value == "none" ? nil : try OverlayText.color(value, key, position: position)
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
        _ text: String, _ usual: PathLook, _ order: TileServerOrder, limits: ServingLimits
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
            places.append(try order.place(part.text, "path", position: part.position))
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

    private static func tileServerMarker(_ text: String, _ order: TileServerOrder) throws(Problem) -> Overlay {
        let parts = OverlayText.parts(text, by: "|"), place = try order.place(parts[0].text, "marker")
        var shift = Overlay.Shift(x: 0, y: 0), scale = 1.0
        let name = parts.count > 1 ? String(parts[1].text) : "pin", start = parts.count > 1 ? parts[1].position : 0
        let mark = try NamedMark(name, position: start)
        for part in parts.dropFirst(2) {
            let sides = part.text.split(separator: ":", maxSplits: 1), value = sides.count == 2 ? sides[1] : ""
            switch sides.first {
            case "scale":
                scale = try OverlayText.measure(value, upTo: 10, "marker", position: part.position + 6)
            case "offset":
                let numbers = try RequestText.numbers(value, count: 2, "marker", position: part.position + 7)
                guard numbers.allSatisfy({ abs($0) <= 10_000 }) else {
                    throw Problem(
                        .badRequest, "'\(value)': an offset must be within 10000 pixels", key: "marker",
                        position: part.position + 7)
                }
                shift = Overlay.Shift(x: numbers[0], y: numbers[1])
            default:
                throw Problem(
                    .badRequest, "'\(part.text)' must be scale:N or offset:X,Y", key: "marker",
                    position: part.position)
            }
        }
        var overlay: Overlay
        if let mark {
            overlay = mark.overlay(at: place, scale: scale)
        } else {
            var icon = OverlayIcon(name, anchor: .share(.bottom), key: "marker", position: start)
            icon.scale = .view(scale)
            overlay = Overlay(icon: icon, at: place)
        }
        overlay.shift = Overlay.Shift(x: shift.x * scale, y: shift.y * scale)
        return overlay
    }
}

/// The meaning of pairs of numbers in the tileserver-gl syntax.
private struct TileServerOrder {
    /// Whether they are metres of Web Mercator.
    let isRaw: Bool
    /// Whether the latitude, or the northing, comes first.
    let isLatitudeFirst: Bool

    /// Parses a pair, and returns it as degrees.
    func place(_ text: Substring, _ key: String, position: Int = 0) throws(Problem) -> Coordinate {
        guard isRaw else {
            return try OverlayText.place(text, isLatitudeFirst: isLatitudeFirst, key, position: position)
        }
        let numbers = try RequestText.numbers(text, count: 2, key, position: position)
        return try degrees(
            numbers[isLatitudeFirst ? 1 : 0], numbers[isLatitudeFirst ? 0 : 1], key, position: position)
    }

    /// Converts a coordinate in Web Mercator to degrees.
    func degrees(_ x: Double, _ y: Double, _ key: String, position: Int) throws(Problem) -> Coordinate {
        let limit = 40_075_016.685578488
        guard abs(x) <= limit, abs(y) <= limit,
            let transform = try? CoordinateTransform(from: .webMercator, to: .crs84),
            let place = transform(Coordinate(x: x, y: y))
        else {
            throw Problem(
                .badRequest, "\(x), \(y) is outside Web Mercator (EPSG:3857)", key: key, position: position)
        }
        return place
    }
}

extension Query {
    /// Returns the names of items other than these, each once.
    func unused(except used: Set<String>) -> [String] {
        var names: [String] = []
        for item in items where !used.contains(item.name) && !names.contains(item.name) { names.append(item.name) }
        return names
    }
}

/// A marker by name: a shape with an optional colour after a hyphen, such as `pin`, `circle-d7301f` or `star-red`.
struct NamedMark {
    private let shape: ShapeMarker.Shape
    private let color: MapColor

    private static let shapes: [String: ShapeMarker.Shape] = [
        "pin": .pin, "circle": .circle, "square": .square, "triangle": .triangle, "star": .star, "cross": .cross,
        "x": .x, "flag": .flag,
    ]

    /// The sorted names of the shapes.
    static let names = shapes.keys.sorted()

    /// Parses a name, or returns `nil` if it is not that of a shape.
    ///
    /// - Throws: ``Problem`` for a shape whose colour is invalid.
    init?(_ text: String, position: Int) throws(Problem) {
        let sides = text.split(separator: "-", maxSplits: 1)
        guard let name = sides.first, let shape = Self.shapes[String(name)] else { return nil }
        self.shape = shape
        guard sides.count == 2 else {
            color = MapColor(red: 215, green: 48, blue: 31)
            return
        }
        guard let color = MapColor(css: "#\(sides[1])") ?? MapColor(css: String(sides[1])) else {
            // A file can begin like a shape.
            if text.contains(".") { return nil }
            throw Problem(
                .badRequest, "'\(sides[1])' is not a valid colour", key: "marker", position: position + name.count + 1)
        }
        self.color = color
    }

    func overlay(at place: Coordinate, scale: Double) -> Overlay {
        if shape == .pin { return .pin(at: place, color: color, radius: 9 * scale) }
        let marker = ShapeMarker(
            shape: shape, radius: 9 * scale, fill: FillSymbol(color: color),
            stroke: LineSymbol(color: .white, width: 1))
        return Overlay(.point(place), style: Style(marker: .shape(marker)))
    }
}
