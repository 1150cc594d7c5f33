import PortolanGeo

/// The selector of a subscription, in the language of JMS message selectors (Jakarta Messaging 3.1, section 3.8.1): what a broker
/// sends of vehicles whose places and lines stand in headers.
///
/// Values never become part of the language: a quote in the name of a line is doubled, numbers are written in one way whatever
/// the region. There is no prefix: ActiveMQ adds its own for headers that are text, and a second one has it refuse the selector
/// to every client until it is started again.
enum VehicleSelector {
    /// The most lines that are named; of more, the client alone chooses.
    static let mostLines = 200

    /// The selector for an interest, or `nil` when everything is wanted.
    ///
    /// Vehicles whose line is not told again, "-", are always wanted.
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

    /// Decimal degrees with six places, rounded so that nothing is lost, without an exponent.
    static func number(_ degrees: Double, _ rule: FloatingPointRoundingRule) -> String {
        let bounded = degrees.isFinite ? min(max(degrees, -1e6), 1e6) : 0
        let millionths = Int((bounded * 1e6).rounded(rule))
        let digits = String(millionths.magnitude % 1_000_000)
        let sign = millionths < 0 ? "-" : ""
        return "\(sign)\(millionths.magnitude / 1_000_000)." + String(repeating: "0", count: 6 - digits.count) + digits
    }
}
