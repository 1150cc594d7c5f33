package import PortolanGeo
package import PortolanWeb

/// Asks a tile service for the tiles of a layer.
public struct WMTSTileRequest: Hashable, Sendable {
    /// A dimension's name and value.
    package typealias Dimension = GetMapRequest.Parameter

    /// The grid of the tiles, within the layer's limits.
    package let grid: TileGrid
    /// The extent with tiles, in units of the grid's system, or `nil` for all of the grid.
    package let extent: Extent?
    /// The identifier of the layer.
    package let layer: String
    /// The identifier of the style; may be empty.
    package let style: String
    /// The media type of the tiles, as the service writes it; it need not be that of the bodies that come.
    package let format: String
    /// The identifier of the matrix set.
    package let matrixSet: String
    /// The dimensions, in the order of the document.
    package let dimensions: [Dimension]
    /// Warnings about the choice.
    package let warnings: [MapWarning]
    /// Who named the address.
    package let origin: AddressOrigin
    /// Where tiles are asked for, the first before the others.
    private let addresses: [Address]

    enum Address: Hashable, Sendable {
        case service(String)
        case template(WMTSTemplate)
    }

    init(
        grid: TileGrid, extent: Extent?, layer: String, style: String, format: String, matrixSet: String,
        dimensions: [Dimension], addresses: [Address], origin: AddressOrigin, warnings: [MapWarning]
    ) {
        self.origin = origin
        self.grid = grid
        self.extent = extent
        self.layer = layer
        self.style = style
        self.format = format
        self.matrixSet = matrixSet
        self.dimensions = dimensions
        self.addresses = addresses
        self.warnings = warnings
    }

    /// The encoding of tile requests.
    package var encoding: WMTSChoice.Encoding { if case .template? = addresses.first { .path } else { .parameters } }

    /// The address of a tile of ``grid``, or `nil` when the grid has no such tile.
    ///
    /// A tile has one address that is asked first: parameters go in the order of OGC 07-057r7 table 29, dimensions in that of the document.
    package func url(for tile: TileIndex) -> String? { addresses.first.flatMap { url(for: tile, at: $0) } }

    /// A text that requests with the same addresses of tiles have in common.
    package var addressesName: String {
        addresses.map { address in
            switch address {
            case .service(let url): url
            case .template(let template): template.url(matrix: "{}", column: 0, row: 0)
            }
        }.joined(separator: " ")
    }

    /// Whether tiles have further addresses.
    package var hasOtherURLs: Bool { addresses.count > 1 }

    /// Further addresses of the tile, for where the first cannot be had.
    package func otherURLs(for tile: TileIndex) -> [String] {
        addresses.dropFirst().compactMap { url(for: tile, at: $0) }
    }

    private func url(for tile: TileIndex, at address: Address) -> String? {
        guard grid.matrices.indices.contains(tile.level) else { return nil }
        let matrix = grid.matrices[tile.level]
        guard matrix.columns.contains(tile.column), matrix.rows.contains(tile.row) else { return nil }
        switch address {
        case .template(let template):
            return template.url(matrix: matrix.id, column: tile.column, row: tile.row)
        case .service(let url):
            return ServiceURL(url).url(
                with: parameters(of: "GetTile", for: tile, in: matrix), dropping: WMTSParameters.ofProtocol)
        }
    }

    /// The parameters of an operation that is about a tile, encoded.
    func parameters(
        of operation: String, for tile: TileIndex, in matrix: TileMatrix
    ) -> [(name: String, value: String)] {
        let parameters = [
            ("SERVICE", "WMTS"), ("REQUEST", operation), ("VERSION", "1.0.0"), ("LAYER", layer), ("STYLE", style),
            ("FORMAT", format),
        ]
        let place = [
            ("TILEMATRIXSET", matrixSet), ("TILEMATRIX", matrix.id), ("TILEROW", String(tile.row)),
            ("TILECOL", String(tile.column)),
        ]
        let all = parameters + dimensions.map { ($0.name, $0.value) } + place
        return all.map { ($0.0, PercentEncoding.value($0.1)) }
    }
}

