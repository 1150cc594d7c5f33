package import Foundation

/// How old positions are, in words.
package enum FeedAge {
    /// That vehicles are left out, and how old the newest position is.
    package static func words(count: Int, newest: Date, now: Date = Date()) -> String {
        let age = Duration.seconds(max(0, now.timeIntervalSince(newest)))
        return "\(count) \(count == 1 ? "vehicle is" : "vehicles are") left out, as nothing was heard of "
            + "\(count == 1 ? "it" : "them") for too long; the newest position is \(text(age)) old"
    }

    /// A length of time, in the largest unit of which there are two at least.
    package static func text(_ age: Duration) -> String {
        let seconds = Int(age / .seconds(1))
        for (length, unit) in [(86_400, "days"), (3600, "hours"), (60, "minutes")] where seconds >= 2 * length {
            return "\(seconds / length) \(unit)"
        }
        return "\(seconds) seconds"
    }
}
