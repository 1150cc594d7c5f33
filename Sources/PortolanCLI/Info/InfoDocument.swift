import Foundation

/// What is known of a source, as a table and as JSON.
protocol InfoDocument: Sendable {
    func table() -> String
    func json() throws(CommandFailure) -> [UInt8]
}

/// Numbers as tables show them.
enum InfoText {
    /// At least four digits that count, of small numbers too.
    static func significant(_ number: Double) -> String {
        guard number.isFinite, number > 0, number < 1 else { return short(number) }
        // The decimal places before the first digit that counts, and three more.
        var decimals = 3, first = number
        while first < 1, decimals < 15 {
            first *= 10
            decimals += 1
        }
        var text = String(format: "%.\(decimals)f", number)
        while text.last == "0" { text.removeLast() }
        return text
    }

    /// At most four decimals, none that say nothing.
    static func short(_ number: Double) -> String {
        let rounded = (number * 10_000).rounded() / 10_000
        return Int(exactly: rounded).map { String($0) } ?? String(rounded)
    }
}
