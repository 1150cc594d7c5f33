import PortolanFeatures
import PortolanRaster
import PortolanStyles
import PortolanWeb
import Synchronization

/// A cache of recently parsed sprite indexes, so that the same bytes are parsed once.
///
/// It holds at most eight, and 2 MiB of their documents. An index takes a few times the size of its document.
final class SpriteCache: Sendable {
    private static let maximumCount = 8
    private static let byteLimit = 2 << 20

    /// The parsed indexes, the oldest first.
    private let known = Mutex<[(bytes: [UInt8], index: SpriteIndex, number: Int)]>([])
    /// The recent images, the oldest first.
    private let images = Mutex<[(image: PixelBuffer, number: Int)]>([])
    /// The recently resolved addresses, the oldest first.
    private let addresses = Mutex<[(text: String, base: BaseURL?, address: NamedURL?)]>([])
    private static let lastNumber = Atomic<Int>(0)

    /// Returns the absolute URL of a sprite, or `nil` if it is invalid, or the style may not refer to it.
    func address(of text: String, relativeTo base: BaseURL?) -> NamedURL? {
        addresses.withLock { addresses in
            if let known = addresses.first(where: { $0.text == text && $0.base == base }) { return known.address }
            let address = IconMarker.Source(text).flatMap { IconAddress.url(of: $0, relativeTo: base) }
            addresses = addresses.suffix(Self.maximumCount - 1) + [(text, base, address)]
            return address
        }
    }

    private func nextNumber() -> Int { Self.lastNumber.add(1, ordering: .relaxed).newValue }

    /// Returns a number that identifies the content of an image.
    ///
    /// A changed sprite gets another number.
    ///
    /// - Complexity: O(1) for a recent image, otherwise O(pixels).
    func number(of image: PixelBuffer) -> Int {
        images.withLock { images in
            if let known = images.first(where: { $0.image == image }) { return known.number }
            let number = nextNumber()
            images = images.suffix(Self.maximumCount - 1) + [(image, number)]
            return number
        }
    }

    /// Returns the index in a document, and a number that identifies the content of the document.
    ///
    /// - Throws: ``/PortolanStyles/SpriteError`` if the document is invalid. Failures are not cached.
    /// - Complexity: O(bytes).
    func index(of bytes: [UInt8]) throws(SpriteError) -> (index: SpriteIndex, number: Int) {
        if let known = known.withLock({ known in known.first { $0.bytes == bytes } }) {
            return (known.index, known.number)
        }
        let index = try SpriteIndex(bytes: bytes), number = nextNumber()
        guard bytes.count <= Self.byteLimit else { return (index, number) }
        known.withLock { known in
            known.append((bytes, index, number))
            while known.count > Self.maximumCount || known.reduce(0, { $0 + $1.bytes.count }) > Self.byteLimit {
                known.removeFirst()
            }
        }
        return (index, number)
    }
}
