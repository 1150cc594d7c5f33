/// Degrees, radians and the turn of the world.
enum Angle {
    static let radiansPerDegree = Double.pi / 180

    /// A longitude in degrees relative to a meridian, -180 to 180.
    static func difference(_ longitude: Double, from meridian: Double) -> Double {
        var difference = longitude - meridian
        // Within a turn the remainder is the number itself, and costs as much as a sine.
        if abs(difference) >= 360 { difference = difference.truncatingRemainder(dividingBy: 360) }
        if difference > 180 { difference -= 360 } else if difference < -180 { difference += 360 }
        return difference
    }

    /// A longitude in degrees that is at most a turn off, -180 to 180.
    static func wrapped(_ longitude: Double) -> Double {
        longitude > 180 ? longitude - 360 : longitude < -180 ? longitude + 360 : longitude
    }
}
