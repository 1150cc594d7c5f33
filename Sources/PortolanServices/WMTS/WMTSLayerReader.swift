import PortolanGeo
import PortolanXML

/// Reads the layers and matrix sets of a capabilities document.
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

    /// Reads a layer, or gives `nil` for one that cannot be asked for.
    mutating func layer(_ element: XMLElement) -> WMTSLayer? {
        guard let identifier = element.text(of: "Identifier") else {
            notes.add(line: element.line, "the layer has no identifier")
            return nil
        }
        // A set that is linked again is no other choice, and each choice costs.
        var linked: Set<String> = []
        let links = element.children("TileMatrixSetLink").compactMap { link($0) }
            .filter { linked.insert($0.matrixSet).inserted }
        if links.isEmpty { notes.add(line: element.line, "layer '\(identifier)' is linked to no matrix set") }
        return WMTSLayer(
            identifier: identifier, title: element.text(of: "Title") ?? identifier,
            abstract: element.text(of: "Abstract"), keywords: Self.keywords(of: element),
            geographicBox: element.child("WGS84BoundingBox").flatMap { geographicBox($0) },
            boundingBoxes: element.children("BoundingBox").compactMap { box($0, crsName: nil) },
            styles: element.children("Style").map(Self.style),
            formats: element.children("Format").map(\.text).filter { !$0.isEmpty },
            infoFormats: element.children("InfoFormat").map(\.text).filter { !$0.isEmpty },
            dimensions: element.children("Dimension").compactMap(Self.dimension), links: links,
            resources: element.children("ResourceURL").compactMap(Self.resource))
    }

    /// Reads a matrix set, or gives `nil` for one without a name, a system or a usable level.
    mutating func matrixSet(_ element: XMLElement) -> WMTSMatrixSet? {
        guard let identifier = element.text(of: "Identifier"), let crsName = element.text(of: "SupportedCRS") else {
            notes.add(line: element.line, "the matrix set has no identifier or no reference system")
            return nil
        }
        let elements = element.children("TileMatrix")
        if elements.count > Self.matrixLimit {
            notes.add("matrix set '\(identifier)': only \(Self.matrixLimit) of \(elements.count) matrices are read")
        }
        let matrices = elements.prefix(Self.matrixLimit).compactMap { child -> WMTSMatrixSet.Matrix? in
            guard let matrix = Self.matrix(child) else {
                notes.add(line: child.line, "the matrix is not usable")
                return nil
            }
            return matrix
        }
        guard !matrices.isEmpty else {
            notes.add(line: element.line, "matrix set '\(identifier)' has no usable matrix")
            return nil
        }
        return WMTSMatrixSet(
            identifier: identifier, title: element.text(of: "Title"), crsName: crsName, crs: system(crsName),
            box: element.child("BoundingBox").flatMap { box($0, crsName: crsName) },
            wellKnownScaleSet: element.text(of: "WellKnownScaleSet"), matrices: matrices)
    }

    private static func matrix(_ element: XMLElement) -> WMTSMatrixSet.Matrix? {
        func whole(_ name: String) -> Int? {
            ServiceNumber.whole(element.text(of: name)).flatMap { $0 > 0 ? $0 : nil }
        }
        guard let identifier = element.text(of: "Identifier"),
            let denominator = ServiceNumber.decimal(element.text(of: "ScaleDenominator")), denominator.isFinite,
            denominator > 0, let corner = numbers(element.text(of: "TopLeftCorner")), corner.count == 2,
            let tileWidth = whole("TileWidth"), let tileHeight = whole("TileHeight"),
            let columns = whole("MatrixWidth"), let rows = whole("MatrixHeight")
        else { return nil }
        return WMTSMatrixSet.Matrix(
            identifier: identifier, scaleDenominator: denominator, cornerFirst: corner[0], cornerSecond: corner[1],
            tileWidth: tileWidth, tileHeight: tileHeight, columnCount: columns, rowCount: rows)
    }

    private func link(_ element: XMLElement) -> WMTSLayer.Link? {
        guard let set = element.text(of: "TileMatrixSet") else { return nil }
        let elements = element.children("TileMatrixSetLimits").flatMap { $0.children("TileMatrixLimits") }
        let limits = elements.compactMap(Self.limits)
        return WMTSLayer.Link(matrixSet: set, limits: limits, unusableLimitCount: elements.count - limits.count)
    }

    private static func limits(_ element: XMLElement) -> WMTSLayer.Limits? {
        func number(_ name: String) -> Int? { ServiceNumber.whole(element.text(of: name)) }
        guard let matrix = element.text(of: "TileMatrix"), let top = number("MinTileRow"),
            let bottom = number("MaxTileRow"), let left = number("MinTileCol"), let right = number("MaxTileCol"),
            top <= bottom, left <= right
        else { return nil }
        return WMTSLayer.Limits(matrix: matrix, rows: top...bottom, columns: left...right)
    }

    private static func style(_ element: XMLElement) -> WMTSLayer.Style {
        let isDefault = element.attribute("isDefault")?.trimmingSpace().lowercased()
        return WMTSLayer.Style(
            identifier: element.text(of: "Identifier") ?? "", title: element.text(of: "Title"),
            abstract: element.text(of: "Abstract"), isDefault: isDefault == "true" || isDefault == "1",
            legends: element.children("LegendURL").compactMap { legend in
                legend.attribute("href").map {
                    WMSStyle.Legend(
                        url: $0.trimmingSpace(), format: legend.attribute("format"),
                        width: legend.attribute("width").flatMap { Int($0) },
                        height: legend.attribute("height").flatMap { Int($0) })
                }
            })
    }

    private static func dimension(_ element: XMLElement) -> WMTSDimension? {
        guard let identifier = element.text(of: "Identifier") else { return nil }
        let current = element.text(of: "Current")?.lowercased()
        return WMTSDimension(
            identifier: identifier, unit: element.text(of: "UOM"), defaultValue: element.text(of: "Default"),
            hasCurrent: current == "true" || current == "1",
            values: element.children("Value").map(\.text).filter { !$0.isEmpty })
    }

    private static func resource(_ element: XMLElement) -> WMTSLayer.Resource? {
        guard let template = element.attribute("template")?.trimmingSpace(), !template.isEmpty else { return nil }
        return WMTSLayer.Resource(
            kind: element.attribute("resourceType") ?? "tile", format: element.attribute("format") ?? "",
            template: template)
    }

    private mutating func box(_ element: XMLElement, crsName: String?) -> WMTSLayer.Box? {
        guard let name = element.attribute("crs") ?? crsName else { return nil }
        let crs = system(name)
        guard let box = corners(element, crs: crs) else { return nil }
        return WMTSLayer.Box(crsName: name, crs: crs, box: box)
    }

    private mutating func geographicBox(_ element: XMLElement) -> BoundingBox? {
        guard let box = corners(element, crs: .crs84) else { return nil }
        let degrees = ServiceNumber.degrees(west: box.minX, south: box.minY, east: box.maxX, north: box.maxY)
        if degrees == nil {
            notes.add(
                line: element.line,
                "the geographic box \(box.minX),\(box.minY),\(box.maxX),\(box.maxY) is none in "
                    + "degrees, longitude first; it is left out")
        }
        return degrees
    }

    private mutating func corners(_ element: XMLElement, crs: CRS?) -> BoundingBox? {
        guard let low = Self.numbers(element.text(of: "LowerCorner")), low.count >= 2,
            let high = Self.numbers(element.text(of: "UpperCorner")), high.count >= 2,
            let box = Self.box(low, high, crs)
        else {
            notes.add(line: element.line, "the bounding box is not usable")
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

    /// The system with a name; names repeat by the thousand, so each is looked up once.
    private mutating func system(_ name: String) -> CRS? {
        if let known = systems[name] { return known }
        let crs = try? CRS(name)
        systems[name] = .some(crs)
        return crs
    }

    /// The numbers between white space or commas, or `nil` when one of them is none or not finite.
    private static func numbers(_ text: String?) -> [Double]? {
        guard let text else { return nil }
        let words = text.split(whereSeparator: { $0.isWhitespace || $0 == "," })
        let numbers = words.prefix(4).compactMap { Double($0) }
        return numbers.count == min(words.count, 4) && numbers.allSatisfy(\.isFinite) ? numbers : nil
    }
}
