package import PortolanFeatures
package import PortolanGeo
package import PortolanWeb

/// A tile set of OGC API – Tiles (OGC 20-057, clause 9).
package struct OGCAPITileset: Hashable, Sendable {
    /// The title, or an empty string.
    package let title: String
    /// The content type of the tiles: `map`, `vector` or `coverage`; `nil` if not stated.
    package let dataType: String?
    /// The CRS as named in the document, or `nil`.
    package let crsName: String?
    /// The URI or name of the tile matrix set, or `nil`.
    package let matrixSetURI: String?
    /// The available tiles by tile matrix; empty for all tiles.
    package let limits: [String: Limits]
    /// The bounding box of the tiles, with its CRS if stated, or `nil`.
    package let box: (BoundingBox, crs: CRS?)?
    /// The links.
    package let links: [OGCAPILink]

    /// The available columns and rows of a tile matrix.
    package struct Limits: Hashable, Sendable {
        /// The columns, from the west.
        package let columns: ClosedRange<Int>
        /// The rows, from the top.
        package let rows: ClosedRange<Int>
    }

    /// The last part of the tile matrix set's URI, by which it is selected, or that of its link if it has no URI.
    package var matrixSet: String? {
        let scheme = links.first { $0.leads(to: "tiling-scheme") }?.href.prefix { $0 != "?" }
        return (matrixSetURI ?? scheme.map(String.init)).flatMap {
            $0.split(whereSeparator: "/:".contains).last.map(String.init)
        }
    }

    /// Whether its tiles may be images, as far as the document states.
    package var mayBePictures: Bool {
        let types = links.filter { $0.leads(to: "item") }.compactMap { $0.type?.lowercased() }
        if !types.isEmpty { return types.contains { $0.hasPrefix("image/") } }
        return dataType.map { $0 == "map" } ?? true
    }

    /// Reads the members of a tile set, or of an entry in a list.
    package init(_ members: Properties) {
        title = members["title"]?.stringValue.map { ReadableText.line($0, limit: 500) } ?? ""
        dataType = members["dataType"]?.stringValue?.lowercased()
        crsName = Self.crsName(members["crs"])
        matrixSetURI =
            members["tileMatrixSetURI"]?.stringValue ?? members["tileMatrixSetId"]?.stringValue
            ?? members["tileMatrixSet"]?.stringValue ?? members["tileMatrixSetDefinition"]?.stringValue
        var limits: [String: Limits] = [:]
        for value in (members["tileMatrixSetLimits"]?.arrayValue ?? []).prefix(1000) {
            guard let limit = value.objectValue, let name = limit["tileMatrix"]?.displayText,
                let columns = Self.range(limit, "minTileCol", "maxTileCol"),
                let rows = Self.range(limit, "minTileRow", "maxTileRow")
            else { continue }
            limits[name] = Limits(columns: columns, rows: rows)
        }
        self.limits = limits
        let box = members["boundingBox"]?.objectValue
        let crs = Self.crsName(box?["crs"]).flatMap { try? CRS($0) }
        let corners = ["lowerLeft", "upperRight"].map { (box?[$0]?.arrayValue ?? []).compactMap(\.doubleValue) }
        self.box =
            corners.allSatisfy { $0.count >= 2 }
            ? Self.box(corners[0], corners[1], crs: crs).map { ($0, crs) } : nil
        links = OGCAPIReader.links(of: members)
    }

    private static func range(_ members: Properties, _ low: String, _ high: String) -> ClosedRange<Int>? {
        guard let first = members[low]?.integerValue, let last = members[high]?.integerValue, first >= 0, first <= last
        else { return nil }
        return first...last
    }

    /// Returns a CRS given by URI, or by an object with a URI (OGC 17-083r4, clause 7).
    static func crsName(_ value: PropertyValue?) -> String? {
        value?.stringValue?.trimmingSpace() ?? value?.objectValue?["uri"]?.stringValue?.trimmingSpace()
            ?? value?.objectValue?["wkt"]?.stringValue
    }

    private static func box(_ low: [Double], _ high: [Double], crs: CRS?) -> BoundingBox? {
        let isNorthFirst = crs.map { BoundingBoxWriter.isNorthFirst(crs: $0, axisOrder: .auto) } ?? false
        return isNorthFirst
            ? BoundingBox(minX: low[1], minY: low[0], maxX: high[1], maxY: high[0])
            : BoundingBox(minX: low[0], minY: low[1], maxX: high[0], maxY: high[1])
    }

    /// Returns whether two tile sets have the same description.
    package static func == (one: OGCAPITileset, other: OGCAPITileset) -> Bool {
        one.title == other.title && one.dataType == other.dataType && one.crsName == other.crsName
            && one.matrixSetURI == other.matrixSetURI && one.limits == other.limits && one.links == other.links
            && one.box?.0 == other.box?.0 && one.box?.crs == other.box?.crs
    }

    /// Hashes the distinctive members.
    package func hash(into hasher: inout Hasher) {
        hasher.combine(title)
        hasher.combine(matrixSetURI)
        hasher.combine(links)
    }
}

