package import PortolanGeo
package import PortolanPlan
package import PortolanRaster

/// A map request of OGC API – Maps (OGC 20-058), parsed from the query.
package struct OGCAPIMapRequest: Hashable, Sendable {
    /// The view.
    package let viewport: Viewport
    /// The visible extent, in the picture's CRS.
    package let extent: Extent
    /// The picture's CRS.
    package let crs: CRS
    /// The background colour.
    package let background: MapColor
    /// The collection identifiers, bottom first; empty if the path names the collection.
    package let collections: [String]

    private static let usualWidth = 1024.0

    /// Parses a query.
    ///
    /// - Parameters:
    ///   - degrees: the default bounds as west, south, east and north.
    ///   - mapCRS: the default CRS.
    ///   - hasTransparency: whether the format supports transparency.
    package init(
        _ query: Query, showing degrees: [Double], in mapCRS: CRS, hasTransparency: Bool, limits: ServingLimits
    ) throws(Problem) {
        collections = (query["collections"] ?? "").split(separator: ",").map(String.init)
        let crs = try Self.system(query, "crs") ?? (mapCRS.projection == nil ? .webMercator : mapCRS)
        let width = try Self.pixels(query, "width"), height = try Self.pixels(query, "height")
        let pixel = try Self.positive(query, "mm-per-pixel") ?? 0.28
        let scale = try Self.positive(query, "scale-denominator")
        let box = query["bbox"]
        if box != nil, query["center"] != nil {
            throw Problem(.badRequest, "'bbox' and 'center' cannot be combined", key: "center")
        }
        if scale != nil, box != nil, width != nil || height != nil {
            // Requirement C of /req/scaling and of /req/spatial-subsetting: one of the three follows from the others.
            throw Problem(
                .badRequest, "the size follows from the box and the scale; remove width and height",
                key: "scale-denominator")
        }
        // The scale denominator refers to the pixel size of the request, 0.28 mm by default.
        let resolution = scale.flatMap {
            Resolution(unitsPerPixel: $0 * pixel / 1000 / crs.metersPerUnit)
        }
        var shown = try Self.shown(query, usual: degrees, in: crs)
        if let resolution, box == nil {
            let size = (width: width ?? Int(Self.usualWidth), height: height ?? Int(Self.usualWidth * 0.75))
            let units = resolution.unitsPerPixel
            guard
                let around = Extent(
                    center: shown.center, width: Double(size.width) * units, height: Double(size.height) * units)
            else { throw Problem(.badRequest, "the scale is too small or too large", key: "scale-denominator") }
            shown = around
        }
        let size = try Self.size(of: shown, width, height, resolution, limits)
        viewport = try Viewport.showing(
            shown, in: crs, width: size.width, height: size.height, key: "bbox, width, height")
        extent = shown
        self.crs = crs
        background = try Self.background(query, hasTransparency: hasTransparency)
    }

    private static func system(_ query: Query, _ key: String) throws(Problem) -> CRS? {
        guard let text = query[key] else { return nil }
        // The standard writes CURIEs in brackets.
        guard let crs = try? CRS(text), crs.projection != nil else {
            throw Problem(.badRequest, "unsupported CRS '\(text)'", key: key)
        }
        return crs
    }

    private static func pixels(_ query: Query, _ key: String) throws(Problem) -> Int? {
        guard let text = query[key] else { return nil }
        let number = try RequestText.whole(text, key)
        guard number > 0 else { throw Problem(.badRequest, "must be above zero", key: key) }
        return number
    }

    private static func positive(_ query: Query, _ key: String) throws(Problem) -> Double? {
        guard let text = query[key] else { return nil }
        let number = try RequestText.number(text, key)
        guard number > 0 else { throw Problem(.badRequest, "must be above zero", key: key) }
        return number
    }

    /// Returns a coordinate with x first from numbers in the axis order of the CRS.
    private static func place(_ numbers: [Double], in crs: CRS) -> Coordinate {
        crs.axisOrder == .northEast
            ? Coordinate(x: numbers[1], y: numbers[0]) : Coordinate(x: numbers[0], y: numbers[1])
    }

    /// Returns the requested extent, or the bounds of the map, in the picture's CRS.
    private static func shown(
        _ query: Query, usual degrees: [Double], in crs: CRS
    ) throws(Problem) -> Extent {
        if let text = query["bbox"] {
            let own = try system(query, "bbox-crs") ?? .crs84
            let parts = text.split(separator: ",", omittingEmptySubsequences: false)
            let numbers = try RequestText.numbers(text, count: parts.count == 6 ? 6 : 4, "bbox")
            let upper = numbers.count == 6 ? [numbers[3], numbers[4]] : [numbers[2], numbers[3]]
            let low = place(numbers, in: own), high = place(upper, in: own)
            // A box in degrees may cross the antimeridian.
            let east = own.isLongitudeLatitude && high.x < low.x ? high.x + 360 : high.x
            guard let box = Extent(minX: low.x, minY: low.y, maxX: east, maxY: high.y) else {
                throw Problem(.badRequest, "the minimum must be below the maximum", key: "bbox")
            }
            return try moved(box, from: own, to: crs, key: "bbox")
        }
        guard degrees.count == 4,
            let box = Extent(minX: degrees[0], minY: degrees[1], maxX: degrees[2], maxY: degrees[3])
        else {
            throw Problem(.nothingToDraw, "the map has no extent")
        }
        let whole = try moved(box, from: .crs84, to: crs, key: "crs")
        guard let text = query["center"] else { return whole }
        let own = try system(query, "center-crs") ?? .crs84
        let place = place(try RequestText.numbers(text, count: 2, "center"), in: own)
        guard let transform = try? CoordinateTransform(from: own, to: crs), let center = transform(place),
            let around = Extent(center: center, width: whole.width, height: whole.height)
        else { throw Problem(.badRequest, "'\(text)' is outside the area of the map", key: "center") }
        return around
    }

    private static func moved(
        _ box: Extent, from source: CRS, to target: CRS, key: String
    ) throws(Problem) -> Extent {
        guard let transform = try? CoordinateTransform(from: source, to: target), let moved: Extent = transform(box)
        else { throw Problem(.badRequest, "the box is outside the area of \(target.name)", key: key) }
        return moved
    }

    /// Returns the picture size in pixels.
    ///
    /// Missing values follow from the shape of the extent.
    private static func size(
        of box: Extent, _ width: Int?, _ height: Int?, _ resolution: Resolution?, _ limits: ServingLimits
    ) throws(Problem) -> (width: Int, height: Int) {
        let shape = box.height / box.width
        var across = Double(width ?? 0), down = Double(height ?? 0)
        switch (width, height, resolution) {
        case (_?, _?, _): break
        case (_?, nil, _): down = across * shape
        case (nil, _?, _): across = down / shape
        case (nil, nil, let resolution?):
            (across, down) = (box.width / resolution.unitsPerPixel, box.height / resolution.unitsPerPixel)
        case (nil, nil, nil):
            across = usualWidth * min(1, 1 / shape)
            down = across * shape
        }
        guard across < 1e6, down < 1e6 else {
            throw Problem(.badRequest, "the image would be too large", key: "width, height")
        }
        let size = (width: max(Int(across.rounded()), 1), height: max(Int(down.rounded()), 1))
        try limits.check(width: size.width, height: size.height, ratio: 1, key: "width, height")
        return size
    }

    /// Returns the background: white by default, or transparent if only transparency is requested (OGC 20-058,
    /// /req/background).
    private static func background(_ query: Query, hasTransparency: Bool) throws(Problem) -> MapColor {
        var background: MapColor?
        if let text = query["bgcolor"] {
            let digits = text.lowercased().hasPrefix("0x") ? "#\(text.dropFirst(2))" : text
            guard let color = MapColor(css: digits) else {
                throw Problem(.badRequest, "'\(text)' is not a colour like 0xFF8000", key: "bgcolor")
            }
            background = color
        }
        switch query["transparent"]?.lowercased() {
        case nil: return background ?? (hasTransparency ? .clear : .white)
        case "true": return hasTransparency ? .clear : background ?? .white
        case "false": return background ?? .white
        default: throw Problem(.badRequest, "must be true or false", key: "transparent")
        }
    }
}
