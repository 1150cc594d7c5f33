import PortolanFeatures
import PortolanGeo
import PortolanRaster

/// The Mapbox Static Images syntax.
///
/// The path is `[{overlay},…/]{lon},{lat},{zoom}[,{bearing}[,{pitch}]]|[{w},{s},{e},{n}]|auto/{w}x{h}[@2x]`.
extension StaticMap {
    /// Parses a request.
    ///
    /// Its zoom levels refer to tiles of 512 pixels.
    ///
    /// - Parameters:
    ///   - path: the optional overlays, the location, and the size.
    ///   - query: `padding`, `before_layer`, `addlayer`, `setfilter` and `layer_id`.
    /// - Throws: ``Problem`` with the key and the position of the error.
    package init(
        mapbox map: String, path: some Collection<String>, query: Query, limits: ServingLimits
    ) throws(Problem) {
        let parts = Array(path)
        guard parts.count == 2 || parts.count == 3 else {
            throw Problem(
                .notFound, "the path of an image is /styles/v1/{user}/{map}/static/[{overlays}/]{place}/{w}x{h}[@2x]")
        }
        var word = parts[parts.count - 1], format = ServedFormat.png
        if let dot = word.lastIndex(of: ".") {
            guard let found = ServedFormat(name: word[word.index(after: dot)...]) else {
                throw Problem(.badRequest, "unknown format '\(word[dot...])'", key: "format")
            }
            (format, word) = (found, String(word[..<dot]))
        }
        let size = try OverlayText.size(word, "size")
        self.init(
            map: map, place: try Self.mapboxPlace(parts[parts.count - 2]), width: size.width, height: size.height,
            ratio: size.ratio, format: format)
        changes = try StyleChanges(mapbox: query)
        padding = try Self.mapboxPadding(query["padding"], of: place)
        var used: Set = [
            "access_token", "fresh", "expires", "sig", "key", "before_layer", "addlayer", "setfilter", "layer_id",
        ]
        if case .center = place {} else { used.insert("padding") }
        // There is no logo, and the attribution is always drawn.
        if query["logo"] == "false" { used.insert("logo") }
        if query["attribution"] == "true" { used.insert("attribution") }
        ignored = query.unused(except: used)
        if parts.count == 3 { overlays = try Self.mapboxOverlays(parts[0], limits) }
        if overlays.isEmpty, changes.addedLayer == nil, changes.beforeLayer != nil { ignored.append("before_layer") }
    }

    private static func mapboxPlace(_ text: String) throws(Problem) -> Place {
        if text == "auto" { return .overlays }
        if text.hasPrefix("["), text.hasSuffix("]") {
            let numbers = try RequestText.numbers(text.dropFirst().dropLast(), count: 4, "place", position: 1)
            guard let extent = Extent(sides: numbers),
                let box = BoundingBox(minX: extent.minX, minY: extent.minY, maxX: extent.maxX, maxY: extent.maxY)
            else {
                throw Problem(.badRequest, "'\(text)': expected a box [west,south,east,north]", key: "place")
            }
            return .box(box)
        }
        let count = text.split(separator: ",", omittingEmptySubsequences: false).count
        let numbers = try RequestText.numbers(text, count: min(max(count, 3), 5), "place")
        guard numbers.count < 5 || numbers[4] == 0 else {
            throw Problem(.badRequest, "the pitch must be 0; perspective views are not supported", key: "place")
        }
        return .center(
            Coordinate(x: numbers[0], y: numbers[1]), zoom: numbers[2] + 1,
            bearing: numbers.count > 3 ? numbers[3] : 0)
    }

