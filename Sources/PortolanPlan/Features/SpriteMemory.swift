import PortolanStyles
import Synchronization

/// The indexes of sprites that were read last, kept from picture to picture: the same bytes are read once.
///
/// It holds at most eight, and of their documents 2 MiB; an index takes a few times as much as its document.
final class SpriteMemory: Sendable {
    private static let maximumCount = 8
    private static let byteLimit = 2 << 20

    /// What was read, the oldest first.
    private let known = Mutex<[(bytes: [UInt8], index: SpriteIndex)]>([])

    /// The index that a document holds.
    ///
    /// - Throws: ``/PortolanStyles/SpriteError`` when it is none; that is found anew each time.
    /// - Complexity: O(bytes).
    func index(of bytes: [UInt8]) throws(SpriteError) -> SpriteIndex {
        if let known = known.withLock({ known in known.first { $0.bytes == bytes }?.index }) { return known }
        let index = try SpriteIndex(bytes: bytes)
        guard bytes.count <= Self.byteLimit else { return index }
        known.withLock { known in
            known.append((bytes, index))
            while known.count > Self.maximumCount || known.reduce(0, { $0 + $1.bytes.count }) > Self.byteLimit {
                known.removeFirst()
            }
        }
        return index
    }
}
