package import PortolanGeo
package import PortolanWeb

/// A request template for the tiles of a WMTS layer.
public struct WMTSTileRequest: Hashable, Sendable {
    /// The name and value of a dimension.
    package typealias Dimension = GetMapRequest.Parameter

    /// The grid of the tiles, within the layer's limits.
    package let grid: TileGrid
    /// The extent with tiles, in units of the grid's CRS, or `nil` for the whole grid.
    package let extent: Extent?
    /// The identifier of the layer.
    package let layer: String
    /// The identifier of the style; may be empty.
    package let style: String
    /// The media type of the tiles, as the service writes it.
    ///
    /// Responses may have another type.
    package let format: String
    /// The identifier of the matrix set.
    package let matrixSet: String
    /// The dimensions, in the order of the document.
    package private(set) var dimensions: [Dimension]
    /// Warnings about the negotiation.
    package let warnings: [MapWarning]
    /// The origin of the URL.
    package let origin: NamedURL.Origin
    /// The tile URLs in order of preference.
    private var addresses: [Address]

    enum Address: Hashable, Sendable {
        case service(String)
        case template(WMTSTemplate)
    }

    init(
        grid: TileGrid, extent: Extent?, layer: String, style: String, format: String, matrixSet: String,
        dimensions: [Dimension], addresses: [Address], origin: NamedURL.Origin, warnings: [MapWarning]
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

    /// Returns the requests of the same tiles with other values of dimensions, by lowercase name.
    ///
    /// Names that the layer does not have are ignored.
    package func choosing(_ values: [String: String]) -> WMTSTileRequest {
        var request = self
        request.dimensions = dimensions.map { Dimension($0.name, values[$0.name.lowercased()] ?? $0.value) }
        request.addresses = addresses.map { address in
            guard case .template(let template) = address else { return address }
            return .template(template.choosing(values))
        }
        return request
    }

    /// The encoding of tile requests.
    package var encoding: WMTSOptions.Encoding { if case .template? = addresses.first { .path } else { .parameters } }

    /// Returns the URL of a tile of ``grid``, or `nil` if the grid does not have the tile.
    ///
    /// A tile has one preferred URL. Parameters are in the order of OGC 07-057r7 table 29, dimensions in that of the
    /// document.
    package func url(for tile: TileIndex) -> String? { addresses.first.flatMap { url(for: tile, at: $0) } }

    /// A text that identifies the tile URLs of a template.
    package var addressesName: String {
        addresses.map { address in
            switch address {
            case .service(let url): url
            case .template(let template): template.url(matrix: "{}", column: 0, row: 0)
            }
        }.joined(separator: " ")
    }

    /// Whether tiles have alternative URLs.
    package var hasOtherURLs: Bool { addresses.count > 1 }

    /// Returns the alternative URLs of a tile, to use if the first one fails.
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

    /// Returns the encoded parameters of an operation on a tile.
    func parameters(
        of operation: String, for tile: TileIndex, in matrix: TileGrid.Matrix
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

/// A tile URL template in which only the placeholders of the tile remain.
package struct WMTSTemplate: Hashable, Sendable {
    private enum Part: Hashable {
        case text(String)
        case matrix, column, row
        /// The pixel of the tile for feature info.
        case pixelColumn, pixelRow
        /// The value of a dimension with a lowercase name.
        case dimension(String, value: String)
    }

    private var parts: [Part] = []
    /// The names of placeholders for dimensions, as written in the template.
    package private(set) var dimensions: [String] = []

    /// Parses a template.
    ///
    /// Names are matched ignoring case; `values` has their values by lowercase name.
    ///
    /// A name without a value is a dimension that the layer does not have, and becomes `default`.
    ///
    /// - Parameter isQuestion: whether it is a template for feature info at a pixel of a tile (OGC 07-057r7 table 34).
    /// - Returns: `nil` if a brace is not closed, or tiles or pixels are not identified.
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
                let value = values[key].flatMap { $0.isEmpty ? nil : $0 } ?? "default"
                if ["layer", "style", "tilematrixset", "format", "infoformat"].contains(key) {
                    text += PercentEncoding.pathPart(value)
                } else {
                    dimensions.append(name)
                    add(.dimension(key, value: value), to: &parts)
                }
            }
        }
        text += PercentEncoding.repaired(String(rest), isStart: text.isEmpty && parts.isEmpty)
        if !text.isEmpty { parts.append(.text(text)) }
        guard parts.contains(.matrix), parts.contains(.column), parts.contains(.row) else { return nil }
        guard !isQuestion || (parts.contains(.pixelColumn) && parts.contains(.pixelRow)) else { return nil }
        // The host must depend neither on the tile nor on a dimension.
        guard case .text(let head)? = parts.first, let start = head.firstRange(of: "://")?.upperBound,
            head[start...].contains("/"), ServiceURL(head).isOnWeb
        else { return nil }
    }

    /// Returns the template with other values of dimensions, by lowercase name.
    func choosing(_ values: [String: String]) -> WMTSTemplate {
        var template = self
        template.parts = parts.map { part in
            guard case .dimension(let name, _) = part, let value = values[name] else { return part }
            return .dimension(name, value: value)
        }
        return template
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
            case .dimension(_, let value): PercentEncoding.pathPart(value)
            }
        }.joined()
    }
}

/// The template of feature info requests for a tile service, without tile, pixel and format.
package struct WMTSFeatureInfoTemplate: Hashable, Sendable {
    enum Address: Hashable, Sendable {
        case service(String)
        /// One template per format.
        case templates([WMTSTemplate])
    }

    /// The template of tile requests.
    package private(set) var tiles: WMTSTileRequest
    /// The offered response formats.
    package let formats: [WMSCapabilities.Format]
    private var address: Address

    init(tiles: WMTSTileRequest, formats: [WMSCapabilities.Format], _ address: Address) {
        self.tiles = tiles
        self.formats = formats
        self.address = address
    }

    /// Returns the template with other values of dimensions, by lowercase name.
    package func choosing(_ values: [String: String]) -> WMTSFeatureInfoTemplate {
        var template = self
        template.tiles = tiles.choosing(values)
        if case .templates(let templates) = address {
            template.address = .templates(templates.map { $0.choosing(values) })
        }
        return template
    }

    /// Returns the feature info URL for a pixel of a tile, or `nil` if the grid does not have the tile, or a RESTful
    /// service does not offer the format.
    ///
    /// It follows OGC 07-057r7 tables 31 and 34.
    ///
    /// - Parameters:
    ///   - column: the column of the pixel in the tile, from 0 at the left.
    ///   - row: the row of the pixel in the tile, from 0 at the top.
    package func url(for tile: TileIndex, column: Int, row: Int, infoFormat: WMSCapabilities.Format) -> String? {
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
