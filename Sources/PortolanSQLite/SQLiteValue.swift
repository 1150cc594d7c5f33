/// A value of a column or a parameter.
package enum SQLiteValue: Hashable, Sendable {
    case null
    case integer(Int64)
    case real(Double)
    case text(String)
    case blob([UInt8])

    /// Returns an integer value.
    package static func int(_ number: Int) -> SQLiteValue { .integer(Int64(number)) }

    /// Returns a number, or null.
    package static func real(orNull number: Double?) -> SQLiteValue { number.map { .real($0) } ?? .null }
}

/// The types of values in SQLite.
package enum SQLiteValueKind: Hashable, Sendable {
    case null, integer, real, text, blob
}

extension [UInt8] {
    /// Appends the bytes of a span.
    package mutating func append(copying bytes: Span<UInt8>) {
        // The buffer is read within the closure, up to its own count.
        unsafe bytes.withUnsafeBufferPointer { unsafe append(contentsOf: $0) }
    }
}
