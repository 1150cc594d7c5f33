import PortolanFetch

/// Keys of maps: what a client with a key, or without one, may use.
extension MapBook {
    /// Returns the name of the holder of a key of any map, or `nil` for an unknown key.
    package func holder(of key: MapKey) -> String? {
        // Looks at all maps, so that the time does not depend on the match.
        maps.reduce(nil) { found, map in map.keys?.holder(ofDigest: key.digest) ?? found }
    }

    /// Returns the book as the client with a key sees it: maps without keys, and those of the key.
    ///
    /// Requests for other maps fail with 401, or with 403 if the key is that of another map.
    ///
    /// - Parameter key: the key of the client, or `nil` if it sent none.
    package func opened(by key: MapKey?) -> MapBook {
        guard hasKeys else { return self }
        let isKnown = key.flatMap(holder) != nil
        var open: [PublishedMap] = [], refusals: [String: Problem] = [:]
        for map in maps {
            guard let keys = map.keys, key.flatMap({ keys.holder(ofDigest: $0.digest) }) == nil else {
                open.append(map)
                continue
            }
            refusals[map.name] =
                isKnown
                ? Problem(.forbidden, "the key does not open the map '\(map.name)'", key: "key")
                : Problem(
                    .unauthenticated,
                    key == nil
                        ? "the map '\(map.name)' needs a key: Authorization: Bearer KEY, or ?key=KEY"
                        : "unknown key for the map '\(map.name)'", key: "key")
        }
        return keeping(open, refusals: refusals)
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