/// A pattern of tile addresses, its names already filled in but for those of the tile.
package struct WMTSTemplate: Hashable, Sendable {
    private enum Part: Hashable {
        case text(String)
        case matrix, column, row
        /// The pixel of the tile that a question is about.
        case pixelColumn, pixelRow
    }

    private var parts: [Part] = []
    /// The names that stood for dimensions, as the template writes them.
    package private(set) var dimensions: [String] = []

    /// Reads a pattern; names are matched whatever their case, and `values` are the values by names in small letters.
    ///
    /// A name without a value is that of a dimension which the layer does not have: it becomes `default`.
    ///
    /// - Parameter isQuestion: whether it is one of questions about a pixel of a tile (OGC 07-057r7 table 34).
    /// - Returns: `nil` when a brace is not closed, or tiles or pixels cannot be told apart by it.
    package init?(_ template: String, values: [String: String], isQuestion: Bool = false) {
        var text = ""
        var rest = template.replacing("%7B", with: "{").replacing("%7b", with: "{")
            .replacing("%7D", with: "}").replacing("%7d", with: "}")[...]
        func add(_ part: Part, to parts: inout [Part]) {
            if !text.isEmpty { parts.append(.text(text)) }
            text = ""
            parts.append(part)
        }
        while let open = rest.firstIndex(of: "{") {
            text += PercentEncoding.repaired(String(rest[..<open]), isStart: text.isEmpty && parts.isEmpty)
            guard let close = rest[open...].firstIndex(of: "}") else { return nil }
            let name = String(rest[rest.index(after: open)..<close]), key = name.lowercased()
            rest = rest[rest.index(after: close)...]
            switch key {
            case "tilematrix": add(.matrix, to: &parts)
            case "tilecol": add(.column, to: &parts)
            case "tilerow": add(.row, to: &parts)
            case "i" where isQuestion: add(.pixelColumn, to: &parts)
            case "j" where isQuestion: add(.pixelRow, to: &parts)
            default:
                if !["layer", "style", "tilematrixset", "format", "infoformat"].contains(key) {
                    dimensions.append(name)
                }
                let value = values[key] ?? ""
                text += PercentEncoding.pathPart(value.isEmpty ? "default" : value)
            }
        }
        text += PercentEncoding.repaired(String(rest), isStart: text.isEmpty && parts.isEmpty)
        if !text.isEmpty { parts.append(.text(text)) }
        guard parts.contains(.matrix), parts.contains(.column), parts.contains(.row) else { return nil }
        guard !isQuestion || (parts.contains(.pixelColumn) && parts.contains(.pixelRow)) else { return nil }
        // Where requests go must not depend on the tile.
        guard case .text(let head)? = parts.first, let start = head.firstRange(of: "://")?.upperBound,
            head[start...].contains("/"), ServiceURL(head).isOnWeb
        else { return nil }
    }

    func url(matrix: String, column: Int, row: Int, pixel: (column: Int, row: Int) = (0, 0)) -> String {
        parts.map { part in
            switch part {
            case .text(let text): text
            case .matrix: PercentEncoding.pathPart(matrix)
            case .column: String(column)
            case .row: String(row)
            case .pixelColumn: String(pixel.column)
            case .pixelRow: String(pixel.row)
            }
        }.joined()
    }
}

/// All that the questions about a tile service's features share; only the tile, its pixel and the format are missing.
package struct WMTSFeatureInfoTemplate: Hashable, Sendable {
    enum Address: Hashable, Sendable {
        case service(String)
        /// One for each format.
        case templates([WMTSTemplate])
    }

    /// The requests for the tiles that are asked about.
    package let tiles: WMTSTileRequest
    /// The formats of answers that the service offers.
    package let formats: [WMSFormat]
    private let address: Address

    init(tiles: WMTSTileRequest, formats: [WMSFormat], _ address: Address) {
        self.tiles = tiles
        self.formats = formats
        self.address = address
    }

    /// The address of the answer about a pixel of a tile, or `nil` when the grid has no such tile, or a service that is
    /// asked by path does not offer the format.
    ///
    /// Follows OGC 07-057r7 tables 31 and 34.
    ///
    /// - Parameters:
    ///   - column: the pixel's column in the tile, from 0 at the left.
    ///   - row: the pixel's row in the tile, from 0 at the top.
    package func url(for tile: TileIndex, column: Int, row: Int, infoFormat: WMSFormat) -> String? {
        guard tiles.grid.matrices.indices.contains(tile.level) else { return nil }
        let matrix = tiles.grid.matrices[tile.level]
        guard matrix.columns.contains(tile.column), matrix.rows.contains(tile.row),
            (0..<matrix.tileWidth).contains(column), (0..<matrix.tileHeight).contains(row)
        else { return nil }
        switch address {
        case .templates(let templates):
            return formats.firstIndex(of: infoFormat).map {
                templates[$0].url(matrix: matrix.id, column: tile.column, row: tile.row, pixel: (column, row))
            }
        case .service(let url):
            let own = [
                ("J", String(row)), ("I", String(column)), ("INFOFORMAT", PercentEncoding.value(infoFormat.verbatim)),
            ]
            return ServiceURL(url).url(
                with: tiles.parameters(of: "GetFeatureInfo", for: tile, in: matrix) + own,
                dropping: WMTSParameters.ofProtocol)
        }
    }
}
