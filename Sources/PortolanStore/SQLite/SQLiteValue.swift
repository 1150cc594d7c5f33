/// A value of a column or a parameter.
package enum SQLiteValue: Hashable, Sendable {
    case null
    case integer(Int64)
    case real(Double)
    case text(String)
    case blob([UInt8])

    /// A whole number.
    package static func int(_ number: Int) -> SQLiteValue { .integer(Int64(number)) }

    /// A number, or null.
    package static func real(orNull number: Double?) -> SQLiteValue { number.map { .real($0) } ?? .null }
}
