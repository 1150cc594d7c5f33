import Portolan
import Testing

/// Tiles fetched one by one and put side by side, without planner, renderer or canvas.
struct DirectTiles {
    /// The address of the tile in a column and row.
    let url: (_ column: Int, _ row: Int) -> String
    /// Whether rows are counted from the top.
    let isFromTop: Bool

    func picture(columns: ClosedRange<Int>, rows: ClosedRange<Int>) async throws -> PixelBuffer {
        let size = try #require(ImageSize(width: 256 * columns.count, height: 256 * rows.count))
        var whole = PixelBuffer(size: size)
        for column in columns {
            for row in rows {
                let tile = try await PixelBuffer(at: url(column, row))
                try #require(tile.size == ImageSize(width: 256, height: 256))
                let y = isFromTop ? row - rows.lowerBound : rows.upperBound - row
                whole.put(tile, x: 256 * (column - columns.lowerBound), y: 256 * y)
            }
        }
        return whole
    }

    /// The XYZ tiles of one of MapProxy's layers at a level; columns go round the world.
    static func xyz(_ servers: MapServers, layer: String, type: String = "png", level: Int) -> DirectTiles {
        DirectTiles(
            url: { column, row in
                let count = 1 << level, wrapped = ((column % count) + count) % count
                return "\(servers.mapProxy)tiles/\(layer)/webmercator/\(level)/\(wrapped)/\(row).\(type)"
            }, isFromTop: true)
    }

    /// The WMS-C tiles of `political` in EPSG:25830 at a resolution, counted from below.
    static func utm(_ servers: MapServers, resolution: Int) -> DirectTiles {
        DirectTiles(
            url: { column, row in
                let side = 256 * resolution, x = -100_000 + column * side, y = 3_900_000 + row * side
                return servers.mapProxyService + "SERVICE=WMS&VERSION=1.1.1&REQUEST=GetMap&LAYERS=political&STYLES="
                    + "&SRS=EPSG:25830&BBOX=\(x),\(y),\(x + side),\(y + side)&WIDTH=256&HEIGHT=256&FORMAT=image/png"
                    + "&TRANSPARENT=TRUE&TILED=true"
            }, isFromTop: false)
    }
}
