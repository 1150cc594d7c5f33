import PortolanWeb

/// Something in a file that was mended or passed over, for a person to look at.
public struct FeatureWarning: Hashable, Sendable, CustomStringConvertible {
    /// What became of what the warning is about.
    public enum Kind: Hashable, Sendable, CaseIterable {
        /// All is there: something is odd, or was mended without doubt.
        case note
        /// What the standard does not allow was read as it must be meant.
        case repaired
        /// What could not be read was left out.
        case omitted
    }

    /// What became of it; `--strict` refuses a document of which something was repaired or omitted.
    public let kind: Kind

    /// Which feature it is about: its identifier, its name, or its number in the file; `nil` for the whole file.
    public let feature: String?

    /// The property or style key it is about, or `nil` when it is about none.
    public let key: String?

    /// Where in the file, counted in bytes from its start, or `nil` when that is not known.
    public let byteOffset: Int?

    /// What is wrong and what was done about it.
    public let message: String

    /// What the key takes, where its value is none of that and was ignored; `nil` for every other finding.
    package private(set) var expected: String?

    /// Makes a warning.
    public init(
        feature: String?, key: String? = nil, byteOffset: Int? = nil, message: String, kind: Kind = .note
    ) {
        self.kind = kind
        self.feature = feature
        self.key = key
        self.byteOffset = byteOffset
        self.message = message.inOneLine
    }

    /// Makes the warning about a value that a key does not take.
    init(feature: String?, key: String, value: String, isNot expected: String) {
        self.init(feature: feature, key: key, message: "\(value) is not \(expected); ignored")
        self.expected = expected
    }

    /// The warning in one line.
    public var description: String {
        var text = feature.map { "feature \($0): " } ?? ""
        if let key { text += "\(key): " }
        text += message
        if let byteOffset { text += " (byte \(byteOffset))" }
        // Identifiers and keys come from documents, too.
        return text.inOneLine
    }
}

/// The warnings of a document while it is read: as many as are kept, and how many more there were.
struct WarningList: Sendable {
    /// The most that are kept.
    let limit: Int
    private var kept: [FeatureWarning] = []
    /// The number of the feature that each of the kept ones is about.
    private var numbers: [Int?] = []
    private var lostCount = 0
    /// The worst kind of those that are not kept.
    private var lostKind = FeatureWarning.Kind.note

    init(limit: Int) { self.limit = limit }

    /// How many are kept.
    var count: Int { kept.count }

    mutating func append(
        _ warning: @autoclosure () -> FeatureWarning, kind: FeatureWarning.Kind, number: Int? = nil
    ) {
        guard kept.count < limit else {
            lostCount += 1
            if kind == .omitted || lostKind == .note { lostKind = kind }
            return
        }
        kept.append(warning())
        numbers.append(number)
    }

    /// How many warnings there are, to go back to.
    struct Mark {
        fileprivate let keptCount: Int, lostCount: Int, lostKind: FeatureWarning.Kind
    }

    /// What there is so far.
    var mark: Mark { Mark(keptCount: kept.count, lostCount: lostCount, lostKind: lostKind) }

    /// Forgets what has come since, as of what is read once more.
    mutating func goBack(to mark: Mark) {
        if kept.count > mark.keptCount {
            kept.removeSubrange(mark.keptCount...)
            numbers.removeSubrange(mark.keptCount...)
        }
        (lostCount, lostKind) = (mark.lostCount, mark.lostKind)
    }

    /// Adds the warnings of features that follow others, whose numbers begin behind theirs.
    mutating func append(_ more: WarningList, behind count: Int) {
        for (warning, number) in zip(more.kept, more.numbers) {
            append(
                FeatureWarning(
                    feature: number.map { "#\(count + $0)" } ?? warning.feature, key: warning.key,
                    byteOffset: warning.byteOffset, message: warning.message, kind: warning.kind),
                kind: warning.kind, number: number.map { count + $0 })
        }
        guard more.lostCount > 0 else { return }
        lostCount += more.lostCount
        if more.lostKind == .omitted || lostKind == .note { lostKind = more.lostKind }
    }

    /// The warnings, the last of which counts those that were not kept.
    var all: [FeatureWarning] {
        guard lostCount > 0 else { return kept }
        return kept + [FeatureWarning(feature: nil, message: "and \(lostCount) more warnings", kind: lostKind)]
    }
}
