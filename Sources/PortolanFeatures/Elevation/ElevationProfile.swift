import PortolanGeo

/// The elevations along a line, by the distance from its start.
///
/// ```swift
/// if let profile = route.features.lazy.compactMap({ ElevationProfile($0) }).first {
///     print(profile.ascent, profile.descent, profile.range)
/// }
/// ```
///
/// Points without an elevation make gaps, and so do the breaks between the parts of a line. Distances are those of
/// geodesics on WGS 84; the breaks between parts have no length.
public struct ElevationProfile: Hashable, Sendable {
    /// A point of the line.
    public struct Sample: Hashable, Sendable {
        /// The distance along the line in metres.
        public let distance: Double
        /// The altitude in metres above the ellipsoid or sea level, depending on the file.
        public let altitude: Double

        /// Creates a sample.
        public init(distance: Double, altitude: Double) {
            self.distance = distance
            self.altitude = altitude
        }
    }

    /// The threshold of a new profile: more than the noise of most receivers.
    public static let standardThreshold = 3.0

    /// The points with an altitude, from the start of the line.
    public let samples: [Sample]
    /// The ranges of samples without a gap between them.
    public let runs: [Range<Int>]
    /// The length of the line in metres, including the parts without altitudes.
    public let length: Double
    /// The change of altitude in metres from which a climb counts in ``ascent`` and ``descent``.
    public let threshold: Double
    /// The total ascent in metres, by climbs of at least ``threshold`` metres.
    ///
    /// A climb reaches from a low to the next high. Smaller changes between them are ignored as noise of the receiver.
    public let ascent: Double
    /// The total descent in metres, computed in the same way.
    public let descent: Double

    /// The lowest and the highest altitude in metres.
    public var range: ClosedRange<Double> {
        var low = samples[0].altitude, high = low
        for sample in samples {
            low = min(low, sample.altitude)
            high = max(high, sample.altitude)
        }
        return low...high
    }

    /// Creates the profile of a line in degrees, or returns `nil` if fewer than two of its points have an altitude.
    ///
    /// - Complexity: O(coordinates).
    public init?(_ feature: Feature) {
        guard let geometry = feature.geometry else { return nil }
        self.init(geometry)
    }

    /// Creates the profile of a line in degrees, or returns `nil` if fewer than two of its points have an altitude.
    ///
    /// - Complexity: O(coordinates).
    public init?(_ geometry: Geometry) {
        guard geometry.kind == .lineString || geometry.kind == .multiLineString, !geometry.altitudes.isEmpty else {
            return nil
        }
        var samples: [Sample] = [], runs: [Range<Int>] = [], start = 0, distance = 0.0
        func endRun() {
            if samples.count > start { runs.append(start..<samples.count) }
            start = samples.count
        }
        for part in geometry.parts {
            for index in part.indices {
                if index > part.startIndex {
                    distance += Geodesic.line(from: part[index - 1], to: part[index]).meters
                }
                if let altitude = geometry.altitudes[index], altitude.isFinite {
                    samples.append(Sample(distance: distance, altitude: altitude))
                } else {
                    endRun()
                }
            }
            endRun()
        }
        self.init(samples, runs: runs, length: distance)
    }

    /// Creates a profile, or returns `nil` if it has fewer than two samples.
    init?(
        _ samples: [Sample], runs: [Range<Int>], length: Double,
        threshold: Double = ElevationProfile.standardThreshold
    ) {
        guard samples.count > 1, length.isFinite else { return nil }
        self.samples = samples
        self.runs = runs
        self.length = length
        self.threshold = threshold
        (ascent, descent) = Self.climbs(samples.lazy.map(\.altitude), threshold: threshold)
    }

    /// Returns the profile with another threshold for ``ascent`` and ``descent``, in metres; a negative one counts as 0.
    ///
    /// - Complexity: O(samples).
    public func counting(climbsFrom threshold: Double) -> ElevationProfile {
        ElevationProfile(samples, runs: runs, length: length, threshold: max(threshold, 0)) ?? self
    }

