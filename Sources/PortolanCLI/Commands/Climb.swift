import PortolanFeatures

/// The climb of a line, as printed by `portolan measure`.
struct Climb: Encodable {
    /// Metres, by climbs of at least three metres.
    var ascent, descent: Double
    /// Metres.
    var lowest, highest: Double
    /// The length over the ground in metres, with the slopes.
    var groundMeters: Double

    /// Measures a line with elevations, or returns `nil` if it has none.
    init?(_ geometry: Geometry) {
        guard let profile = ElevationProfile(geometry) else { return nil }
        (ascent, descent) = (profile.ascent, profile.descent)
        (lowest, highest) = (profile.range.lowerBound, profile.range.upperBound)
        // Gaps have no slope.
        var flat = 0.0, sloped = 0.0
        for run in profile.runs {
            for (one, other) in zip(profile.samples[run], profile.samples[run].dropFirst()) {
                let length = other.distance - one.distance, rise = other.altitude - one.altitude
                flat += length
                sloped += (length * length + rise * rise).squareRoot()
            }
        }
        groundMeters = profile.length - flat + sloped
    }

    /// The climb in one line.
    var text: String {
        func whole(_ value: Double) -> String { String(Int(value.rounded())) }
        return "up \(whole(ascent)) m, down \(whole(descent)) m"
    }
}