/// A tile matrix set in JSON (OGC 17-083r4, clause 7, and its first edition).
package struct OGCTileMatrixSet: Hashable, Sendable {
    /// The levels, the coarsest first, with the names in the document.
    package let grid: TileGrid
    /// Warnings about the document.
    package let warnings: [MapWarning]

    /// Returns a well-known tile matrix set by the last part of its URI, or `nil`.
    package static func known(_ name: String) -> TileGrid? {
        switch name.lowercased() {
        case "webmercatorquad", "googlemapscompatible": .webMercator(levels: 0...24)
        case "worldcrs84quad": .powersOfTwo(in: .crs84)
        default: nil
        }
    }

    /// Reads the members of a document.
    ///
    /// - Throws: ``OGCAPIError``.
    package init(_ members: Properties) throws(OGCAPIError) {
        var notes = ReaderNotes()
        guard let list = members["tileMatrices"]?.arrayValue ?? members["tileMatrix"]?.arrayValue, !list.isEmpty else {
            throw .otherDocument("JSON without a grid")
        }
        guard let name = OGCAPITileset.crsName(members["crs"] ?? members["supportedCRS"]) else {
            throw .otherDocument("a grid without a CRS")
        }
        let crs: CRS
        do { crs = try CRS(name) } catch { throw .crs(error) }
        let axes = (members["orderedAxes"]?.arrayValue ?? []).compactMap { $0.stringValue?.lowercased() }
        let first = axes.first.map { ["lat", "latitude", "n", "northing", "y", "north"].contains($0) }
        let isNorthFirst = first ?? BoundingBoxWriter.isNorthFirst(crs: crs, axisOrder: .auto)
        let matrices = list.prefix(100).compactMap { $0.objectValue.flatMap { Matrix($0, crs) } }
        guard !matrices.isEmpty else { throw .otherDocument("a grid without usable levels") }
        if matrices.count < list.count {
            notes.add("\(list.count - matrices.count) matrices of the grid are invalid")
        }
        let isFromBottom = matrices.allSatisfy(\.isFromBottom)
        guard isFromBottom || !matrices.contains(where: \.isFromBottom) else {
            throw .otherDocument("a grid whose levels have different origin corners")
        }
        if list.contains(where: { $0.objectValue?["variableMatrixWidths"]?.arrayValue?.isEmpty == false }) {
            throw .otherDocument("a grid with variable row widths, which is not supported")
        }
        // Some services write corners against the axis order of their CRS.
        let place = crs.worldExtent
        func reach(_ isNorthFirst: Bool) -> Double {
            guard let place else { return 0 }
            return matrices.reduce(0) { $0 + ($1.overlap(of: place, isNorthFirst) ?? 0) }
        }
        let own = reach(isNorthFirst), other = reach(!isNorthFirst)
        let isSwapped = other > 0.5 * Double(matrices.count) && own < other / 2
        if isSwapped { notes.add("the corners of the grid have their axes swapped; corrected") }
        guard
            let grid = TileGrid(
                crs: crs, originCorner: isFromBottom ? .bottomLeft : .topLeft,
                matrices: matrices.compactMap { $0.matrix(isNorthFirst: isNorthFirst != isSwapped) })
        else { throw .otherDocument("a grid without usable levels") }
        self.grid = grid
        warnings = notes.warnings
    }

    /// A tile matrix in the document.
    private struct Matrix {
        let id: String
        let resolution: Resolution
        let corner: [Double]
        let isFromBottom: Bool
        let width: Int, height: Int, columns: Int, rows: Int

        init?(_ members: Properties, _ crs: CRS) {
            func whole(_ name: String) -> Int? { members[name]?.integerValue.flatMap { $0 > 0 ? $0 : nil } }
            guard let id = (members["id"] ?? members["identifier"])?.displayText,
                let width = whole("tileWidth"), let height = whole("tileHeight"),
                let columns = whole("matrixWidth"), let rows = whole("matrixHeight")
            else { return nil }
            let corner = (members["pointOfOrigin"] ?? members["topLeftCorner"])?.arrayValue?.compactMap(\.doubleValue)
            let resolution =
                members["cellSize"]?.doubleValue.flatMap { Resolution(unitsPerPixel: $0) }
                ?? members["scaleDenominator"]?.doubleValue.flatMap { Resolution(scaleDenominator: $0, in: crs) }
            guard let corner, corner.count == 2, corner.allSatisfy(\.isFinite), let resolution else { return nil }
            (self.id, self.resolution, self.corner) = (id, resolution, corner)
            (self.width, self.height, self.columns, self.rows) = (width, height, columns, rows)
            isFromBottom = members["cornerOfOrigin"]?.stringValue?.lowercased() == "bottomleft"
        }

        private func origin(_ isNorthFirst: Bool) -> Coordinate {
            isNorthFirst ? Coordinate(x: corner[1], y: corner[0]) : Coordinate(x: corner[0], y: corner[1])
        }

        func matrix(isNorthFirst: Bool) -> TileGrid.Matrix? {
            TileGrid.Matrix(
                id: id, resolution: resolution, tileWidth: width, tileHeight: height, origin: origin(isNorthFirst),
                columnCount: columns, rowCount: rows)
        }

        /// Returns the common area of extent and matrix as a fraction of the smaller one, 0 to 1.
        func overlap(of place: Extent, _ isNorthFirst: Bool) -> Double? {
            guard let matrix = matrix(isNorthFirst: isNorthFirst),
                let whole = TileGrid(
                    crs: .webMercator, originCorner: isFromBottom ? .bottomLeft : .topLeft, matrices: [matrix])?
                    .extent(ofLevel: 0), let shared = whole.intersection(place)
            else { return nil }
            let smaller = min(whole.width * whole.height, place.width * place.height)
            return shared.width * shared.height / smaller
        }
    }
}
