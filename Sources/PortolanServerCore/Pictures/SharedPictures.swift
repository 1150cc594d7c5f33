import Portolan
import PortolanFetch

#if canImport(FoundationEssentials)
import FoundationEssentials
#else
import Foundation
#endif

/// A picture cache that all workers of a server share.
///
/// It uses the shared response store with ``PictureRequest/identity`` as the key, which is the same in each worker. If
/// the store fails, pictures are rendered again; no request fails.
struct SharedPictures: Sendable {
    private let store: any ResponseStore

    init(_ store: any ResponseStore) { self.store = store }

    /// Returns whether a picture can be shared.
    ///
    /// Excluded are pictures that depend on servers, pictures of files that changed since the map was opened, and text
    /// notices.
    func isFor(_ request: PictureRequest) -> Bool {
        if case .notice = request.subject { return false }
        return !request.map.isChanging && request.map.isExact && request.map.files.holds(at: 0)
    }

    /// Returns the picture if a worker has rendered it.
    func picture(_ request: PictureRequest, _ identity: EntityTag) async -> ServedPicture? {
        guard let entry = try? await store.entry(for: Self.key(identity)), entry.status == 200, !entry.body.isEmpty
        else { return nil }
        return ServedPicture(
            bytes: entry.body, format: request.format, tag: identity, hasHoles: false,
            validity: request.map.files)
    }

    /// Returns a lease to render the picture while other workers wait.
    ///
    /// It also becomes available when its holder ends.
    func lease(_ identity: EntityTag) async -> StoreLease? { await store.lease(for: Self.key(identity)) }

    /// Stores a picture for all workers.
    ///
    /// - Returns: whether it was stored.
    func keep(_ picture: ServedPicture, _ identity: EntityTag) async -> Bool {
        let entry = StoredResponse(
            status: 200, headers: [HTTPHeader(name: "Content-Type", value: picture.format.mediaType)],
            body: picture.bytes, responseTime: Int(Date().timeIntervalSince1970))
        // The store reports its errors itself.
        return (try? await store.put(entry, for: Self.key(identity), place: StoredResponse.Location(url: ""))) != nil
    }

    private static func key(_ identity: EntityTag) -> StoreKey {
        StoreKey(bytes: SHA256.hash(Array("picture\n\(identity.text)".utf8)))
    }
}
