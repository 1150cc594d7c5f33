import PortolanPlan
import PortolanText
import PortolanWeb

/// Characters that were to be drawn and that no font has, by what they were to be drawn for; all of them in a program without
/// the trait `Text`.
struct MissingCharacters {
    /// How many characters a warning names.
    private static let limit = 10

    /// What text belongs to.
    enum Owner: Hashable {
        /// The labels of a layer.
        case layer(String)
        /// A part of the furniture, by its name in a sentence.
        case furniture(String)
    }

    /// Whether text is left out since this program cannot set any.
    var isTextLeftOut = false
    private var owners: [Owner] = []
    private var scalars: [Owner: Set<Unicode.Scalar>] = [:]

    /// Notes characters; the owners come in the order in which they first lacked one.
    mutating func add(_ missing: [Unicode.Scalar], of owner: Owner) {
        guard !missing.isEmpty else { return }
        if scalars[owner] == nil { owners.append(owner) }
        scalars[owner, default: []].formUnion(missing)
    }

    /// A warning for each owner, or one for all text.
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
            let message = "no font has \(names)\(rest); drawn as boxes; add a font with these characters"
            return switch owner {
            case .layer(let name): MapWarning(.missingCharacter, layer: name, message: message)
            case .furniture(let name): MapWarning(.missingCharacter, message: "\(name): \(message)")
            }
        }
    }

    /// A character, where it can be shown alone, and its number.
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
