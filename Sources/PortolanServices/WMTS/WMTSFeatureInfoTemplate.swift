public import PortolanGeo
import PortolanWeb

/// All that the questions about a tile service's features share; only the tile, its pixel and the format are missing.
public struct WMTSFeatureInfoTemplate: Hashable, Sendable {
    enum Address: Hashable, Sendable {
        case service(String)
        /// One for each format.
        case templates([WMTSTemplate])
    }

    /// The requests for the tiles that are asked about.
    public let tiles: WMTSTileRequest
    /// The formats of answers that the service offers.
    public let formats: [WMSFormat]
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
    public func url(for tile: TileIndex, column: Int, row: Int, infoFormat: WMSFormat) -> String? {
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
