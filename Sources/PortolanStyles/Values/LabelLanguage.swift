package import PortolanFeatures

/// The language of labels: a tag such as `es`, `zh-Hant` or `pt-BR` (BCP 47), or `mul` for local names.
///
/// ```swift
/// let sheet = try StyleSheet(bytes: document, options: StyleSheet.Options(language: LabelLanguage("es")))
/// ```
///
/// A text that reads names reads those of the language: the property `name:es`, `name_es` or `NAME_ES`, then those of
/// shorter tags.
/// A feature without such a name has the label that the style gives it, except that a name in a third language is
/// replaced by the local one.
public struct LabelLanguage: Hashable, Sendable, CustomStringConvertible {
    /// The tag in its usual case, as `zh-Hant-TW`.
    public let tag: String

    /// The properties with names in the language, the best first.
    package let propertyNames: [String]

    /// Creates a language, or returns `nil` for a text that is not a language tag.
    ///
    /// Case is ignored, and `_` is equivalent to `-`.
    public init?(_ text: String) {
        let parts = text.split(omittingEmptySubsequences: false) { $0 == "-" || $0 == "_" }
        guard let first = parts.first, (2...3).contains(first.utf8.count), first.allSatisfy(Self.isLetter),
            parts.count <= 5,
            parts.dropFirst().allSatisfy({ part in
                (1...8).contains(part.utf8.count) && part.allSatisfy { Self.isLetter($0) || $0.isWholeNumber }
            })
        else { return nil }
        let usual = parts.enumerated().map { index, part in
            switch (index, part.count) {
            case (1..., 4) where part.allSatisfy(Self.isLetter):
                part.prefix(1).uppercased() + part.dropFirst().lowercased()
            case (1..., 2): part.uppercased()
            default: part.lowercased()
            }
        }
        tag = usual.joined(separator: "-")
        guard tag != "mul" else {
            propertyNames = ["name", "NAME"]
            return
        }
        propertyNames = (1...usual.count).reversed().flatMap { count in
            let tag = usual.prefix(count).joined(separator: "-")
            return ["name:\(tag)", "name_\(tag)", "NAME_\(tag.uppercased())"]
        }
    }

    /// The tag.
    public var description: String { tag }

    private static func isLetter(_ character: Character) -> Bool { character.isASCII && character.isLetter }

    /// The property with the name of a feature in the language, or `nil` if it has none.
    package func property(among properties: Properties) -> String? {
        propertyNames.first { properties[$0]?.stringValue?.isEmpty == false }
    }

    /// Returns whether a property contains names, in any language.
    package func localizes(_ property: String) -> Bool {
        switch Self.role(of: property) {
        case .name, .translation: true
        case .companion, nil: false
        }
    }

    /// The uses of name properties in a text.
    enum Role {
        /// A name for all readers, as `name` or `name:latin`.
        case name
        /// A name in one language, as `name:en`.
        case translation
        /// A property that accompanies the name, as its other script `name:nonlatin`.
        case companion
    }

    /// The use of a property, or `nil` if it has nothing to do with names.
    static func role(of property: String) -> Role? {
        if names.contains(property) { return .name }
        if companions.contains(property) { return .companion }
        // Other properties have names that begin alike, as `name:etymology` and `name_alt`.
        let longest = property.hasPrefix("name:") ? 3 : ["name_", "NAME_"].contains { property.hasPrefix($0) } ? 2 : 0
        let tag = property.dropFirst(5), language = tag.prefix { $0 != "-" && $0 != "_" }
        guard language.utf8.count <= longest, LabelLanguage(String(tag)) != nil else { return nil }
        return .translation
    }

    private static let names: Set<String> = ["name", "NAME", "name:latin", "name_int", "int_name"]

    /// The second script of OpenMapTiles; the further languages and scripts of Protomaps.
    private static let companions: Set<String> = [
        "name:nonlatin", "name2", "name3", "pgf:name", "pgf:name2", "pgf:name3", "script", "script2", "script3",
    ]
}
