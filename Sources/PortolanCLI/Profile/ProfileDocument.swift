import PortolanFeatures
import PortolanPaint

/// An elevation profile as JSON.
struct ProfileDocument: Encodable {
    struct Place: Encodable {
        var name: String
        /// Metres from the start.
        var distance: Double
        var altitude: Double?
    }

    var name: String?
    /// Metres.
    var length: Double
    var ascent: Double
    var descent: Double
    /// The change of altitude from which a climb counts.
    var threshold: Double
    var lowest: Double
    var highest: Double
    /// Distances and altitudes in metres; each run has no gap.
    var runs: [[[Double]]]
    var places: [Place]

    init(_ panel: Furniture.ProfilePanel, name: String?) {
        let profile = panel.profile
        func rounded(_ value: Double) -> Double { (value * 100).rounded() / 100 }
        self.name = name
        length = rounded(profile.length)
        ascent = rounded(profile.ascent)
        descent = rounded(profile.descent)
        threshold = profile.threshold
        lowest = rounded(profile.range.lowerBound)
        highest = rounded(profile.range.upperBound)
        runs = profile.runs.map { run in
            profile.samples[run].map { [rounded($0.distance), rounded($0.altitude)] }
        }
        places = panel.marks.map {
            Place(
                name: $0.name, distance: rounded($0.distance),
                altitude: profile.altitude(at: $0.distance).map(rounded))
        }
    }
}
