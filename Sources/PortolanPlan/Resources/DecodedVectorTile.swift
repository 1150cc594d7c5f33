package import PortolanRaster
package import PortolanVectorTiles
import Synchronization

/// A decoded vector tile, shared by all layers that draw it.
package final class DecodedVectorTile: Sendable {
    /// The layers.
    package let tile: VectorTile
    /// The encoding in which it arrived.
    package let encoding: VectorTileEncoding
    /// The layers and attributes that were decoded.
    package let selection: VectorTileSelection
    /// A unique number.
    let number: UInt64
    /// The approximate number of bytes.
    package let byteCount: Int
    private let charge: MemoryCharge?

    private static let lastNumber = Atomic<UInt64>(0)

    package init(_ tile: VectorTile, _ reading: Resource.VectorTileReading, charge: MemoryCharge? = nil) {
        self.tile = tile
        encoding = reading.encoding
        selection = reading.selection
        byteCount = charge?.byteCount ?? tile.byteCount
        self.charge = charge
        number = Self.lastNumber.add(1, ordering: .relaxed).newValue
    }
}
