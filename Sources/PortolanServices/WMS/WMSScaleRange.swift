/// The scales that a layer is drawn at: denominators for pixels of 0.28 mm (OGC 06-042 7.2.4.6.9).
public struct WMSScaleRange: Hashable, Sendable, CustomStringConvertible {
    /// The least denominator, or `nil` for no limit.
    public var minimum: Double?
    /// The denominator from which on it is not drawn, or `nil` for no limit.
    public var maximum: Double?

    /// Makes a range.
    public init(minimum: Double? = nil, maximum: Double? = nil) {
        self.minimum = minimum
        self.maximum = maximum
    }

    /// How far servers are off when they count dots of 72 or 96 to the inch in place of 0.28 mm.
    private static let tolerance = 1.3

    /// Whether a server may draw the layer at a denominator.
    ///
    /// The limits are taken a third wider than they are written: what is asked for in vain comes back empty, while what is
    /// not asked for by mistake would be missing.
    package func mayDraw(at denominator: Double) -> Bool {
        if let minimum, denominator * Self.tolerance < minimum { return false }
        if let maximum, denominator >= maximum * Self.tolerance { return false }
        return true
    }

    /// The range in words, as `from 1:5000 to 1:100000`.
    public var description: String {
        func scale(_ word: String, _ denominator: Double?) -> String? {
            denominator.map { "\(word) 1:\(NumberText.decimal($0.rounded()))" }
        }
        let words = [scale("from", minimum), scale("to", maximum)].compactMap(\.self)
        return words.isEmpty ? "at all scales" : words.joined(separator: " ")
    }
}
