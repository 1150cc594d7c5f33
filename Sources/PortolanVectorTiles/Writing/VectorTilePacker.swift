import PortolanZip

/// Compresses tiles by gzip, one after the other.
///
/// For one thread at a time.
package final class VectorTilePacker {
    private let packer: GzipPacker
    private var last: (bytes: [UInt8], packed: [UInt8])?

    /// Creates a packer.
    ///
    /// - Throws: ``VectorTileError`` if there is no memory.
    package init() throws(VectorTileError) {
        do throws(ZipError) { packer = try GzipPacker(level: 7) } catch {
            throw VectorTileError(.limitExceeded, offset: 0, error.detail)
        }
    }

    /// Returns a tile as a gzip stream; equal tiles give equal streams.
    package func pack(_ tile: [UInt8]) throws(VectorTileError) -> [UInt8] {
        // Neighbours within a large area are often equal.
        if let last, last.bytes == tile { return last.packed }
        do throws(ZipError) {
            let packed = try packer.pack(tile)
            last = (tile, packed)
            return packed
        } catch { throw VectorTileError(.limitExceeded, offset: 0, error.detail) }
    }
}
