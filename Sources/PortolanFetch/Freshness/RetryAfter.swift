import PortolanWeb

/// The header field `Retry-After` (RFC 9110, section 10.2.3).
package enum RetryAfter {
    /// Longer delays are mistakes of the server.
    private static let longest: Int64 = 366 * 86_400

    /// The wait that a response asks for; nil when it asks for none, or in no readable way.
    ///
    /// - Parameter now: seconds since 1970, for a date in a response that does not tell its own with `Date`.
    package static func delay(of response: HTTPResponse, now: Int64) -> Duration? {
        guard let value = response.header("Retry-After") else { return nil }
        let digits = value.utf8
        if !digits.isEmpty, digits.allSatisfy(\.isASCIIDigit) {
            return .seconds(min(Int64(value) ?? longest, longest))
        }
        guard let date = HTTPDate.read(value) else { return nil }
        // By the server's clock where it tells it: the two need not agree.
        let present = response.header("Date").flatMap(HTTPDate.read).map(Int64.init) ?? now
        return .seconds(min(max(Int64(date) - present, 0), longest))
    }
}
