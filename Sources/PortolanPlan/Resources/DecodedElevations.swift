package import PortolanRaster
import Synchronization

/// The elevations of a tile, shared by all layers that draw them.
package final class DecodedElevations: Sendable {
    /// The elevations in metres.
    package let values: RasterValues
    /// The encoding in which they arrived.
    package let reading: Resource.ElevationReading
    /// A unique number.
    let number: UInt64
    private let charge: MemoryCharge?

    private static let lastNumber = Atomic<UInt64>(0)

    package init(_ values: RasterValues, _ reading: Resource.ElevationReading, charge: MemoryCharge? = nil) {
        self.values = values
        self.reading = reading
        self.charge = charge
        number = Self.lastNumber.add(1, ordering: .relaxed).newValue
    }
}
