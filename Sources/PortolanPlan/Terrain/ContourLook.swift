package import PortolanFeatures
import PortolanWeb

/// How lines of equal elevation are drawn.
package struct ContourLook: Hashable, Sendable {
    /// The difference between neighbouring lines in units, or `nil` for one that fits the scale.
    package var interval: Double?
    /// An elevation with a line, in units.
    package var base = 0.0
    /// The number of lines from one index line to the next; 0 for none.
    package var indexStep = 5
    /// The metres per unit.
    package var metersPerUnit = 1.0
    /// The style of lines.
    package var line = StyleDeclaration()
    /// The style of index lines.
    package var index = StyleDeclaration()

    package init() {}

    /// The property with the elevation of a line, in units.
    package static let property = "elevation"
    /// The property with the kind of a line, which names it in legends.
    static let kindProperty = "kind"

    /// The largest number of crossed cells of a picture.
    ///
    /// More lines would cover the ground, and take seconds.
    static let crossingLimit = 1_500_000

    /// Returns an interval with its unit.
    func text(ofInterval interval: Double) -> String {
        NumberText.decimal(interval) + (metersPerUnit == 1 ? " m" : " ft")
    }

    /// Returns the interval for a scale, in units: 1, 2 or 5 times a power of ten, at least 1.
    ///
    /// - Parameter meters: the metres of the map's CRS per view pixel, which are the same in all pictures of a zoom level.
    func interval(atScale meters: Double) -> Double {
        interval ?? Self.rounded(max(1.5 * meters / metersPerUnit, 1))
    }

    /// Returns the next round number at or above three quarters of a number.
    static func rounded(_ number: Double) -> Double {
        var unit = 1.0
        while unit * 10 <= number { unit *= 10 }
        return [1, 2, 5, 10].map { $0 * unit }.first { $0 >= number * 0.75 } ?? number
    }

    /// Returns the next coarser round number.
    static func coarser(than interval: Double) -> Double {
        interval < 1 ? interval * 2 : rounded(interval * 2)
    }
}
