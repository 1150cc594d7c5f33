import PortolanWeb

/// The age of a stored answer and its permitted uses: the pure rules of RFC 9111, sections 4.2 and 4.3.
package struct Freshness: Hashable, Sendable {
    /// The use that may be made of an entry.
    package enum Use: Hashable, Sendable {
        /// Use it without asking.
        case fresh
        /// Use it, and ask for a newer one meanwhile (RFC 5861).
        case staleWhileRevalidating
        /// Ask first; whether it may be used when nobody answers.
        case ask(mayStandIn: Bool)
    }

    /// Seconds since the answer left its origin.
    package let age: Int
    /// Seconds that it is fresh.
    package let lifetime: Int
    /// The use that may be made of it.
    package let use: Use
    /// Whether the server wants it used by no means once it is out of date.
    package let forbidsStandIn: Bool

    /// Whether it may be used again at all without asking: neither `no-store` nor `no-cache` says otherwise.
    package let mayReuse: Bool

    /// The time at which it ceases to be fresh, in seconds since 1970.
    package func freshUntil(now: Int) -> Int { use == .fresh ? now + max(0, lifetime - age) : now }

    /// Whether it may be shown when nobody is asked, or nobody answers.
    package var mayBeShown: Bool {
        switch use {
        case .fresh, .staleWhileRevalidating: true
        case .ask(let mayStandIn): mayStandIn
        }
    }

    private static let heuristicLimit = 7 * 86_400

    /// Looks at an entry.
    ///
    /// - Parameter goodStatuses: the statuses beside 200 that are as good an answer.
    package init(of entry: StoredResponse, now: Int, rule: CacheRule, goodStatuses: Set<Int> = []) {
        let rule = rule.clamped
        let directives = CacheDirectives(rule.ignoresServer ? [] : entry.values("Cache-Control"))
        age = Self.age(of: entry, now: now)
        mayReuse = rule.minimumLifetime > 0 || !(directives.isNoStore || directives.isNoCache)
        // A clock that was set back must not keep an entry for ever; one that is a little wrong must not matter.
        let isFromFuture = entry.responseTime > now + 86_400
        if entry.isNegative, !goodStatuses.contains(entry.status) {
            lifetime = min(max(0, rule.negativeLifetime), directives.maxAge ?? .max)
            use = age < lifetime && !directives.isNoCache && !isFromFuture ? .fresh : .ask(mayStandIn: false)
            forbidsStandIn = true
            return
        }
        forbidsStandIn = directives.mustRevalidate || directives.isNoCache || directives.isNoStore
        let stated = Self.lifetime(of: entry, directives: directives, rule: rule)
        lifetime = min(max(stated, rule.minimumLifetime), max(0, rule.maximumLifetime ?? .max))
        if isFromFuture {
            use = .ask(mayStandIn: !forbidsStandIn)
            return
        }
        let asksFirst = directives.isNoCache && rule.minimumLifetime == 0
        let staleness = age - lifetime
        if staleness < 0, !asksFirst || age < rule.minimumLifetime {
            use = .fresh
        } else if let window = directives.staleWhileRevalidate, staleness < window, !asksFirst,
            !directives.mustRevalidate
        {
            use = .staleWhileRevalidating
        } else {
            use = .ask(
                mayStandIn: !forbidsStandIn && staleness <= directives.staleIfError ?? max(0, rule.staleLifetime))
        }
    }

    /// Section 4.2.3; a `Date` or `Age` that cannot be read counts as absent.
    private static func age(of entry: StoredResponse, now: Int) -> Int {
        let apparent = entry.header("Date").flatMap(HTTPDate.read).map { max(0, entry.responseTime - $0) } ?? 0
        let stated =
            entry.header("Age").flatMap { Int($0) }.map { min(max(0, $0), CacheDirectives.longestSeconds) } ?? 0
        return max(apparent, stated + entry.delay) + max(0, now - entry.responseTime)
    }

    /// Sections 4.2.1 and 4.2.2.
    private static func lifetime(of entry: StoredResponse, directives: CacheDirectives, rule: CacheRule) -> Int {
        guard !rule.ignoresServer else { return rule.defaultLifetime }
        if let seconds = directives.maxAge { return seconds }
        if directives.isNoCache || directives.mustRevalidate && entry.header("Expires") == nil { return 0 }
        if entry.header("Cache-Control") == nil, entry.header("Pragma")?.lowercased() == "no-cache" { return 0 }
        let date = entry.header("Date").flatMap(HTTPDate.read) ?? entry.responseTime
        if let text = entry.header("Expires") {
            // "0" and other words that are no date mean: already expired (section 5.3).
            return HTTPDate.read(text).map { max(0, $0 - date) } ?? 0
        }
        guard let modified = entry.header("Last-Modified").flatMap(HTTPDate.read), modified <= date else {
            return rule.defaultLifetime
        }
        return max(rule.defaultLifetime, min((date - modified) / 10, heuristicLimit))
    }
}

