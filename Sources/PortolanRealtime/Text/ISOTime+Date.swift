import Foundation
import PortolanWeb

extension ISOTime {
    /// Parses a time such as `2026-11-23T16:24:00.5+02:00`.
    ///
    /// Times without a zone are in UTC.
    static func date(_ text: some StringProtocol) -> Date? {
        seconds(text).map { Date(timeIntervalSince1970: $0) }
    }

    /// Returns a time such as `2026-11-23T14:24:00Z` in whole seconds, or `nil` outside of the years 1 to 9999.
    static func text(_ date: Date) -> String? { text(date.timeIntervalSince1970) }

    /// Returns whole seconds since 1970, or `nil` outside of the years 1 to 9999.
    static func seconds(_ date: Date) -> Int? { wholeSeconds(date.timeIntervalSince1970) }
}
