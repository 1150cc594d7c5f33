/// The lookup of the best available language for a list of preferred ones (BCP 47; RFC 4647, section 3.4).
package enum LanguageLookup {
    /// Returns the best match for the preferred tags, in order: the tag itself, its shorter forms, then another variant
    /// of its language.
    ///
    /// Returns `nil` without a match. Case is ignored, and `_` is equivalent to `-`: `fi_FI` is `fi-FI`.
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

    /// Returns the first value whose language matches the preferred ones.
    package static func first<Thing>(for liked: [String], among things: [Thing], code: (Thing) -> String) -> Thing? {
        tag(for: liked, among: things.map(code)).flatMap { tag in things.first { code($0) == tag } }
    }

    private static func parts(_ tag: String) -> ArraySlice<Substring> {
        tag.lowercased().split { $0 == "-" || $0 == "_" }[...]
    }
}
