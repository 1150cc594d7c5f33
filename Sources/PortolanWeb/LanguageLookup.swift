/// Which of some languages is nearest to those that a reader likes (BCP 47; the lookup of RFC 4647, section 3.4).
package enum LanguageLookup {
    /// The first there is of the tags that a reader likes, the best first: the tag itself, each shorter form of it, then another variety of
    /// its language; `nil` where there is none.
    ///
    /// Small and large letters are the same, as are `-` and `_`: `fi_FI` is `fi-FI`.
    package static func tag(for liked: [String], among tags: some Collection<String>) -> String? {
        let known = tags.sorted().map { (tag: $0, parts: parts($0)) }
        for wanted in liked.map(parts) where !wanted.isEmpty {
            for count in (1...wanted.count).reversed() {
                if let found = known.first(where: { $0.parts == wanted.prefix(count) }) { return found.tag }
            }
            if let found = known.first(where: { $0.parts.first == wanted[0] }) { return found.tag }
        }
        return nil
    }

    /// The first of some things whose language is one that a reader likes.
    package static func first<Thing>(for liked: [String], among things: [Thing], code: (Thing) -> String) -> Thing? {
        tag(for: liked, among: things.map(code)).flatMap { tag in things.first { code($0) == tag } }
    }

    private static func parts(_ tag: String) -> ArraySlice<Substring> {
        tag.lowercased().split { $0 == "-" || $0 == "_" }[...]
    }
}
