import Synchronization

/// Hashes of the documents that were read to make something, which is the same again if they are.
package final class DocumentReadings: Sendable {
    private let digests = Mutex<[String: [UInt8]]>([:])

    /// Makes an empty record.
    package init() {}

    /// Notes a document.
    ///
    /// - Complexity: O(bytes).
    package func note(_ bytes: [UInt8], at url: String) {
        let digest = SHA256.hash(bytes)
        digests.withLock { $0[url] = digest }
    }

    /// The SHA-256 of each document, by its URL.
    package var hashes: [String: [UInt8]] { digests.withLock(\.self) }
}
