import Foundation

/// Estimates the distance of a beacon from its signal strength.
public enum BeaconDistance {
    /// The valid range of received signal strengths in dBm.
    ///
    /// Other values, such as 127 and 0, mean "unknown".
    public static let strengths: ClosedRange<Int> = -120 ... -1

    /// Returns the distance in metres, between 0.01 and 1,000, for free-space loss (20 dB per factor of ten).
    ///
    /// - Parameters:
    ///   - power: the signal strength at one metre, in dBm.
    ///   - strength: the received signal strength, in dBm.
    public static func meters(power: Double, strength: Double) -> Double {
        let loss = min(max((power - strength) / 20, -2), 3)
        return loss.isFinite ? pow(10, loss) : 1000
    }

    /// Returns the mean of signal strengths.
    ///
    /// With five or more values the lowest and highest are dropped, because bodies and walls cause outliers.
    ///
    /// - Complexity: O(*n* log *n*).
    public static func smoothed(_ strengths: [Int]) -> Double? {
        guard !strengths.isEmpty else { return nil }
        let kept = strengths.count < 5 ? strengths[...] : strengths.sorted().dropFirst().dropLast()
        return Double(kept.reduce(0, +)) / Double(kept.count)
    }
}

extension BeaconDistance {
    /// The proximity of a beacon, with the names used by Apple's ranging.
    public enum Proximity: String, Hashable, Sendable, CaseIterable {
        /// At most 0.5 metres.
        case immediate
        /// At most four metres.
        case near
        /// More than four metres.
        case far

        /// Creates the proximity for a distance in metres.
        public init(meters: Double) { self = meters <= 0.5 ? .immediate : meters <= 4 ? .near : .far }
    }
}
