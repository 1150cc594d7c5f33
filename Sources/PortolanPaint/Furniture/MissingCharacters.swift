import PortolanPlan
import PortolanText
import PortolanWeb

/// Characters without a glyph in any font or in the glyph ranges of a style, by the element that contains them.
///
/// In a build without the trait `Text`, these are all characters.
struct MissingCharacters {
    /// The number of characters listed in a warning.
    private static let limit = 10

    /// The owner of a text.
    enum Owner: Hashable {
        /// The labels of a layer.
        case layer(String)
        /// An element beside the map, by its name in a sentence.
        case furniture(String)
    }

    /// Whether text is omitted because this build cannot set any.
    var isTextLeftOut = false
    private var owners: [Owner] = []
    private var scalars: [Owner: Set<Unicode.Scalar>] = [:]
    /// The owners with glyph ranges.
    private var ownersWithGlyphs: Set<Owner> = []

    /// Records characters.
    ///
    /// Owners are kept in the order of their first missing character.
    ///
    /// - Parameter beyondGlyphs: whether the glyph ranges of a style lack them as well.
    mutating func add(_ missing: [Unicode.Scalar], of owner: Owner, beyondGlyphs: Bool = false) {
        guard !missing.isEmpty else { return }
        if beyondGlyphs { ownersWithGlyphs.insert(owner) }
        if scalars[owner] == nil { owners.append(owner) }
        scalars[owner, default: []].formUnion(missing)
    }

    /// Returns a warning for each owner, or a single one if all text is omitted.
    var warnings: [MapWarning] {
        guard !isTextLeftOut else {
            return [
                MapWarning(
                    .notBuiltIn, effect: .omitted,
                    message: "labels and other texts left out: \(TextError.notBuiltIn)")
            ]
        }
        return owners.map { owner in
            let missing = (scalars[owner] ?? []).sorted()
            let names = missing.prefix(Self.limit).map(Self.name).joined(separator: ", ")
            let rest = missing.count > Self.limit ? " and \(missing.count - Self.limit) more" : ""
            // Without any font there are no boxes.
            let (source, effect) =
                ownersWithGlyphs.contains(owner)
                ? ("neither a font nor the glyphs of the style have", "drawn as boxes or left out")
                : ("no font has", "drawn as boxes")
            let message = "\(source) \(names)\(rest); \(effect); add a font with these characters"
            return switch owner {
            case .layer(let name): MapWarning(.missingCharacter, layer: name, message: message)
            case .furniture(let name): MapWarning(.missingCharacter, message: "\(name): \(message)")
            }
        }
    }

    /// A character, if it can be displayed alone, and its code.
    private static func name(_ scalar: Unicode.Scalar) -> String {
        let digits = String(scalar.value, radix: 16, uppercase: true)
        let number = "U+" + String(repeating: "0", count: max(0, 4 - digits.count)) + digits
        switch scalar.properties.generalCategory {
        case .control, .format, .surrogate, .privateUse, .unassigned, .lineSeparator, .paragraphSeparator,
            .spaceSeparator, .nonspacingMark, .enclosingMark, .spacingMark:
            return number
        default: return "\(scalar) (\(number))"
        }
    }
}
