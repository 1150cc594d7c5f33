import PortolanGeo
import PortolanWeb
import PortolanXML

/// Reads the layers and tile matrix sets of a capabilities document.
struct WMTSLayerReader {
    private static let matrixLimit = 1000
    private(set) var notes: ReaderNotes
    private var systems: [String: CRS?] = [:]

    init(notes: ReaderNotes) {
        self.notes = notes
    }

    mutating func note(line: Int? = nil, _ message: @autoclosure () -> String) { notes.add(line: line, message()) }

    static func keywords(of element: XMLElement) -> [String] {
        element.children("Keywords").flatMap { $0.children("Keyword") }.map(\.text).filter { !$0.isEmpty }
    }

    /// Reads a layer, or returns `nil` if it cannot be requested.
    mutating func layer(_ element: XMLElement) -> WMTSCapabilities.Layer? {
        guard let identifier = element.text(of: "Identifier") else {
            notes.add(line: element.line, "the layer has no identifier")
            return nil
        }
        let links = self.links(of: element, layer: identifier)
        if links.isEmpty { notes.add(line: element.line, "layer '\(identifier)' has no matrix set") }
        return WMTSCapabilities.Layer(
            identifier: identifier, title: element.text(of: "Title") ?? identifier,
            abstract: element.text(of: "Abstract"), keywords: Self.keywords(of: element),
            // Several boxes are several areas (OGC 06-121r3, 10.2).
            geographicBox: element.children("WGS84BoundingBox").compactMap { geographicBox($0) }
                .reduce(nil) { $0?.union($1) ?? $1 },
            boundingBoxes: element.children("BoundingBox").compactMap { box($0, crsName: nil) },
            styles: element.children("Style").map(Self.style),
            formats: element.children("Format").map(\.text).filter { !$0.isEmpty },
            infoFormats: element.children("InfoFormat").map(\.text).filter { !$0.isEmpty },
            dimensions: element.children("Dimension").compactMap(Self.dimension), links: links,
            resources: element.children("ResourceURL").compactMap(Self.resource))
    }

    /// Reads a matrix set, or returns `nil` without a name, CRS or usable level.
    mutating func matrixSet(_ element: XMLElement) -> WMTSCapabilities.MatrixSet? {
        guard let identifier = element.text(of: "Identifier"), let crsName = element.text(of: "SupportedCRS") else {
            notes.add(line: element.line, "the matrix set has no identifier or no CRS")
            return nil
        }
        let elements = element.children("TileMatrix")
        if elements.count > Self.matrixLimit {
            notes.add("matrix set '\(identifier)': only \(Self.matrixLimit) of \(elements.count) matrices are used")
        }
        let crs = system(crsName)
        var matrices: [WMTSCapabilities.MatrixSet.Matrix] = [], identifiers: Set<String> = [], faults: Set<String> = []
        for child in elements.prefix(Self.matrixLimit) {
            guard let matrix = matrix(child, of: identifier, in: crs, &faults) else { continue }
            guard identifiers.insert(matrix.identifier).inserted else {
                notes.add(
                    line: child.line,
                    "duplicate matrix '\(matrix.identifier)' in matrix set '\(identifier)'; using the first")
                continue
            }
            matrices.append(matrix)
        }
        guard !matrices.isEmpty else {
            notes.add(line: element.line, "no usable matrix in matrix set '\(identifier)'")
            return nil
        }
        return WMTSCapabilities.MatrixSet(
            identifier: identifier, title: element.text(of: "Title"), crsName: crsName, crs: crs,
            box: element.child("BoundingBox").flatMap { box($0, crsName: crsName) },
            wellKnownScaleSet: element.text(of: "WellKnownScaleSet"), matrices: matrices)
    }