    /// Parses one to four numbers in the order of CSS: top, right, bottom, left.
    private static func mapboxPadding(_ text: String?, of place: Place) throws(Problem) -> Padding {
        guard let text else { return place == .overlays ? .share(0.05) : .share(0) }
        let count = text.split(separator: ",", omittingEmptySubsequences: false).count
        guard [1, 2, 3, 4].contains(count) else {
            throw Problem(.badRequest, "the padding must be one to four numbers of pixels", key: "padding")
        }
        let numbers = try RequestText.numbers(text, count: count, "padding")
        guard numbers.allSatisfy({ (0...10_000).contains($0) }) else {
            throw Problem(.badRequest, "the padding must not be negative", key: "padding")
        }
        let right = count > 1 ? numbers[1] : numbers[0]
        return .pixels(
            top: numbers[0], right: right, bottom: count > 2 ? numbers[2] : numbers[0],
            left: count > 3 ? numbers[3] : right)
    }

    private static func mapboxOverlays(_ text: String, _ limits: ServingLimits) throws(Problem) -> [Overlay] {
        var overlays: [Overlay] = [], rest = text[...], position = 0
        while !rest.isEmpty {
            guard let open = rest.firstIndex(of: "(") else {
                throw Problem(
                    .badRequest, "'\(rest)': expected an overlay; missing '('", key: "overlay", position: position)
            }
            let name = rest[..<open], start = rest.index(after: open)
            guard let end = end(of: rest[start...], isJSON: name == "geojson") else {
                throw Problem(.badRequest, "missing ')'", key: "overlay", position: position)
            }
            let content = rest[start..<end], inside = position + name.count + 1
            overlays += try mapboxOverlay(name, content, at: position, inside: inside, limits)
            guard overlays.count <= limits.overlays else {
                throw Problem(.badRequest, "at most \(limits.overlays) overlays are allowed", key: "overlay")
            }
            position = inside + content.count + 1
            rest = rest[rest.index(after: end)...]
            if rest.first == "," {
                rest.removeFirst()
                position += 1
            } else if !rest.isEmpty {
                throw Problem(.badRequest, "expected a comma between overlays", key: "overlay", position: position)
            }
        }
        return overlays
    }

    /// Returns the index of the closing bracket, ignoring brackets in JSON strings.
    private static func end(of text: Substring, isJSON: Bool) -> Substring.Index? {
        guard isJSON else { return text.firstIndex(of: ")") }
        var isInString = false, isEscaped = false
        for index in text.indices {
            let letter = text[index]
            if isEscaped {
                isEscaped = false
            } else if letter == "\\" {
                isEscaped = isInString
            } else if letter == "\"" {
                isInString.toggle()
            } else if letter == ")", !isInString {
                return index
            }
        }
        return nil
    }

    private static func mapboxOverlay(
        _ name: Substring, _ content: Substring, at position: Int, inside: Int, _ limits: ServingLimits
    ) throws(Problem) -> [Overlay] {
        if name == "geojson" { return try Overlay.features(Array(content.utf8), key: "overlay", limits: limits) }
        let words = name.split(separator: "-", maxSplits: 1, omittingEmptySubsequences: false)
        switch words[0] {
        case "path": return try mapboxPath(words.count > 1 ? words[1] : "", content, at: position + 5, inside, limits)
        case "pin": return [try mapboxPin(words.count > 1 ? words[1] : "", content, at: position + 4, inside)]
        case "url":
            let url = String(words.count > 1 ? words[1] : "")
            guard url.contains("://") else {
                throw Problem(.badRequest, "'\(url)' is not a URL of an icon", key: "overlay", position: position + 4)
            }
            let place = try OverlayText.place(content, isLatitudeFirst: false, "overlay", position: inside)
            return [
                Overlay(
                    icon: OverlayIcon(url, anchor: .share(.center), key: "overlay", position: position + 4), at: place)
            ]
        default:
            throw Problem(
                .badRequest, "'\(name)' must be path, pin-s, pin-l, url or geojson", key: "overlay", position: position)
        }
    }

