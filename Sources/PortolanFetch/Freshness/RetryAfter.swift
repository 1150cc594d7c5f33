import PortolanWeb

/// The header field `Retry-After` (RFC 9110, section 10.2.3).
package enum RetryAfter {
    /// Longer delays are assumed to be errors of the server.
    private static let longest: Int64 = 366 * 86_400

    /// Returns the delay that a response requests, or `nil` if the field is missing or invalid.
    ///
    /// - Parameter now: seconds since 1970, used for a date in a response without a `Date` field.
    package static func delay(of response: HTTPResponse, now: Int64) -> Duration? {
        guard let value = response.header("Retry-After") else { return nil }
        let digits = value.utf8
        if !digits.isEmpty, digits.allSatisfy(\.isASCIIDigit) {
            return .seconds(min(Int64(value) ?? longest, longest))
        }
        guard let date = HTTPDate.read(value) else { return nil }
        // Uses the server's clock if it is known, because it may differ from ours.
        let present = response.header("Date").flatMap(HTTPDate.read).map(Int64.init) ?? now
        return .seconds(min(max(Int64(date) - present, 0), longest))
    }
}