    /// Reads a matrix of a set in a CRS, or returns `nil` with a note if it is unusable.
    ///
    /// The numbers of tiles may be missing if the extent of the world in the CRS is known.
    ///
    /// - Parameter noted: the faults of the set's matrices that have been noted, each only once.
    private mutating func matrix(
        _ element: XMLElement, of set: String, in crs: CRS?, _ noted: inout Set<String>
    ) -> WMTSCapabilities.MatrixSet.Matrix? {
        func whole(_ name: String) -> Int? {
            ServiceNumber.whole(element.text(of: name)).flatMap { $0 > 0 ? $0 : nil }
        }
        let name = element.text(of: "Identifier"), corner = Self.numbers(element.text(of: "TopLeftCorner"))
        let denominator = ServiceNumber.decimal(element.text(of: "ScaleDenominator")).flatMap {
            $0.isFinite && $0 > 0 ? $0 : nil
        }
        let tileWidth = whole("TileWidth"), tileHeight = whole("TileHeight")
        let columns = whole("MatrixWidth"), rows = whole("MatrixHeight")
        let faults = [
            ("Identifier", name != nil), ("ScaleDenominator", denominator != nil),
            ("TopLeftCorner", corner?.count == 2), ("TileWidth", tileWidth != nil), ("TileHeight", tileHeight != nil),
            ("MatrixWidth", columns != nil), ("MatrixHeight", rows != nil),
        ].filter { !$0.1 }.map { "\($0.0) \(element.child($0.0) == nil ? "is missing" : "is invalid")" }
        let fault = faults.joined(separator: ", ")
        let place = "matrix\(name.map { " '\($0)'" } ?? "") of set '\(set)': \(fault)"
        let isNew = fault.isEmpty || noted.insert(fault).inserted
        guard let name, let denominator, let corner, corner.count == 2, let tileWidth, let tileHeight else {
            if isNew { notes.add(line: element.line, "\(place); left out, like similar ones") }
            return nil
        }
        var matrix = WMTSCapabilities.MatrixSet.Matrix(
            identifier: name, scaleDenominator: denominator, cornerFirst: corner[0], cornerSecond: corner[1],
            tileWidth: tileWidth, tileHeight: tileHeight, columnCount: columns ?? 1, rowCount: rows ?? 1)
        guard columns == nil || rows == nil else { return matrix }
        guard let counts = crs.flatMap({ Self.counts(of: matrix, in: $0) }) else {
            if isNew { notes.add(line: element.line, "\(place); left out, like similar ones") }
            return nil
        }
        if isNew {
            notes.add(
                line: element.line, effect: .repaired,
                "\(place); its tiles, and similar ones, are extended to the end of the world")
        }
        matrix.columnCount = columns ?? counts.columns
        matrix.rowCount = rows ?? counts.rows
        return matrix
    }

    /// Returns the number of tiles of a matrix up to the end of the world, or `nil` if it is unknown or too large.
    private static func counts(of matrix: WMTSCapabilities.MatrixSet.Matrix, in crs: CRS) -> (columns: Int, rows: Int)?
    {
        guard let world = crs.worldExtent,
            let resolution = Resolution(scaleDenominator: matrix.scaleDenominator, in: crs)
        else { return nil }
        let corner = BoundingBoxWriter.corner(matrix.cornerFirst, matrix.cornerSecond, crs: crs, isSwapped: false)
        func count(_ length: Double, _ pixels: Int) -> Int? {
            // Denominators are rounded.
            let tiles = (length / resolution.unitsPerPixel / Double(pixels) - 0.001).rounded(.up)
            return tiles >= 1 && tiles <= Double(1 << 31) ? Int(tiles) : nil
        }
        guard let columns = count(world.maxX - corner.x, matrix.tileWidth),
            let rows = count(corner.y - world.minY, matrix.tileHeight)
        else { return nil }
        return (columns, rows)
    }

    /// Returns the matrix set links of a layer, without duplicates.
    private mutating func links(of element: XMLElement, layer: String) -> [WMTSCapabilities.Layer.Link] {
        var links: [WMTSCapabilities.Layer.Link] = [], places: [String: Int] = [:]
        for child in element.children("TileMatrixSetLink") {
            guard let link = link(child) else { continue }
            // A repeated link is not an additional choice, and each choice takes time.
            guard let place = places[link.matrixSet] else {
                places[link.matrixSet] = links.count
                links.append(link)
                continue
            }
            let known = links[place]
            guard known.limits != link.limits else { continue }
            // A link without limits includes all tiles.
            links[place].limits = known.limits.isEmpty || link.limits.isEmpty ? [] : known.limits + link.limits
            links[place].unusableLimitCount += link.unusableLimitCount
            notes.add(
                line: child.line,
                "layer '\(layer)' has two links to matrix set '\(link.matrixSet)' with different limits; using all of them"
            )
        }
        return links
    }

    private func link(_ element: XMLElement) -> WMTSCapabilities.Layer.Link? {
        guard let set = element.text(of: "TileMatrixSet") else { return nil }
        let elements = element.children("TileMatrixSetLimits").flatMap { $0.children("TileMatrixLimits") }
        let limits = elements.compactMap(Self.limits)
        return WMTSCapabilities.Layer.Link(
            matrixSet: set, limits: limits, unusableLimitCount: elements.count - limits.count)
    }

    private static func limits(_ element: XMLElement) -> WMTSCapabilities.Layer.Limits? {
        func number(_ name: String) -> Int? { ServiceNumber.whole(element.text(of: name)) }
        guard let matrix = element.text(of: "TileMatrix"), let top = number("MinTileRow"),
            let bottom = number("MaxTileRow"), let left = number("MinTileCol"), let right = number("MaxTileCol"),
            top <= bottom, left <= right
        else { return nil }
        return WMTSCapabilities.Layer.Limits(matrix: matrix, rows: top...bottom, columns: left...right)
    }