    /// A high or low counts once the line has moved away from it by the threshold.
    private static func climbs(
        _ altitudes: some Sequence<Double>, threshold: Double
    ) -> (ascent: Double, descent: Double) {
        var (up, down) = (0.0, 0.0)
        // The last counted extreme, and the extremes since then.
        var turn: Double?, low = 0.0, high = 0.0
        var direction = 0
        for altitude in altitudes {
            guard turn != nil else {
                (turn, low, high) = (altitude, altitude, altitude)
                continue
            }
            low = min(low, altitude)
            high = max(high, altitude)
            if direction <= 0, altitude - low >= threshold, altitude > low {
                // The low before this climb is final.
                if direction < 0 { down += (turn ?? low) - low }
                (turn, high, direction) = (low, altitude, 1)
            } else if direction >= 0, high - altitude >= threshold, altitude < high {
                if direction > 0 { up += high - (turn ?? high) }
                (turn, low, direction) = (high, altitude, -1)
            }
        }
        if let turn {
            if direction > 0 { up += high - turn }
            if direction < 0 { down += turn - low }
        }
        return (up, down)
    }
}

extension ElevationProfile {
    /// Returns the altitude at a distance along the line in metres, or `nil` in a gap.
    ///
    /// - Complexity: O(log samples).
    public func altitude(at distance: Double) -> Double? {
        guard let run = run(at: distance) else { return nil }
        return altitude(at: distance, in: run)
    }

    /// Returns the slope at a distance as a fraction, 0.1 for ten metres up in a hundred, or `nil` in a gap.
    ///
    /// - Parameter window: the length in metres over which it is measured, shorter at the ends of a run.
    /// - Complexity: O(log samples).
    public func slope(at distance: Double, over window: Double) -> Double? {
        guard let run = run(at: distance) else { return nil }
        let first = max(distance - window / 2, samples[run.lowerBound].distance)
        let last = min(distance + window / 2, samples[run.upperBound - 1].distance)
        guard last > first else { return nil }
        return (altitude(at: last, in: run) - altitude(at: first, in: run)) / (last - first)
    }

    /// Returns the profile with each altitude as the mean over a window around it in metres, without the noise of a
    /// receiver.
    ///
    /// The window is symmetric and becomes shorter at the ends of a run, so that a constant slope stays as it is.
    ///
    /// - Complexity: O(samples · log samples).
    public func smoothed(over window: Double) -> ElevationProfile {
        guard window > 0, window.isFinite else { return self }
        var smooth = samples
        for run in runs where run.count > 2 {
            // The integral of the altitude from the start of the run.
            var sums = [0.0]
            sums.reserveCapacity(run.count)
            for index in run.dropFirst() {
                let one = samples[index - 1], other = samples[index]
                sums.append(
                    (sums.last ?? 0) + (other.distance - one.distance) * (one.altitude + other.altitude) / 2)
            }
            func sum(to distance: Double) -> Double {
                let index = sample(before: distance, in: run), one = samples[index]
                let altitude = altitude(at: distance, in: run)
                return sums[index - run.lowerBound] + (distance - one.distance) * (one.altitude + altitude) / 2
            }
            let first = samples[run.lowerBound].distance, last = samples[run.upperBound - 1].distance
            for index in run {
                let distance = samples[index].distance
                let half = min(window / 2, distance - first, last - distance)
                guard half > 0 else { continue }
                let mean = (sum(to: distance + half) - sum(to: distance - half)) / (2 * half)
                smooth[index] = Sample(distance: distance, altitude: mean)
            }
        }
        return ElevationProfile(smooth, runs: runs, length: length, threshold: threshold) ?? self
    }

    /// Returns the run that contains a distance, or `nil` in a gap.
    private func run(at distance: Double) -> Range<Int>? {
        var low = 0, high = runs.count
        while low < high {
            let middle = (low + high) / 2
            if samples[runs[middle].upperBound - 1].distance < distance { low = middle + 1 } else { high = middle }
        }
        guard low < runs.count, samples[runs[low].lowerBound].distance <= distance else { return nil }
        return runs[low]
    }

    /// Returns the last sample of a run at or before a distance, but not the last one of several.
    private func sample(before distance: Double, in run: Range<Int>) -> Int {
        var low = run.lowerBound, high = max(run.upperBound - 2, run.lowerBound)
        while low < high {
            let middle = (low + high + 1) / 2
            if samples[middle].distance <= distance { low = middle } else { high = middle - 1 }
        }
        return low
    }

    private func altitude(at distance: Double, in run: Range<Int>) -> Double {
        let index = sample(before: distance, in: run), one = samples[index]
        guard index + 1 < run.upperBound else { return one.altitude }
        let other = samples[index + 1], length = other.distance - one.distance
        guard length > 0 else { return distance > one.distance ? other.altitude : one.altitude }
        let part = min(max((distance - one.distance) / length, 0), 1)
        return one.altitude + (other.altitude - one.altitude) * part
    }
}