    /// Parses a path style: `{width}+{stroke}-{opacity}+{fill}-{opacity}`, where trailing parts are optional.
    private static func mapboxPath(
        _ style: Substring, _ content: Substring, at position: Int, _ inside: Int, _ limits: ServingLimits
    ) throws(Problem) -> [Overlay] {
        var width = 5.0, stroke = MapColor(red: 0x55, green: 0x55, blue: 0x55), fill: MapColor?
        for (number, part) in OverlayText.parts(String(style), by: "+").enumerated() where !part.text.isEmpty {
            let place = position + part.position
            switch number {
            case 0: width = try OverlayText.measure(part.text, upTo: 100, "overlay", position: place)
            case 1: stroke = try mapboxColor(part.text, at: place)
            case 2: fill = try mapboxColor(part.text, at: place)
            default:
                throw Problem(.badRequest, "a path can have one stroke and one fill", key: "overlay", position: place)
            }
        }
        let places = try OverlayText.polyline(content, limits: limits, "overlay", position: inside)
        guard places.count > 1 else {
            throw Problem(.badRequest, "a path needs at least two places", key: "overlay", position: inside)
        }
        return Overlay.path(places, stroke: LineSymbol(color: stroke, width: width), fill: fill)
    }

    /// Parses a pin style: `{s|l}[-{label}][+{colour}]`.
    private static func mapboxPin(
        _ style: Substring, _ content: Substring, at position: Int, _ inside: Int
    ) throws(Problem) -> Overlay {
        let sides = style.split(separator: "+", maxSplits: 1, omittingEmptySubsequences: false)
        let words = sides[0].split(separator: "-", maxSplits: 1, omittingEmptySubsequences: false)
        guard let radius = ["s": 7.0, "m": 9, "l": 12][String(words[0])] else {
            throw Problem(.badRequest, "a pin must be pin-s or pin-l", key: "overlay", position: position)
        }
        var symbol: PinSymbol?
        if words.count > 1 {
            symbol = PinSymbol(String(words[1]))
            guard symbol != nil else {
                throw Problem(
                    .badRequest, "unknown symbol '\(words[1])'", key: "overlay",
                    position: position + words[0].count + 1)
            }
        }
        let color =
            sides.count > 1
            ? try mapboxColor(sides[1], at: position + sides[0].count + 1)
            : MapColor(red: 0x7E, green: 0x7E, blue: 0x7E)
        let place = try OverlayText.place(content, isLatitudeFirst: false, "overlay", position: inside)
        return .pin(at: place, color: color, radius: radius, symbol: symbol)
    }

    /// Parses a colour: `{rgb}` or `{rrggbb}`, with an optional opacity after a hyphen.
    private static func mapboxColor(_ text: Substring, at position: Int) throws(Problem) -> MapColor {
        let sides = text.split(separator: "-", maxSplits: 1, omittingEmptySubsequences: false)
        guard [3, 6].contains(sides[0].count), let color = MapColor(css: "#\(sides[0])") else {
            throw Problem(
                .badRequest, "'\(sides[0])': expected a colour like f44 or ff4444", key: "overlay", position: position)
        }
        guard sides.count > 1 else { return color }
        return color.withOpacity(
            try OverlayText.measure(sides[1], upTo: 1, "overlay", position: position + sides[0].count + 1))
    }
}

extension StyleChanges {
    /// Parses the parameters of the Mapbox syntax that change a style.
    fileprivate init(mapbox query: Query) throws(Problem) {
        func json(_ key: String) throws(Problem) -> PropertyValue? {
            guard let text = query[key] else { return nil }
            do { return try JSONReader.value(bytes: Array(text.utf8)) } catch {
                throw Problem(.badRequest, "\(error)", key: key)
            }
        }
        beforeLayer = query["before_layer"]
        if let added = try json("addlayer") {
            addedLayer = added.objectValue
            guard addedLayer != nil else { throw Problem(.badRequest, "expected a JSON object", key: "addlayer") }
        }
        guard let text = try json("setfilter") else {
            guard query["layer_id"] == nil else {
                throw Problem(.badRequest, "'layer_id' needs 'setfilter'", key: "layer_id")
            }
            return
        }
        guard text.arrayValue != nil else { throw Problem(.badRequest, "expected a JSON array", key: "setfilter") }
        guard let layer = query["layer_id"] else {
            throw Problem(.badRequest, "'setfilter' needs 'layer_id'", key: "layer_id")
        }
        filter = Filter(layer: layer, filter: text)
    }
}
