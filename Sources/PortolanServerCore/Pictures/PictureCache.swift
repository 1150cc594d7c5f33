import PortolanFetch
import PortolanRaster
import Synchronization

/// A cache of recently drawn pictures, and of the tags of many more, for as long as they are current.
final class PictureCache: TrimmableCache {
    /// The number of pictures whose tags are cached, even after their bytes were evicted.
    private static let tagCount = 20_000

    private struct State {
        var pictures: LeastRecentlyUsed<EntityTag, ServedPicture>
        var tags: LeastRecentlyUsed<EntityTag, KnownTag>
    }

    /// The tag of a picture that depends on more than its request.
    private struct KnownTag: Sendable {
        let tag: EntityTag
        let validity: ContentValidity
    }

    private let state: Mutex<State>

    /// Creates an empty cache.
    init(byteBudget: Int) {
        state = Mutex(
            State(
                pictures: LeastRecentlyUsed(maximumCost: byteBudget, maximumCount: nil),
                tags: LeastRecentlyUsed(maximumCost: Self.tagCount, maximumCount: nil)))
    }

    /// The approximate memory of a tag in bytes.
    private static let tagByteCount = 300

    /// The approximate memory of the pictures and tags in bytes.
    var byteCount: Int {
        state.withLock { $0.pictures.cost + $0.tags.count * Self.tagByteCount }
    }

    /// Removes pictures, and then tags, until the cache takes at most this many bytes.
    func trim(to byteCount: Int) {
        state.withLock { state in
            let tags = state.tags.count * Self.tagByteCount
            _ = state.pictures.trim(toCost: max(byteCount - tags, 0))
            if tags > byteCount { _ = state.tags.trim(toCost: max(byteCount, 0) / Self.tagByteCount) }
        }
    }

    /// Returns the picture of a request if it is current at a time in seconds since 1970.
    func picture(_ identity: EntityTag, at now: Int) -> ServedPicture? {
        guard let picture = state.withLock({ $0.pictures.value(for: identity) }) else { return nil }
        guard picture.validity.holds(at: now) else {
            _ = state.withLock { $0.pictures.remove(identity) }
            return nil
        }
        return picture
    }

    /// Returns the tag of the current picture of a request, if it was drawn.
    func tag(_ identity: EntityTag, at now: Int) -> EntityTag? {
        guard let known = state.withLock({ $0.tags.value(for: identity) }), known.validity.holds(at: now)
        else { return nil }
        return known.tag
    }

    /// Stores a complete picture if it stays current beyond this second.
    func keep(_ picture: ServedPicture, _ identity: EntityTag, at now: Int) {
        guard picture.validity.holds(at: now) else { return }
        state.withLock { state in
            _ = state.pictures.insert(picture, for: identity, cost: picture.bytes.count + 400)
            guard picture.tag != identity else { return }
            _ = state.tags.insert(KnownTag(tag: picture.tag, validity: picture.validity), for: identity, cost: 1)
        }
    }
}
