package import PortolanGeo
public import PortolanWeb

/// A tile URL template, such as `https://{s}.tile.example.org/{z}/{x}/{y}{r}.png`.
///
/// ```swift
/// let template = try XYZTemplate("https://tile.example.org/{z}/{x}/{y}.png")
/// let url = template.url(level: 2, column: 1, row: 3, rowCount: 4)
/// ```
///
/// Placeholders are those of MapLibre, Leaflet, OpenLayers, QGIS, JOSM, GDAL, ArcGIS, WMTS and OGC API, in any case:
///
/// | placeholder | value |
/// | --- | --- |
/// | `{z}` `{zoom}` `{level}` `{TileGrid.Matrix}` | the level; also `{z-1}`, `{zoom+1}` and, counted down, `{17-zoom}` |
/// | `{x}` `{col}` `{TileCol}` | the column |
/// | `{y}` `{row}` `{TileRow}` | the row from the top |
/// | `{-y}` `{ty}` `{reverseY}` | the row from the bottom (TMS); `{!y}` is that of Yahoo |
/// | `{s}` `{subdomain}` | one of the subdomains |
/// | `{switch:a,b}` `{a-c}` `{1-4}` | one of those listed |
/// | `{r}` `{ratio}` `{@2x}` | `@2x` for high-resolution tiles |
/// | `{q}` `{quadkey}` `{u}` | the quadkey |
/// | `{prefix}` | the last hexadecimal digits of column and row |
/// | `{bbox}` `{bbox-epsg-3857}` | the tile's sides, west first, in the grid's CRS or another |
/// | `{westDegrees}` `{westProjected}` and so on | one of the sides |
/// | `{width}` `{height}` `{proj}` `{wkid}` | the tile's size in pixels, and the name or number of the CRS |
/// | `{culture}` | `en-US` by default |
///
/// They may also be written `${x}`, `{{x}}`, `{$x}`, `%7Bx%7D` and `%(x)s`. Other names need a value in `values`.
public struct XYZTemplate: Hashable, Sendable, CustomStringConvertible {
    /// The template as given.
    public let template: String
    /// The origin of the template.
    public let origin: NamedURL.Origin
    /// The values of `{s}`, used in turn.
    public let subdomains: [String]
    private let parts: [TemplatePart]
    /// Whether boxes are written in the axis order of the CRS, as in WMS 1.3.0.
    private let isInAxisOrder: Bool

    /// Parses a template.
    ///
    /// - Parameters:
    ///   - values: the values of other placeholders by name; they take precedence over defaults.
    ///   - countsFromBottom: whether `{y}` and its synonyms count rows from the bottom, as in a TMS.
    ///   - origin: the origin of the template, if it is not the user.
    /// - Throws: ``XYZTemplate/ParseError`` for an unknown placeholder, or if tiles are not identified, which requires a
    ///   quadkey, a box, or level, column and row.
    public init(
        _ template: String, subdomains: [String] = ["a", "b", "c"], values: [String: String] = [:],
        countsFromBottom: Bool = false, namedBy origin: NamedURL.Origin = .user
    )
        throws(XYZTemplate.ParseError)
    {
        let parts = try TemplatePart.parts(of: template, values: values, countsFromBottom: countsFromBottom)
        if !parts.contains(where: \.tellsTilesApart) {
            guard parts.contains(where: \.isLevel) else { throw .missingPlaceholder("{z}") }
            guard parts.contains(.column) else { throw .missingPlaceholder("{x}") }
            guard parts.contains(where: \.isRow) else { throw .missingPlaceholder("{y} or {-y}") }
        }
        guard !parts.contains(.subdomain) || !subdomains.isEmpty else { throw .noSubdomains }
        self.template = template
        self.origin = origin
        self.subdomains = subdomains
        self.parts = parts
        isInAxisOrder = template.lowercased().contains("version=1.3")
    }

    /// Returns whether a text has placeholders that identify tiles.
    package static func isTemplate(_ text: String) -> Bool { TemplatePart.tellsTiles(in: text) }

    /// Returns the lowercase names of the placeholders in a text.
    package static func names(in text: String) -> Set<String> { TemplatePart.names(in: text) }

    /// Returns the URL of a Web Mercator tile.
    ///
    /// The subdomain depends only on column and row, so that a tile always has the same URL.
    ///
    /// - Parameters:
    ///   - row: counted from the top.
    ///   - rowCount: the number of rows of the level.
    ///   - isRetina: whether tiles with twice the resolution are requested.
    public func url(level: Int, column: Int, row: Int, rowCount: Int, isRetina: Bool = false) -> String {
        precondition(level >= 0 && column >= 0 && row >= 0 && row < rowCount, "the tile lies outside its level")
        let half = (CRS.webMercator.worldWidth ?? 0) / 2, span = 2 * half / Double(rowCount)
        let extent = Extent(
            minX: Double(column) * span - half, minY: half - Double(row + 1) * span,
            maxX: Double(column + 1) * span - half, maxY: half - Double(row) * span)
        return text(
            of: Place(
                level: String(level), number: level, column: column, row: row, rowCount: rowCount, extent: extent,
                crs: .webMercator, size: (256, 256), isRetina: isRetina)) ?? ""
    }

