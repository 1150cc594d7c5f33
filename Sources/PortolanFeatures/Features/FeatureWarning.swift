/// Something in a file that was mended or passed over, for a person to look at.
public struct FeatureWarning: Hashable, Sendable, CustomStringConvertible {
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
    public init(feature: String?, key: String? = nil, byteOffset: Int? = nil, message: String) {
        self.feature = feature
        self.key = key
        self.byteOffset = byteOffset
        self.message = message
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
        return text
    }
}
