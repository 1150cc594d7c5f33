package import PortolanGeo
public import PortolanWeb

/// A pattern for the addresses of tiles, as `https://{s}.tile.example.org/{z}/{x}/{y}{r}.png`.
///
/// Placeholders are those of MapLibre, Leaflet, OpenLayers, QGIS, JOSM, GDAL, ArcGIS, WMTS and OGC API, in any case:
///
/// | placeholder | value |
/// | --- | --- |
/// | `{z}` `{zoom}` `{level}` `{TileMatrix}` | the level; also `{z-1}`, `{zoom+1}` and, counted down, `{17-zoom}` |
/// | `{x}` `{col}` `{TileCol}` | the column |
/// | `{y}` `{row}` `{TileRow}` | the row from the top |
/// | `{-y}` `{ty}` `{reverseY}` | the row from the bottom (TMS); `{!y}` is that of Yahoo |
/// | `{s}` `{subdomain}` | one of the subdomains |
/// | `{switch:a,b}` `{a-c}` `{1-4}` | one of those listed |
/// | `{r}` `{ratio}` `{@2x}` | `@2x` where finer pixels are wanted |
/// | `{q}` `{quadkey}` `{u}` | the quadkey |
/// | `{prefix}` | the last hexadecimal digits of column and row |
/// | `{bbox}` `{bbox-epsg-3857}` | the tile's sides, west first, in the grid's system or another |
/// | `{westDegrees}` `{westProjected}` and so on | one of the sides |
/// | `{width}` `{height}` `{proj}` `{wkid}` | the tile's size in pixels, and the name or number of the system |
/// | `{culture}` | `en-US`, unless it is given another value |
///
/// They may also be written `${x}`, `{{x}}`, `{$x}`, `%7Bx%7D` and `%(x)s`. Any other name needs a value of its own.
public struct XYZTemplate: Hashable, Sendable, CustomStringConvertible {
    /// The pattern as it was given.
    public let template: String
    /// Who named the pattern.
    public let origin: AddressOrigin
    /// The values of `{s}`, in turn.
    public let subdomains: [String]
    private let parts: [TemplatePart]
    /// Whether boxes are written in the order of the system's axes, as WMS 1.3.0 has them.
    private let isInAxisOrder: Bool

    /// Reads a pattern.
    ///
    /// - Parameters:
    ///   - values: the values of other placeholders, by their names; what is there goes before a default.
    ///   - countsFromBottom: whether `{y}` and its like count rows from the bottom, as those of a TMS do.
    ///   - origin: who named it; say so where it is no person.
    /// - Throws: ``XYZTemplateError`` when it has unknown placeholders, or lacks some without which tiles cannot be told
    ///   apart: it needs a quadkey, a box, or level, column and row.
    public init(
        _ template: String, subdomains: [String] = ["a", "b", "c"], values: [String: String] = [:],
        countsFromBottom: Bool = false, namedBy origin: AddressOrigin = .user
    )
        throws(XYZTemplateError)
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

    /// Whether a text has placeholders by which tiles are told apart.
    package static func isTemplate(_ text: String) -> Bool { TemplatePart.tellsTiles(in: text) }

    /// The names of the placeholders in a text, in small letters.
    package static func names(in text: String) -> Set<String> { TemplatePart.names(in: text) }

    /// The address of a tile of web mercator.
    ///
    /// The subdomain depends on column and row alone, so that a tile has the same address each time.
    ///
    /// - Parameters:
    ///   - row: counted from the top.
    ///   - rowCount: how many rows the level has.
    ///   - isRetina: whether tiles with twice the pixels are wanted.
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

    /// The address of a tile of a grid, or `nil` if it has none: its level is no number, or it lies outside of the system
    /// in which its box is wanted.
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

    /// Whether the pattern has a place for finer pixels.
    public var hasRetina: Bool { parts.contains(.retina) }

    /// Whether rows are counted from the bottom, so that their number must be known.
    package var countsFromBottom: Bool { parts.contains(.row(.fromBottom)) || parts.contains(.row(.yahoo)) }

    /// The system that tiles are asked in by their boxes alone, or `nil` if the grid's own will do.
    package var boxCRS: CRS? {
        guard !parts.contains(where: { $0.isLevel || $0 == .quadkey }) else { return nil }
        return parts.lazy.compactMap { if case .box(let crs?) = $0 { crs } else { nil } }.first
    }

    /// The pattern as it was given.
    public var description: String { template }

    /// A tile, with all that may be said of it.
    private struct Place {
        let level: String
        let number: Int?
        let column: Int
        /// Counted from the top.
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

    /// The tile's sides in a system, with as many digits as count.
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
            key += String((column >> bit & 1) + 2 * (row >> bit & 1))
        }
        return key
    }
}

/// A reason why a template of tile addresses cannot be used.
public enum XYZTemplateError: Error, Hashable, Sendable, CustomStringConvertible {
    /// A brace is opened and not closed; the number is its place, in characters from 0.
    case unclosedBrace(offset: Int)
    /// The name in braces is none that is understood.
    case unknownPlaceholder(String)
    /// Tiles cannot be told apart without the placeholder named.
    case missingPlaceholder(String)
    /// The template has `{s}` and there are no subdomains.
    case noSubdomains

    /// The placeholders that are understood, one of each meaning.
    package static let known =
        "{z} {x} {y} {-y} {s} {r} {q} {a-c} {switch:a,b} {bbox} {bbox-epsg-3857} {prefix} {ratio} {zoom} {quadkey} "
        + "{level} {col} {row} {TileMatrix} {TileCol} {TileRow} {width} {height} {proj} {culture}"

    /// The problem, in one line.
    public var description: String {
        switch self {
        case .unclosedBrace(let offset): "the brace at character \(offset) is not closed"
        case .unknownPlaceholder(let name): "unknown placeholder '{\(name)}'; available: \(Self.known)"
        case .missingPlaceholder(let name): "the template needs \(name)"
        case .noSubdomains: "the template has {s}, but no subdomains are given"
        }
    }
}
