package import PortolanRaster
package import PortolanVectorTiles
import Synchronization

/// A vector tile as it arrived, shared by all that draw it.
package final class DecodedVectorTile: Sendable {
    /// The layers.
    package let tile: VectorTile
    /// The encoding in which it arrived.
    package let encoding: VectorTileEncoding
    /// What was decoded of it.
    package let selection: VectorTileSelection
    /// A number that no other tile has.
    let number: UInt64
    /// About how many bytes it takes.
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
