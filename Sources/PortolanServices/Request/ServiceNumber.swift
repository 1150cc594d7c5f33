/// Reads the numbers of services' documents, as the standards write them and as services do.
package enum ServiceNumber {
    /// A number, which may be infinite, or `nil`.
    ///
    /// A comma in the place of the point is what programs write that heed the language of their machine.
    static func decimal(_ text: String?) -> Double? {
        guard let text = text?.trimmingSpace() else { return nil }
        return Double(text) ?? Double(text.replacing(",", with: "."))
    }

    /// A whole number, or `nil`; `256.0` is one.
    static func whole(_ text: String?) -> Int? {
        guard let text = text?.trimmingSpace() else { return nil }
        return Int(text) ?? Double(text).flatMap { Int(exactly: $0) }
    }

    /// Four sides of a box whose names are `minx` and so on, fewer where some are none.
    package static func sides(_ attribute: (String) -> String?) -> [Double] {
        ["minx", "miny", "maxx", "maxy"].compactMap { decimal(attribute($0)) }
    }

    /// The east side of a box in degrees that goes from `west` over 180 degrees where it is less than that, and the box
    /// is less than half the world then.
    static func east(_ east: Double, from west: Double) -> Double {
        east < west && east + 360 - west < 180 && abs(east) <= 180.001 && abs(west) <= 180.001 ? east + 360 : east
    }
}
