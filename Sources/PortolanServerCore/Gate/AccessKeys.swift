import PortolanFetch

/// Named keys that permit changes.
///
/// Clients send them as bearer tokens (RFC 6750, section 2.1).
package struct AccessKeys: Sendable {
    /// The hashes of the keys, so that the time of a comparison reveals nothing about a key.
    private let holders: [(name: String, digest: [UInt8])]

    /// Creates keys from names and secrets, or returns `nil` if a secret has fewer than 16 bytes or occurs twice.
    package init?(_ keys: [(name: String, key: String)]) {
        guard keys.allSatisfy({ $0.key.utf8.count >= 16 && !$0.name.isEmpty }), Set(keys.map(\.key)).count == keys.count
        else { return nil }
        holders = keys.map { ($0.name, SHA256.hash(Array($0.key.utf8))) }
    }

    /// Returns the name of the key holder that sent a request.
    ///
    /// - Throws: ``Problem`` of the kind `unauthenticated`.
    package func holder(of request: ServerRequest) throws(Problem) -> String {
        guard let field = request[header: "Authorization"] else {
            throw Problem(.unauthenticated, "a key is required: Authorization: Bearer KEY", key: "Authorization")
        }
        let parts = field.split(separator: " ", maxSplits: 1)
        guard parts.count == 2, parts[0].lowercased() == "bearer" else {
            throw Problem(.unauthenticated, "'Authorization' has no bearer token", key: "Authorization")
        }
        let sent = SHA256.hash(Array(parts[1].drop { $0 == " " }.utf8))
        // Compares all digests completely, so that the time does not depend on the match.
        var found: String?
        for (name, digest) in holders {
            let difference = zip(digest, sent).reduce(UInt8(0)) { $0 | ($1.0 ^ $1.1) }
            if difference == 0 { found = name }
        }
        guard let found else { throw Problem(.unauthenticated, "unknown key", key: "Authorization") }
        return found
    }
}
