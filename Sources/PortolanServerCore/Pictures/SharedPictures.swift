import Portolan
import PortolanFetch

#if canImport(FoundationEssentials)
import FoundationEssentials
#else
import Foundation
#endif

/// The pictures that all workers of a server share: what one has drawn the others need not draw.
///
/// They lie in the store that the workers share for the answers of services, under ``PictureRequest/identity``, which each worker
/// finds alike. A store that does not work costs drawing, never a picture.
struct SharedPictures: Sendable {
    private let store: any ResponseStore

    init(_ store: any ResponseStore) { self.store = store }

    /// Whether a picture is for others: not if servers are asked for parts of it, or files are not what they were when the map
    /// was opened, and no words alone.
    func isFor(_ request: PictureRequest) -> Bool {
        if case .notice = request.subject { return false }
        return !request.map.isChanging && request.map.isExact && request.map.files.holds(at: 0)
    }

    /// The picture, if a worker has drawn it.
    func picture(_ request: PictureRequest, _ identity: EntityTag) async -> ServedPicture? {
        guard let entry = try? await store.entry(for: Self.key(identity)), entry.status == 200, !entry.body.isEmpty
        else { return nil }
        return ServedPicture(
            bytes: entry.body, format: request.format, tag: identity, hasHoles: false,
            validity: request.map.files)
    }

    /// The right to draw it while other workers wait; given when another worker has ended, too.
    func lease(_ identity: EntityTag) async -> StoreLease? { await store.lease(for: Self.key(identity)) }

    /// Gives a picture to all.
    ///
    /// - Returns: whether they have it.
    func keep(_ picture: ServedPicture, _ identity: EntityTag) async -> Bool {
        let entry = StoredResponse(
            status: 200, headers: [HTTPHeader(name: "Content-Type", value: picture.format.mediaType)],
            body: picture.bytes, responseTime: Int(Date().timeIntervalSince1970))
        // The store tells its troubles itself.
        return (try? await store.put(entry, for: Self.key(identity), place: StorePlace(url: ""))) != nil
    }

    private static func key(_ identity: EntityTag) -> StoreKey {
        StoreKey(bytes: SHA256.hash(Array("picture\n\(identity.text)".utf8)))
    }
}
