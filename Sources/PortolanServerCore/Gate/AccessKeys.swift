import PortolanFetch

/// Named keys that permit changes, or access to a map.
///
/// Clients send them as bearer tokens (RFC 6750, section 2.1). Keys of maps are also accepted in the address.
package struct AccessKeys: Hashable, Sendable {
    private struct Holder: Hashable {
        let name: String
        /// The hash of the key, so that the time of a comparison reveals nothing about the key.
        let digest: [UInt8]
    }

    private let holders: [Holder]

    /// Creates keys from names and secrets, or returns `nil` if a secret has fewer than 16 bytes or occurs twice.
    package init?(_ keys: [(name: String, key: String)]) {
        guard keys.allSatisfy({ $0.key.utf8.count >= 16 && !$0.name.isEmpty }), Set(keys.map(\.key)).count == keys.count
        else { return nil }
        holders = keys.map { Holder(name: $0.name, digest: SHA256.hash(Array($0.key.utf8))) }
    }

    /// Returns the name of the holder of a key, or `nil` for an unknown key.
    ///
    /// Compares all digests completely, so that the time does not depend on the match.
    package func holder(ofDigest digest: [UInt8]) -> String? {
        var found: String?
        for holder in holders {
            let difference = zip(holder.digest, digest).reduce(UInt8(0)) { $0 | ($1.0 ^ $1.1) }
            if difference == 0 { found = holder.name }
        }
        return found
    }

    /// Returns the name of the key holder that sent a request.
    ///
    /// - Throws: ``Problem`` of the kind `unauthenticated`.
    package func holder(of request: ServerRequest) throws(Problem) -> String {
        guard request[header: "Authorization"] != nil else {
            throw Problem(.unauthenticated, "a key is required: Authorization: Bearer KEY", key: "Authorization")
        }
        guard let token = request.bearerToken else {
            throw Problem(.unauthenticated, "'Authorization' has no bearer token", key: "Authorization")
        }
        guard let found = holder(ofDigest: SHA256.hash(Array(token.utf8))) else {
            throw Problem(.unauthenticated, "unknown key", key: "Authorization")
        }
        return found
    }
}
