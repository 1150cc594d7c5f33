/// A bearing for display as a compass.
public struct Compass: Hashable, Sendable, CustomStringConvertible {
    /// The bearing in degrees clockwise from north, from 0 up to but not including 360.
    public let bearing: Double

    /// Creates a compass from a bearing in degrees, or returns `nil` if it is not finite.
    public init?(bearing: Double) {
        guard bearing.isFinite else { return nil }
        let remainder = bearing.truncatingRemainder(dividingBy: 360)
        let positive = remainder < 0 ? remainder + 360 : remainder
        self.bearing = positive < 360 ? positive + 0 : 0
    }

    /// The sixteen compass points.
    public enum Point: String, Hashable, Sendable, CaseIterable {
        case north = "N"
        case northNortheast = "NNE"
        case northeast = "NE"
        case eastNortheast = "ENE"
        case east = "E"
        case eastSoutheast = "ESE"
        case southeast = "SE"
        case southSoutheast = "SSE"
        case south = "S"
        case southSouthwest = "SSW"
        case southwest = "SW"
        case westSouthwest = "WSW"
        case west = "W"
        case westNorthwest = "WNW"
        case northwest = "NW"
        case northNorthwest = "NNW"
    }

    /// The nearest compass point.
    public var point: Point { Point.allCases[Int((bearing / 22.5).rounded()) % 16] }

    /// Whether north is up, within half a degree.
    public var isNorthUp: Bool { bearing < 0.5 || bearing >= 359.5 }

    /// The rotation of the needle on a picture with this bearing at the top, in degrees clockwise.
    public var needle: Double { bearing == 0 ? 0 : 360 - bearing }

    /// The bearing with three digits and its compass point, such as `032° NNE`.
    public var description: String {
        let degrees = Int(bearing.rounded()) % 360
        let digits = String(degrees)
        return String(repeating: "0", count: 3 - digits.count) + digits + "° " + point.rawValue
    }
}
