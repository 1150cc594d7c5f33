public import PortolanGeo
import PortolanWeb

/// Asks a tile service for the tiles of a layer.
public struct WMTSTileRequest: Hashable, Sendable {
    /// A dimension's name and value.
    public typealias Dimension = GetMapRequest.Parameter

    /// The grid of the tiles, within the layer's limits.
    public let grid: TileGrid
    /// Where the layer has tiles, in units of the grid's system, or `nil` for all of the grid.
    public let extent: Extent?
    /// The identifier of the layer.
    public let layer: String
    /// The identifier of the style; may be empty.
    public let style: String
    /// The media type of the tiles, as the service writes it; it need not be that of the bodies that come.
    public let format: String
    /// The identifier of the matrix set.
    public let matrixSet: String
    /// The dimensions, in the order of the document.
    public let dimensions: [Dimension]
    /// What a person should know of the choice.
    public let warnings: [String]
    private let address: Address

    enum Address: Hashable, Sendable {
        case service(String)
        case template(WMTSTemplate)
    }

    init(
        grid: TileGrid, extent: Extent?, layer: String, style: String, format: String, matrixSet: String,
        dimensions: [Dimension], address: Address, warnings: [String]
    ) {
        self.grid = grid
        self.extent = extent
        self.layer = layer
        self.style = style
        self.format = format
        self.matrixSet = matrixSet
        self.dimensions = dimensions
        self.address = address
        self.warnings = warnings.map { ReadableText.line($0, limit: 500) }
    }

    /// How tiles are asked for.
    public var encoding: WMTSChoice.Encoding { if case .template = address { .path } else { .parameters } }

    /// The address of a tile of ``grid``, or `nil` when the grid has no such tile.
    ///
    /// A tile has one address: parameters go in the order of OGC 07-057r7 table 29, dimensions in that of the document.
    public func url(for tile: TileIndex) -> String? {
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
