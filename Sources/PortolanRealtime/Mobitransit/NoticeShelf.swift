import PortolanTransit

/// The current alerts of a source that sends them one by one, each with a limited lifetime.
struct NoticeShelf: Hashable, Sendable {
    private struct Kept: Hashable, Sendable {
        var notice: Disruption
        var end: Duration
    }

    /// The lifetime of an alert.
    let lifetime: Duration
    /// The maximum number of alerts.
    ///
    /// The oldest ones are removed first.
    let limit: Int
    /// The alerts in the order of arrival.
    private var kept: [Kept] = []

    init(lifetime: Duration, limit: Int = 100) {
        self.lifetime = lifetime
        self.limit = limit
    }

    /// All alerts, oldest first.
    var notices: [Disruption] { kept.map(\.notice) }

    /// The time at which the next alert expires, or `nil`.
    var due: Duration? { kept.map(\.end).min() }

    /// Adds an alert, which replaces one with the same identifier or text, and returns whether the alerts changed.
    mutating func put(_ notice: Disruption, now: Duration) -> Bool {
        let before = notices
        kept.removeAll { $0.notice.id == notice.id || $0.notice.text == notice.text }
        kept.append(Kept(notice: notice, end: now + lifetime))
        if kept.count > limit { kept.removeFirst(kept.count - limit) }
        return notices != before
    }

    /// Removes an alert, and returns whether it existed.
    mutating func remove(_ id: String) -> Bool {
        let count = kept.count
        kept.removeAll { $0.notice.id == id }
        return kept.count < count
    }

    /// Removes expired alerts, and returns whether there were any.
    mutating func expire(now: Duration) -> Bool {
        let count = kept.count
        kept.removeAll { $0.end <= now }
        return kept.count < count
    }
}
