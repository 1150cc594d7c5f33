import PortolanGeo
import PortolanPlan
import PortolanServices

extension LayerKind {
    /// Tiles of a WMTS.
    public static let wmts = LayerKind(
        "wmts", source: .service,
        keys: ["layer", "matrix-set", "style", "format", "dim.NAME", "encoding", "crs", "url-policy"],
        help: """
            wmts:URL  Tiles of a WMTS: the service or its capabilities.
            """,
        make: { (specification, name, builder) async throws(MapError) in
            let chosen = try wmtsChoice(specification)
            return try await specification.asking { () throws(ServiceError) in
                try await builder.client(for: specification).connectWMTS(
                    named: name, url: specification.source, options: chosen, mapCRS: builder.mapCRS)
            }
        })

    /// The keys of tile templates.
    private static let templateKeys = [
        "min-zoom", "max-zoom", "tile-size", "subdomains", "attribution", "bounds", "crs", "resolutions", "origin",
        "extent", "params.NAME",
    ]

    /// Returns the WMTS options of the keys.
    static func wmtsChoice(_ specification: LayerSpecification) throws(MapError) -> WMTSOptions {
        var choice = WMTSOptions(
            layer: specification["layer"], matrixSet: specification["matrix-set"], style: specification["style"],
            format: specification["format"])
        choice.encoding = try specification.encoding()
        choice.crsName = specification["crs"]
        choice.urlPolicy = try specification.urlPolicy() ?? choice.urlPolicy
        for dimension in specification.values(after: "dim.") {
            choice.dimensions[dimension.name] = dimension.value
        }
        return choice
    }

    /// Tiles of a URL template.
    public static let xyz = LayerKind(
        "xyz", source: .tiles, keys: templateKeys,
        help: """
            xyz:TEMPLATE  Tiles by a URL template with {z} {x} {y}, {-y}, {s}, {q}, {bbox} and {r} (@2x at pixel ratios from 1.5). \
            Tiles are enlarged beyond max-zoom and reduced below min-zoom (at most 256 per view).
            """,
        make: { (specification, name, builder) async throws(MapError) in
            let path = specification.source.prefix { $0 != "?" && $0 != "#" }
            guard path.lowercased().hasSuffix(".json"), !specification.source.contains("{") else {
                return (try templateLayer(specification, named: name), [])
            }
            for key in templateKeys where specification[key] != nil && !tileJSON.keys.contains(key) {
                throw specification.invalid(key, "needs a template; a document has its own")
            }
            return try await tileJSON.make(specification, name, builder)
        })

    /// Tiles of a Tile Map Service, by a template or by its documents.
    public static let tms = LayerKind(
        "tms", source: .tiles, keys: ["layer"] + templateKeys,
        help: """
            tms:URL  Tiles of a TMS document, or of a template as for xyz:, with rows counted from the bottom.
            """,
        make: { (specification, name, builder) async throws(MapError) in
            if LayerSpecification.isTemplate(specification.source) || specification.source.contains("{") {
                guard specification["layer"] == nil else {
                    throw specification.invalid("layer", "needs the URL of a document, not a template")
                }
                return (try templateLayer(specification, named: name, countsFromBottom: true), [])
            }
            let ofTemplates = ["tile-size", "subdomains", "bounds", "crs", "resolutions", "origin", "extent"]
            for key in specification.values.keys.sorted() where ofTemplates.contains(key) || key.hasPrefix("params.") {
                throw specification.invalid(key, "needs a template; a document has its own")
            }
            let levels = try levels(of: specification, upTo: 99, otherwise: 99)
            var (layer, warnings) = try await specification.asking { () throws(ServiceError) in
                try await builder.client(for: specification).connectTMS(
                    named: name, url: specification.source, map: specification["layer"], levels: levels,
                    mapCRS: builder.mapCRS)
            }
            if let attribution = specification["attribution"] { layer.attribution = attribution }
            return (layer, warnings)
        })

    static func templateLayer(
        _ specification: LayerSpecification, named name: String, countsFromBottom: Bool = false
    ) throws(MapError) -> MapLayer {
        let given = specification.values(after: "params.")
        let template: XYZTemplate
        do {
            template = try XYZTemplate(
                specification.source, subdomains: specification.list("subdomains") ?? ["a", "b", "c"],
                values: Dictionary(given.map { ($0.name, $0.value) }) { $1 }, countsFromBottom: countsFromBottom,
                namedBy: specification.origin)
        } catch { throw specification.error(.template(error)) }
        for value in given where !XYZTemplate.names(in: specification.source).contains(value.name.lowercased()) {
            throw specification.invalid(
                "params.\(value.name)", "is for {\(value.name)}, which is not in the template")
        }
        let (grid, whole) = try grid(of: specification, for: template)
        let bounds = try specification.list("bounds").map { words throws(MapError) in
            // The eastern limit may be across the antimeridian.
            guard let bounds = GeographicBounds(words.map { Double($0) ?? .nan }),
                let extent = bounds.extent(in: grid.crs)
            else {
                throw specification.invalid(
                    "bounds", "must be WEST,SOUTH,EAST,NORTH in degrees, within the tiles' world")
            }
            return extent
        }
        var extent = bounds ?? whole
        if let bounds, let whole {
            extent = bounds.intersection(whole)
            if extent == nil { throw specification.invalid("bounds", "is outside the tiles' extent") }
        }
        var layer = MapLayer(
            name: name, source: TileSource(grid: grid, address: .xyz(template), extent: extent),
            attribution: specification["attribution"])
        layer.bounds = extent.map { LayerBounds($0, crs: grid.crs) }
        return layer
    }

