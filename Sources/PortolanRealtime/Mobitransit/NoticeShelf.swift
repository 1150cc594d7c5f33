import PortolanTransit

/// The notices that came one by one, each for a time: messages tell one, listeners want all that there are.
struct NoticeShelf: Hashable, Sendable {
    private struct Kept: Hashable, Sendable {
        var notice: Disruption
        var end: Duration
    }

    /// How long each is kept.
    let lifetime: Duration
    /// The most that are kept; the oldest go first.
    let limit: Int
    /// In the order in which they were heard.
    private var kept: [Kept] = []

    init(lifetime: Duration, limit: Int = 100) {
        self.lifetime = lifetime
        self.limit = limit
    }

    /// All that there are, the oldest first.
    var notices: [Disruption] { kept.map(\.notice) }

    /// When the next one is to go, or `nil`.
    var due: Duration? { kept.map(\.end).min() }

    /// Takes a notice in place of one of the same identifier or text; returns whether they are others now.
    mutating func put(_ notice: Disruption, now: Duration) -> Bool {
        let before = notices
        kept.removeAll { $0.notice.id == notice.id || $0.notice.text == notice.text }
        kept.append(Kept(notice: notice, end: now + lifetime))
        if kept.count > limit { kept.removeFirst(kept.count - limit) }
        return notices != before
    }

    /// Takes one away; returns whether it was there.
    mutating func remove(_ id: String) -> Bool {
        let count = kept.count
        kept.removeAll { $0.notice.id == id }
        return kept.count < count
    }

    /// Forgets those whose time is over; returns whether there were any.
    mutating func expire(now: Duration) -> Bool {
        let count = kept.count
        kept.removeAll { $0.end <= now }
        return kept.count < count
    }
}
