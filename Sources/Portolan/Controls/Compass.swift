/// A bearing as a compass shows it.
public struct Compass: Hashable, Sendable, CustomStringConvertible {
    /// Degrees clockwise from north, at least 0 and less than 360.
    public let bearing: Double

    /// Makes a compass of a bearing in degrees, or `nil` when it is not finite.
    public init?(bearing: Double) {
        guard bearing.isFinite else { return nil }
        let remainder = bearing.truncatingRemainder(dividingBy: 360)
        let positive = remainder < 0 ? remainder + 360 : remainder
        self.bearing = positive < 360 ? positive + 0 : 0
    }

    /// The sixteen points of the compass.
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

    /// The nearest point of the compass.
    public var point: Point { Point.allCases[Int((bearing / 22.5).rounded()) % 16] }

    /// Whether north is up, to half a degree.
    public var isNorthUp: Bool { bearing < 0.5 || bearing >= 359.5 }

    /// How far the needle is turned on a picture whose top has this bearing, in degrees clockwise.
    public var needle: Double { bearing == 0 ? 0 : 360 - bearing }

    /// The bearing in three digits and its point, as `032° NNE`.
    public var description: String {
        let degrees = Int(bearing.rounded()) % 360
        let digits = String(degrees)
        return String(repeating: "0", count: 3 - digits.count) + digits + "° " + point.rawValue
    }
}