    /// Returns the grid that the keys describe, and its extent if one is given.
    private static func grid(
        of specification: LayerSpecification, for template: XYZTemplate
    ) throws(MapError) -> (grid: TileGrid, extent: Extent?) {
        let size = try tileSize(of: specification)
        let own = ["crs", "resolutions", "origin", "extent"].contains { specification[$0] != nil }
        guard own || template.boxCRS.map({ !$0.hasCoordinates(of: .webMercator) }) == true || size.width != size.height
        else {
            let levels = try levels(of: specification, upTo: 30, otherwise: 19)
            guard let grid = TileGrid.webMercator(levels: levels, tileSize: size.width) else {
                throw specification.invalid("max-zoom", "is less than min-zoom")
            }
            return (grid, nil)
        }
        var crs = template.boxCRS ?? .webMercator
        if let name = specification["crs"] {
            do { crs = try CRS(name) } catch { throw specification.invalid("crs", "is unknown: \(error)") }
        }
        let levels = try levels(of: specification, upTo: 99, otherwise: 99)
        let extent = try specification.box("extent")
        let grid: TileGrid
        if specification["resolutions"] == nil {
            for key in ["origin", "extent"] where specification[key] != nil {
                throw specification.invalid(key, "needs resolutions")
            }
            guard size.width == size.height, let usual = TileGrid.powersOfTwo(in: crs, tileSize: size.width) else {
                throw specification.invalid("tile-size", "of tiles that are not square needs resolutions")
            }
            grid = usual
        } else {
            grid = try ownGrid(specification, crs, size, extent, isFromBottom: template.countsFromBottom)
        }
        let wanted = grid.matrices.filter { Int($0.id).map(levels.contains) ?? true }
        guard let cut = TileGrid(crs: crs, originCorner: grid.originCorner, matrices: wanted) else {
            throw specification.invalid("min-zoom", "leaves no level of \(grid.matrices.count)")
        }
        return (cut, extent)
    }

    /// Returns the grid of the keys `resolutions`, `origin` and `extent`.
    ///
    /// Its levels are numbered from the coarsest, 0.
    private static func ownGrid(
        _ specification: LayerSpecification, _ crs: CRS, _ size: (width: Int, height: Int), _ extent: Extent?,
        isFromBottom: Bool
    ) throws(MapError) -> TileGrid {
        let resolutions = try specification.resolutions()
        let whole = extent ?? crs.worldExtent
        var origin = whole.map { Coordinate(x: $0.minX, y: isFromBottom ? $0.minY : $0.maxY) }
        if let words = specification.list("origin") {
            let numbers = words.compactMap { Double($0) }
            guard numbers.count == 2, words.count == 2, numbers.allSatisfy(\.isFinite) else {
                throw specification.invalid("origin", "must be X,Y, easting or longitude first")
            }
            origin = Coordinate(x: numbers[0], y: numbers[1])
        }
        guard let origin else {
            throw specification.invalid(
                "layer '\(specification.source)': a grid in \(crs) needs the key 'origin' or 'extent'")
        }
        var matrices: [TileGrid.Matrix] = []
        for (level, resolution) in resolutions.sorted(by: >).enumerated() {
            let spanX = resolution.unitsPerPixel * Double(size.width)
            let spanY = resolution.unitsPerPixel * Double(size.height)
            func count(_ length: Double?, _ span: Double) -> Int {
                // The extent of the tiles is unknown.
                guard let length else { return 1 << 24 }
                return Int(min(max((length / span - 1e-6).rounded(.up), 1), Double(1 << 31)))
            }
            let matrix = TileGrid.Matrix(
                id: String(level), resolution: resolution, tileWidth: size.width, tileHeight: size.height,
                origin: origin, columnCount: count(whole.map { $0.maxX - origin.x }, spanX),
                rowCount: count(whole.map { isFromBottom ? $0.maxY - origin.y : origin.y - $0.minY }, spanY))
            guard let matrix else { throw specification.invalid("resolutions", "and tile-size give no tiles") }
            matrices.append(matrix)
        }
        guard let grid = TileGrid(crs: crs, originCorner: isFromBottom ? .bottomLeft : .topLeft, matrices: matrices)
        else { throw specification.invalid("resolutions", "is empty") }
        return grid
    }

    /// Returns the width and height of tiles; a single number means square tiles.
    static func tileSize(
        of specification: LayerSpecification
    ) throws(MapError) -> (width: Int, height: Int) {
        guard let text = specification["tile-size"] else { return (256, 256) }
        let sides = text.lowercased().split(separator: "x", omittingEmptySubsequences: false).map { Int($0) }
        guard (1...2).contains(sides.count), let width = sides[0], let height = sides[sides.count - 1],
            (1...4096).contains(width), (1...4096).contains(height)
        else { throw specification.invalid("tile-size", "must be a whole number from 1 to 4096") }
        return (width, height)
    }

    /// Returns the zoom levels of the keys; by default 0 to `usual`.
    static func levels(
        of specification: LayerSpecification, upTo largest: Int, otherwise usual: Int
    ) throws(MapError) -> ClosedRange<Int> {
        let first = try specification.integer("min-zoom", in: 0...largest) ?? 0
        let last = try specification.integer("max-zoom", in: 0...largest) ?? max(first, usual)
        guard first <= last else { throw specification.invalid("max-zoom", "is less than min-zoom") }
        return first...last
    }
}

extension LayerSpecification {
    /// Returns the WMTS request encoding; the names of the standard are accepted as well.
    fileprivate func encoding() throws(MapError) -> WMTSOptions.Encoding? {
        switch self["encoding"]?.lowercased() {
        case nil: nil
        case "parameters", "kvp": .parameters
        case "path", "rest", "restful": .path
        default: throw invalid("encoding", "must be parameters or path")
        }
    }
}