    /// Returns the URL of a tile of a grid, or `nil` if it has none: if its level has no number, or its box cannot be
    /// transformed to the requested CRS.
    package func url(of tile: TileIndex, in grid: TileGrid, isRetina: Bool = false) -> String? {
        guard grid.matrices.indices.contains(tile.level) else { return nil }
        let matrix = grid.matrices[tile.level]
        return text(
            of: Place(
                level: matrix.id, number: Int(matrix.id), column: tile.column,
                row: grid.originCorner == .topLeft ? tile.row : matrix.rowCount - 1 - tile.row,
                rowCount: matrix.rowCount, extent: grid.extent(of: tile), crs: grid.crs,
                size: (matrix.tileWidth, matrix.tileHeight), isRetina: isRetina))
    }

    /// Whether the template has a placeholder for high-resolution tiles.
    public var hasRetina: Bool { parts.contains(.retina) }

    /// Whether rows are counted from the bottom, which requires their number.
    package var countsFromBottom: Bool { parts.contains(.row(.fromBottom)) || parts.contains(.row(.yahoo)) }

    /// The CRS of boxes, if tiles are identified by these only; `nil` for that of the grid.
    package var boxCRS: CRS? {
        guard !parts.contains(where: { $0.isLevel || $0 == .quadkey }) else { return nil }
        return parts.lazy.compactMap { if case .box(let crs?) = $0 { crs } else { nil } }.first
    }

    /// The template as given.
    public var description: String { template }

    /// A tile with all values for placeholders.
    private struct Place {
        let level: String
        let number: Int?
        let column: Int
        /// The row, counted from the top.
        let row: Int
        let rowCount: Int
        let extent: Extent?
        let crs: CRS
        let size: (width: Int, height: Int)
        let isRetina: Bool
    }

    private func text(of place: Place) -> String? {
        var text = ""
        for part in parts {
            guard let word = self.text(of: part, place) else { return nil }
            text += word
        }
        return text
    }

    private func text(of part: TemplatePart, _ place: Place) -> String? {
        switch part {
        case .text(let text): return text
        case .level(nil): return place.level
        case .level(let count?): return place.number.map { String(count.sign * $0 + count.first) }
        case .column: return String(place.column)
        case .row(.fromTop): return String(place.row)
        case .row(.fromBottom): return String(place.rowCount - 1 - place.row)
        case .row(.yahoo): return String(place.rowCount / 2 - 1 - place.row)
        case .subdomain: return Self.turn(subdomains, place)
        case .oneOf(let words): return Self.turn(words, place)
        case .retina: return place.isRetina ? "@2x" : ""
        case .quadkey: return place.number.map { Self.quadkey(level: $0, column: place.column, row: place.row) }
        case .prefix: return String(place.column % 16, radix: 16) + String(place.row % 16, radix: 16)
        case .box(let crs):
            let crs = crs ?? place.crs
            let isNorthFirst = isInAxisOrder && BoundingBoxWriter.isNorthFirst(crs: crs, axisOrder: .auto)
            return Self.extent(of: place, in: crs).map {
                BoundingBoxWriter.string(for: $0, isNorthFirst: isNorthFirst)
            }
        case .side(let side, let isInDegrees):
            return Self.extent(of: place, in: isInDegrees ? .crs84 : place.crs).map {
                NumberText.decimal(side.value(of: $0))
            }
        case .width: return String(place.size.width)
        case .height: return String(place.size.height)
        case .crsName: return PercentEncoding.value(place.crs.name)
        case .crsCode: return place.crs.name.split(separator: ":").last.map(String.init)
        }
    }

    private static func turn(_ words: [String], _ place: Place) -> String {
        words[(place.column % words.count + place.row % words.count) % words.count]
    }

    /// Returns the sides of the tile in a CRS, with the significant digits.
    private static func extent(of place: Place, in crs: CRS) -> Extent? {
        guard let extent = place.extent, !crs.hasCoordinates(of: place.crs) else {
            return place.extent?.roundedForRequest
        }
        let sides: Extent? = (try? CoordinateTransform(from: place.crs, to: crs))?(extent)
        return sides?.roundedForRequest
    }

    private static func quadkey(level: Int, column: Int, row: Int) -> String {
        var key = ""
        for bit in (0..<min(max(level, 0), 62)).reversed() {
            let east = column >> bit & 1, south = row >> bit & 1
            key += String(east + 2 * south)
        }
        return key
    }
}

extension XYZTemplate {
    /// A reason why a tile URL template is invalid.
    public enum ParseError: Error, Hashable, Sendable, CustomStringConvertible {
        /// A brace is not closed; `offset` is its character index, from 0.
        case unclosedBrace(offset: Int)
        /// The placeholder is unknown.
        case unknownPlaceholder(String)
        /// Tiles are not identified without this placeholder.
        case missingPlaceholder(String)
        /// The template has `{s}`, but there are no subdomains.
        case noSubdomains

        /// The supported placeholders, one of each meaning.
        package static let known =
            "{z} {x} {y} {-y} {s} {r} {q} {a-c} {switch:a,b} {bbox} {bbox-epsg-3857} {prefix} {ratio} {zoom} {quadkey} "
            + "{level} {col} {row} {TileMatrix} {TileCol} {TileRow} {width} {height} {proj} {culture}"

        /// The error message, in one line.
        public var description: String {
            switch self {
            case .unclosedBrace(let offset): "the brace at character \(offset) is not closed"
            case .unknownPlaceholder(let name): "unknown placeholder '{\(name)}'; available: \(Self.known)"
            case .missingPlaceholder(let name): "the template needs \(name)"
            case .noSubdomains: "the template has {s}, but no subdomains are given"
            }
        }
    }
}