    private static func style(_ element: XMLElement) -> WMTSCapabilities.Layer.Style {
        let isDefault = element.attribute("isDefault")?.trimmingSpace().lowercased()
        return WMTSCapabilities.Layer.Style(
            identifier: element.text(of: "Identifier") ?? "", title: element.text(of: "Title"),
            abstract: element.text(of: "Abstract"), isDefault: isDefault == "true" || isDefault == "1",
            legends: element.children("LegendURL").compactMap { legend in
                legend.attribute("href").map {
                    WMSCapabilities.Style.Legend(
                        url: $0.trimmingSpace(), format: legend.attribute("format"),
                        width: legend.attribute("width").flatMap { Int($0) },
                        height: legend.attribute("height").flatMap { Int($0) })
                }
            })
    }

    private static func dimension(_ element: XMLElement) -> WMTSCapabilities.Dimension? {
        guard let identifier = element.text(of: "Identifier") else { return nil }
        let current = element.text(of: "Current")?.lowercased()
        return WMTSCapabilities.Dimension(
            identifier: identifier, unit: element.text(of: "UOM"), defaultValue: element.text(of: "Default"),
            hasCurrent: current == "true" || current == "1",
            values: element.children("Value").map(\.text).filter { !$0.isEmpty })
    }

    private static func resource(_ element: XMLElement) -> WMTSCapabilities.Layer.Resource? {
        guard let template = element.attribute("template")?.trimmingSpace(), !template.isEmpty else { return nil }
        return WMTSCapabilities.Layer.Resource(
            kind: element.attribute("resourceType") ?? "tile", format: element.attribute("format") ?? "",
            template: template)
    }

    private mutating func box(_ element: XMLElement, crsName: String?) -> WMTSCapabilities.Layer.Box? {
        guard let name = element.attribute("crs") ?? crsName else { return nil }
        let crs = system(name)
        guard let box = corners(element, crs: crs) else { return nil }
        return WMTSCapabilities.Layer.Box(crsName: name, crs: crs, box: box)
    }

    private mutating func geographicBox(_ element: XMLElement) -> BoundingBox? {
        guard let box = corners(element, crs: .crs84) else { return nil }
        let degrees = ServiceNumber.degrees(west: box.minX, south: box.minY, east: box.maxX, north: box.maxY)
        if degrees == nil {
            notes.add(
                line: element.line,
                "the geographic box \(box.minX),\(box.minY),\(box.maxX),\(box.maxY) is not in "
                    + "degrees, longitude first; ignored")
        }
        return degrees
    }

    private mutating func corners(_ element: XMLElement, crs: CRS?) -> BoundingBox? {
        guard let low = Self.numbers(element.text(of: "LowerCorner")), low.count >= 2,
            let high = Self.numbers(element.text(of: "UpperCorner")), high.count >= 2,
            let box = Self.box(low, high, crs)
        else {
            notes.add(line: element.line, "invalid bounding box")
            return nil
        }
        return box
    }

    private static func box(_ low: [Double], _ high: [Double], _ crs: CRS?) -> BoundingBox? {
        guard let crs, crs.isGeographic else {
            return BoundingBoxWriter.box(
                low[0], low[1], high[0], high[1], crs: crs, version: .v1_3_0, axisOrder: .auto)
        }
        let southWest = BoundingBoxWriter.corner(low[0], low[1], crs: crs, isSwapped: false)
        let northEast = BoundingBoxWriter.corner(high[0], high[1], crs: crs, isSwapped: false)
        return BoundingBox(
            minX: southWest.x, minY: southWest.y, maxX: ServiceNumber.east(northEast.x, from: southWest.x),
            maxY: northEast.y)
    }

    /// Returns the CRS with a name.
    ///
    /// Names are repeated thousands of times, so each is looked up once.
    private mutating func system(_ name: String) -> CRS? {
        if let known = systems[name] { return known }
        let crs = try? CRS(name)
        systems[name] = .some(crs)
        return crs
    }

    /// Returns the numbers separated by white space or commas, or `nil` if one is invalid.
    private static func numbers(_ text: String?) -> [Double]? {
        guard let text else { return nil }
        let words = text.split(whereSeparator: { $0.isWhitespace || $0 == "," })
        let numbers = words.prefix(4).compactMap { Double($0) }
        return numbers.count == min(words.count, 4) && numbers.allSatisfy(\.isFinite) ? numbers : nil
    }
}
