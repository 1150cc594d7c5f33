package import Foundation
import PortolanWeb

/// Messages about the age of positions.
package enum FeedAge {
    /// Returns a message about omitted vehicles and the age of the newest position.
    package static func words(count: Int, newest: Date, now: Date = Date()) -> String {
        let age = Duration.seconds(max(0, now.timeIntervalSince(newest)))
        return "\(PhraseText.counted(count, "vehicle is|vehicles are")) left out, as nothing was heard of "
            + "\(PhraseText.form(of: "it|them", for: count)) for too long; the newest position is \(text(age)) old"
    }

    /// Returns a duration in the largest unit that gives a value of at least two.
    package static func text(_ age: Duration) -> String {
        let seconds = Int(age / .seconds(1))
        for (length, unit) in [(86_400, "days"), (3600, "hours"), (60, "minutes")] where seconds >= 2 * length {
            return "\(seconds / length) \(unit)"
        }
        return "\(seconds) seconds"
    }
}
