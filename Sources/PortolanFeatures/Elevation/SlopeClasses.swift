public import PortolanRaster

/// Classes of slope along a line with their colours: blue for descents, green for level ground, yellow to dark red for
/// ascents.
public struct SlopeClasses: Hashable, Sendable {
    /// A class of slopes.
    public struct Class: Hashable, Sendable {
        /// The lowest slope of the class as a fraction, or minus infinity.
        public let lowerBound: Double
        /// The colour.
        public let color: MapColor
        /// The range in percent, as legends print it.
        public let title: String
    }

    /// The classes, the steepest descent first.
    public let classes: [Class]

    /// The classes of this package: bounds at -8, -3, 3, 6, 9 and 12 percent.
    public static let standard: SlopeClasses = {
        func color(_ rgb: UInt32) -> MapColor {
            MapColor(red: UInt8(rgb >> 16), green: UInt8(rgb >> 8 & 255), blue: UInt8(rgb & 255))
        }
        return SlopeClasses(classes: [
            Class(lowerBound: -.infinity, color: color(0x2166AC), title: "below −8 %"),
            Class(lowerBound: -0.08, color: color(0x67A9CF), title: "−8 to −3 %"),
            Class(lowerBound: -0.03, color: color(0x5AA05A), title: "−3 to 3 %"),
            Class(lowerBound: 0.03, color: color(0xF2C230), title: "3 to 6 %"),
            Class(lowerBound: 0.06, color: color(0xF08A24), title: "6 to 9 %"),
            Class(lowerBound: 0.09, color: color(0xD7301F), title: "9 to 12 %"),
            Class(lowerBound: 0.12, color: color(0x7F0000), title: "12 % and more"),
        ])
    }()

    /// The length in metres over which slopes are measured.
    ///
    /// Elevations of receivers have noise of some metres, which makes slopes over shorter lengths meaningless.
    public static let window = 100.0

    /// Returns the number of the class of a slope.
    public func number(of slope: Double) -> Int {
        classes.lastIndex { slope >= $0.lowerBound } ?? 0
    }

    /// Returns the stretches of equal class along a profile, in metres from the start.
    ///
    /// Gaps belong to no stretch.
    ///
    /// - Complexity: O(samples · log samples + length / 10 m), at most 100,000 steps.
    public func stretches(of profile: ElevationProfile) -> [(range: Range<Double>, number: Int)] {
        let smooth = profile.smoothed(over: Self.window / 2)
        let step = max(Self.window / 10, profile.length / 100_000)
        var stretches: [(range: Range<Double>, number: Int)] = []
        for run in profile.runs {
            let first = profile.samples[run.lowerBound].distance, last = profile.samples[run.upperBound - 1].distance
            guard last > first else { continue }
            let count = max(Int(((last - first) / step).rounded(.up)), 1), length = (last - first) / Double(count)
            for index in 0..<count {
                let start = first + Double(index) * length
                let end = index + 1 == count ? last : first + Double(index + 1) * length
                guard end > start, let slope = smooth.slope(at: (start + end) / 2, over: Self.window) else { continue }
                let number = number(of: slope)
                if let previous = stretches.last, previous.number == number, previous.range.upperBound == start {
                    stretches[stretches.count - 1].range = previous.range.lowerBound..<end
                } else {
                    stretches.append((start..<end, number))
                }
            }
        }
        return stretches
    }
}
