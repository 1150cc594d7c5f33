import PortolanGeo

/// A subscription selector for vehicles, in the JMS message selector language (Jakarta Messaging 3.1, section 3.8.1).
///
/// Values are escaped: quotes in line names are doubled, and numbers are formatted independently of the locale. Header
/// names have no prefix. ActiveMQ adds its own prefix for text properties, and a second one makes it reject the
/// selectors of all clients until it is restarted.
enum VehicleSelector {
    /// The maximum number of lines in a selector.
    ///
    /// With more lines, only the client filters.
    static let mostLines = 200

    /// Returns the selector for an interest, or `nil` if everything is of interest.
    ///
    /// Vehicles with an unchanged line, "-", always match.
    static func text(for interest: VehicleInterest) -> String? {
        var clauses: [String] = []
        if let extent = interest.extent {
            clauses.append(
                "(longitude < \(number(extent.maxX, .up)) and longitude > \(number(extent.minX, .down)) "
                    + "and latitude < \(number(extent.maxY, .up)) and latitude > \(number(extent.minY, .down)))")
        }
        if let lines = interest.lines, lines.count <= mostLines {
            let names = lines.sorted().map { "line = '\($0.replacing("'", with: "''"))'" }
            clauses.append("(" + (names + ["line = '-'"]).joined(separator: " or ") + ")")
        }
        return clauses.isEmpty ? nil : clauses.joined(separator: " and ")
    }

    /// Returns decimal degrees with six decimals and without an exponent, rounded in the given direction.
    static func number(_ degrees: Double, _ rule: FloatingPointRoundingRule) -> String {
        let bounded = degrees.isFinite ? min(max(degrees, -1e6), 1e6) : 0
        let millionths = Int((bounded * 1e6).rounded(rule))
        let digits = String(millionths.magnitude % 1_000_000)
        let sign = millionths < 0 ? "-" : ""
        return "\(sign)\(millionths.magnitude / 1_000_000)." + String(repeating: "0", count: 6 - digits.count) + digits
    }
}