extension Freshness {
    /// Whether an answer may be kept at all (section 3).
    package static func mayStore(_ response: HTTPResponse, rule: CacheRule, goodStatuses: Set<Int> = []) -> Bool {
        let known = goodStatuses.union(StoredResponse.negativeStatuses)
        guard rule.isEnabled, response.status == 200 || known.contains(response.status) else { return false }
        guard !rule.ignoresServer else { return true }
        func values(_ name: String) -> [String] { response.headers.filter { $0.isNamed(name) }.map(\.value) }
        // Answers that differ by what no request tells cannot be found again.
        if values("Vary").contains(where: { $0.split(separator: ",").contains { $0.trimmed == "*" } }) { return false }
        return !CacheDirectives(values("Cache-Control")).isNoStore
    }

    /// The fields that ask whether `entry` still holds (section 4.3.1); none when it has nothing to ask by.
    ///
    /// An entity tag goes back as it came: some servers write theirs without quotes, and know them only so.
    package static func conditions(for entry: StoredResponse) -> [HTTPHeader] {
        guard entry.status == 200 else { return [] }
        var conditions: [HTTPHeader] = []
        if let tag = entry.header("ETag"), !tag.isEmpty {
            conditions.append(HTTPHeader(name: "If-None-Match", value: tag))
        }
        if let modified = entry.header("Last-Modified"), HTTPDate.read(modified) != nil {
            conditions.append(HTTPHeader(name: "If-Modified-Since", value: modified))
        }
        return conditions
    }

    /// Whether a failure is one that an entry out of date may stand in for: the server is at fault, or the way to it.
    package static func isExcusable(status: Int) -> Bool {
        status >= 500 || status == 408 || status == 425 || status == 429
    }
}

/// The time for which answers of one layer or host are used again, where that differs from what the server says.
public struct CacheRule: Hashable, Sendable {
    /// Whether anything is looked up and kept at all.
    public var isEnabled = true

    /// Whether the server's directives are passed over, so that ``defaultLifetime`` holds for all answers.
    public var ignoresServer = false

    /// Seconds that an answer is fresh about which the server says nothing; 3600.
    ///
    /// One with a `Last-Modified` is fresh for a tenth of its age instead, if that is longer, but for a week at most.
    public var defaultLifetime = 3600

    /// The least seconds that an answer is fresh, against `no-cache` and a shorter `max-age`; 0.
    public var minimumLifetime = 0

    /// The most seconds that an answer is fresh, or `nil` for as long as the server says.
    public var maximumLifetime: Int?

    /// Seconds for which an answer that is out of date may stand in for one that cannot be had; 30 days.
    ///
    /// The server's `stale-if-error` comes before it, and its `must-revalidate` or `no-cache` rules it out, unless
    /// ``ignoresServer`` is set.
    public var staleLifetime = 30 * 86_400

    /// Seconds for which it is remembered that there is nothing at an address (404, 410 and 204); 60.
    public var negativeLifetime = 60

    /// Makes the standard rule.
    public init() {}

    /// The rule with all times within what sums of seconds can hold; "for ever" is about 68 years.
    var clamped: CacheRule {
        func clamp(_ seconds: Int) -> Int { min(max(seconds, 0), CacheDirectives.longestSeconds) }
        var rule = self
        rule.defaultLifetime = clamp(defaultLifetime)
        rule.minimumLifetime = clamp(minimumLifetime)
        rule.maximumLifetime = maximumLifetime.map(clamp)
        rule.staleLifetime = clamp(staleLifetime)
        rule.negativeLifetime = clamp(negativeLifetime)
        return rule
    }

    /// The rule that keeps nothing and looks nothing up.
    public static var disabled: CacheRule {
        var rule = CacheRule()
        rule.isEnabled = false
        return rule
    }
}
