import PortolanFetch

/// Keys of maps and tiles: what a client with a key, or without one, may use.
extension MapBook {
    /// Returns the name of the holder of a key of any map, or `nil` for an unknown key.
    package func holder(of key: MapKey) -> String? {
        // Looks at all keys, so that the time does not depend on the match.
        (maps.map(\.keys) + providers.map(\.keys)).reduce(nil) { found, keys in
            keys?.holder(ofDigest: key.digest) ?? found
        }
    }

    /// Returns the book as the client with a key sees it: maps and tiles without keys, and those of the key.
    ///
    /// Requests for others fail with 401, or with 403 if the key opens something else.
    ///
    /// - Parameter key: the key of the client, or `nil` if it sent none.
    package func opened(by key: MapKey?) -> MapBook {
        guard hasKeys else { return self }
        let isKnown = key.flatMap(holder) != nil
        func isOpen(_ keys: AccessKeys?) -> Bool {
            keys.map { keys in key.flatMap { keys.holder(ofDigest: $0.digest) } != nil } ?? true
        }
        func refusal(_ kind: String, _ name: String) -> Problem {
            if isKnown { return Problem(.forbidden, "the key does not open the \(kind) '\(name)'", key: "key") }
            return Problem(
                .unauthenticated,
                key == nil
                    ? "the \(kind) '\(name)' needs a key: Authorization: Bearer KEY, or ?key=KEY"
                    : "unknown key for the \(kind) '\(name)'", key: "key")
        }
        var refusals: [String: Problem] = [:]
        for provider in providers where !isOpen(provider.keys) {
            refusals[provider.id] = refusal("source", provider.id)
        }
        for map in maps where !isOpen(map.keys) { refusals[map.name] = refusal("map", map.name) }
        return keeping(
            maps.filter { isOpen($0.keys) }, providers.filter { isOpen($0.keys) }, refusals: refusals)
    }

    /// Returns the reason why the client cannot use a map, or a layer or archive of it, or `nil` if no key is missing.
    ///
    /// - Parameter name: the name of a map, or `{map}:{part}`.
    package func refusal(of name: String) -> Problem? {
        refusals[name] ?? name.firstIndex(of: ":").flatMap { refusals[String(name[..<$0])] }
    }
}

/// The key of a map that a client sent.
package struct MapKey: Hashable, Sendable {
    /// The hash of the key.
    let digest: [UInt8]

    /// Creates a key from its text.
    package init(_ text: String) { digest = SHA256.hash(Array(text.utf8)) }
}
