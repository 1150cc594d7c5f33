import Foundation

/// How far a beacon is, guessed from the strength of its signal.
public enum BeaconDistance {
    /// Strengths that a radio can have received, in dBm; others, such as 127 and 0, stand for "not known".
    public static let strengths: ClosedRange<Int> = -120 ... -1

    /// The distance in metres, between 0.01 and 1,000: ten to the power of the loss by 20 dB, as in open space.
    ///
    /// - Parameters:
    ///   - power: the strength one metre away, in dBm.
    ///   - strength: the strength received, in dBm.
    public static func meters(power: Double, strength: Double) -> Double {
        let loss = min(max((power - strength) / 20, -2), 3)
        return loss.isFinite ? pow(10, loss) : 1000
    }

    /// The mean of strengths; of five and more without the lowest and the highest, as bodies and walls make outliers.
    ///
    /// - Complexity: O(*n* log *n*).
    public static func smoothed(_ strengths: [Int]) -> Double? {
        guard !strengths.isEmpty else { return nil }
        let kept = strengths.count < 5 ? strengths[...] : strengths.sorted().dropFirst().dropLast()
        return Double(kept.reduce(0, +)) / Double(kept.count)
    }
}

/// How near a beacon is, in the words of Apple's ranging.
public enum BeaconProximity: String, Hashable, Sendable, CaseIterable {
    /// Within half a metre.
    case immediate
    /// Within four metres.
    case near
    /// Farther.
    case far

    /// The proximity of a distance in metres.
    public init(meters: Double) { self = meters <= 0.5 ? .immediate : meters <= 4 ? .near : .far }
}
