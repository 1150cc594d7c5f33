import Synchronization

/// A record of document hashes, by which results derived from equal documents can be identified.
package final class DocumentReadings: Sendable {
    private let digests = Mutex<[String: [UInt8]]>([:])

    /// Creates an empty record.
    package init() {}

    /// Adds a document.
    ///
    /// - Complexity: O(bytes).
    package func note(_ bytes: [UInt8], at url: String) {
        let digest = SHA256.hash(bytes)
        digests.withLock { $0[url] = digest }
    }

    /// The SHA-256 hash of each document, by URL.
    package var hashes: [String: [UInt8]] { digests.withLock(\.self) }
}
