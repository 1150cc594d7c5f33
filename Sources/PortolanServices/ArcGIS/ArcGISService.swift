package import PortolanFeatures
public import PortolanGeo
public import PortolanWeb

/// An ArcGIS `MapServer` or `ImageServer`, from its JSON description (ArcGIS REST API, "Map Service", "Image Service").
public struct ArcGISService: Hashable, Sendable {
    /// A layer of the service.
    public struct Layer: Hashable, Sendable {
        /// The number of the layer in requests.
        public let number: Int
        /// The title.
        public let name: String
    }

    /// The title, or an empty string.
    public let title: String
    /// The description of the service, or `nil`.
    public let description: String?
    /// The attribution, or `nil`.
    public let attribution: String?
    /// The server version, or `nil`.
    public let version: String?
    /// The native CRS of the map, or `nil` if it is unknown.
    public let crs: CRS?
    /// Whether it is an `ImageServer`.
    public let isImageService: Bool
    /// The grid of its tiles, or `nil` without tiles.
    public let grid: TileGrid?
    /// The extent of the service in ``crs``, or `nil`.
    public let extent: Extent?
    /// Whether it draws images of any extent.
    public let exports: Bool
    /// The image formats, as the service writes them.
    public let formats: [String]
    /// The maximum side lengths of images, or `nil`.
    public let maximumWidth, maximumHeight: Int?
    /// The layers; empty for an `ImageServer`.
    public let layers: [Layer]
    /// Warnings about the document.
    public let warnings: [MapWarning]

    private static let layerLimit = 10_000

    /// Reads the members of a document, or returns `nil` if it is of another kind.
    ///
    /// - Parameter isImageService: whether the URL is that of an `ImageServer`, which the document does not always
    ///   state.
    package init?(_ members: Properties, isImageService: Bool) {
        let isImage = isImageService || members["pixelSizeX"] != nil || members["bandCount"] != nil
        guard
            members["mapName"] != nil || members["singleFusedMapCache"] != nil || members["tileInfo"] != nil
                || isImage
                    && (members["extent"] != nil || members["fullExtent"] != nil)
        else { return nil }
        var notes = ReaderNotes()
        func text(_ name: String) -> String? {
            members[name]?.displayText.map { ReadableText.line(MarkupText($0).summary, limit: 2000) }
                .flatMap { $0.isEmpty ? nil : $0 }
        }
        self.isImageService = isImage
        title =
            text("mapName").flatMap { $0 == "Layers" ? nil : $0 } ?? text("name") ?? text("serviceDescription") ?? ""
        description = text("description") ?? text("serviceDescription")
        attribution = text("copyrightText")
        version = members["currentVersion"]?.displayText
        let full = (members["fullExtent"] ?? members["extent"] ?? members["initialExtent"])?.objectValue
        let system = Self.crs(members["spatialReference"] ?? full?["spatialReference"], &notes)
        let tiles = members["tileInfo"]?.objectValue
        let isReady = members["singleFusedMapCache"] == true || (isImage && tiles != nil)
        let tileCRS = tiles.flatMap { Self.crs($0["spatialReference"], &notes) } ?? system
        crs = system ?? tileCRS
        let sides = ["xmin", "ymin", "xmax", "ymax"].compactMap { full?[$0]?.doubleValue }
        extent =
            sides.count == 4 ? Extent(minX: sides[0], minY: sides[1], maxX: sides[2], maxY: sides[3]) : nil
        if isReady, let tiles, let tileCRS {
            let levels = [members["minLOD"], members["maxLOD"]].map { $0?.integerValue }
            grid = Self.grid(
                tiles, in: tileCRS, around: extent, levels: (levels[0] ?? 0)...max(levels[1] ?? .max, levels[0] ?? 0))
            if grid == nil { notes.add("invalid tile grid") }
        } else {
            grid = nil
        }
        let can = (members["capabilities"]?.stringValue ?? "Map,Image").lowercased().split(separator: ",").map {
            String($0).trimmingSpace()
        }
        exports = can.contains(isImage ? "image" : "map") && !can.contains("tilesonly")
        let written = members["supportedImageFormatTypes"]?.stringValue ?? ""
        formats = written.split(separator: ",").map { String($0).trimmingSpace() }
        maximumWidth = members["maxImageWidth"]?.integerValue.flatMap { $0 > 0 ? $0 : nil }
        maximumHeight = members["maxImageHeight"]?.integerValue.flatMap { $0 > 0 ? $0 : nil }
        layers = (members["layers"]?.arrayValue ?? []).prefix(Self.layerLimit).compactMap { value in
            guard let layer = value.objectValue, let number = layer["id"]?.integerValue else { return nil }
            return Layer(
                number: number, name: layer["name"]?.displayText.map { ReadableText.line($0, limit: 500) } ?? "")
        }
        warnings = notes.warnings
    }

