import Foundation
import PortolanWeb

extension ISOTime {
    /// The moment as `2026-11-23T16:24:00.5+02:00`; without a zone it lies in UTC.
    static func date(_ text: some StringProtocol) -> Date? {
        seconds(text).map { Date(timeIntervalSince1970: $0) }
    }

    /// The moment as `2026-11-23T14:24:00Z`, in whole seconds; `nil` outside the years 1 to 9999.
    static func text(_ date: Date) -> String? { text(date.timeIntervalSince1970) }

    /// The whole seconds since 1970; `nil` outside the years 1 to 9999.
    static func seconds(_ date: Date) -> Int? { wholeSeconds(date.timeIntervalSince1970) }
}
