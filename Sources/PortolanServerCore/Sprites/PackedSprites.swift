package import Portolan
import PortolanCodecs
import PortolanFetch
import Synchronization

/// The sprites that were packed from folders of icons, as long as the files are unchanged.
package final class PackedSprites: Sendable {
    /// The size of the cache in bytes.
    private static let byteLimit = 32 << 20

    private struct Key: Hashable {
        let folder: String
        let isDistanceField: Bool
        let ratio: Int
    }

    private struct Sprite {
        let index: [UInt8]
        let image: [UInt8]
        let validity: ContentValidity
    }

    private let known = Mutex(LeastRecentlyUsed<Key, Sprite>(maximumCost: PackedSprites.byteLimit, maximumCount: nil))

    /// Creates an empty cache.
    package init() {}

    /// The size of the cached sprites in bytes.
    package var byteCount: Int { known.withLock(\.cost) }

    /// Returns the bytes of a part of a sprite.
    ///
    /// - Throws: ``/Portolan/SpriteFolder/Failure``.
    package func content(
        of folder: SpriteFolder, _ part: SpriteFolder.Part
    ) throws(SpriteFolder.Failure) -> [UInt8] {
        let key = Key(folder: folder.path, isDistanceField: folder.isDistanceField, ratio: part.ratio)
        if let sprite = known.withLock({ $0.value(for: key) }), sprite.validity.holds(at: 0) {
            return part.isIndex ? sprite.index : sprite.image
        }
        let packed = try folder.packed(ratio: part.ratio), image: [UInt8]
        do throws(CodecError) { image = try packed.sheet.png() } catch { throw .codec(error) }
        let sprite = Sprite(index: packed.sheet.index, image: image, validity: packed.validity)
        _ = known.withLock { $0.insert(sprite, for: key, cost: sprite.index.count + image.count + 256) }
        return part.isIndex ? sprite.index : image
    }
}