    /// Returns the message of an error, which has status 200, or `nil` if the document is not an error.
    package static func words(ofError members: Properties) -> String? {
        guard let error = members["error"]?.objectValue else { return nil }
        let parts = [error["code"]?.displayText, error["message"]?.displayText].compactMap(\.self)
        return ReadableText.line(
            parts.isEmpty ? "an error without a reason" : parts.joined(separator: ": "), limit: 2000)
    }

    /// Returns the CRS of a spatial reference; the latest code takes precedence.
    private static func crs(_ value: PropertyValue?, _ notes: inout ReaderNotes) -> CRS? {
        guard let reference = value?.objectValue else { return nil }
        for name in ["latestWkid", "wkid"] {
            guard let number = reference[name]?.integerValue else { continue }
            if let crs = (try? CRS("EPSG:\(number)")) ?? (try? CRS("ESRI:\(number)")) { return crs }
        }
        if let text = reference["wkt"]?.stringValue, let crs = try? CRS(wellKnownText: text) { return crs }
        notes.add("unknown coordinate system of the service: \(reference["wkid"]?.displayText ?? "no number")")
        return nil
    }

    /// Returns the tile grid: rows from the top, levels named by their numbers.
    private static func grid(
        _ tiles: Properties, in crs: CRS, around extent: Extent?, levels: ClosedRange<Int>
    ) -> TileGrid? {
        guard let origin = tiles["origin"]?.objectValue, let x = origin["x"]?.doubleValue,
            let y = origin["y"]?.doubleValue, let width = tiles["cols"]?.integerValue ?? tiles["rows"]?.integerValue
        else { return nil }
        let height = tiles["rows"]?.integerValue ?? width
        // Tiles of a repeating world have all columns, regardless of the extent of the map.
        let whole = crs.worldExtent ?? extent
        var matrices: [TileGrid.Matrix] = []
        for value in (tiles["lods"]?.arrayValue ?? []).prefix(100) {
            guard let lod = value.objectValue, let level = lod["level"]?.integerValue, levels.contains(level),
                let resolution = lod["resolution"]?.doubleValue.flatMap({ Resolution(unitsPerPixel: $0) })
            else { continue }
            func count(_ length: Double?, _ pixels: Int) -> Int {
                guard let length else { return 1 << 24 }
                let tiles = (length / resolution.unitsPerPixel / Double(max(pixels, 1)) - 1e-4).rounded(.up)
                return Int(min(max(tiles, 1), Double(1 << 31)))
            }
            let matrix = TileGrid.Matrix(
                id: String(level), resolution: resolution, tileWidth: width, tileHeight: height,
                origin: Coordinate(x: x, y: y), columnCount: count(whole.map { $0.maxX - x }, width),
                rowCount: count(whole.map { y - $0.minY }, height))
            if let matrix { matrices.append(matrix) }
        }
        return TileGrid(crs: crs, originCorner: .topLeft, matrices: matrices)
    }
}
