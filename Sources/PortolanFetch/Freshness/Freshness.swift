import PortolanWeb

/// The age of a stored response and its permitted use: RFC 9111, sections 4.2 and 4.3.
package struct Freshness: Hashable, Sendable {
    /// The permitted use of an entry.
    package enum Use: Hashable, Sendable {
        /// Use it without revalidation.
        case fresh
        /// Use it, and revalidate it in the background (RFC 5861).
        case staleWhileRevalidating
        /// Revalidate it first; the value states whether it may be used if that fails.
        case ask(mayStandIn: Bool)
    }

    /// The seconds since the response left its origin.
    package let age: Int
    /// The number of seconds for which it is fresh.
    package let lifetime: Int
    /// The permitted use.
    package let use: Use
    /// Whether the server forbids any use of the stale response.
    package let forbidsStandIn: Bool

    /// Whether the response may be reused without revalidation at all: it has neither `no-store` nor `no-cache`.
    package let mayReuse: Bool

    /// Returns the time until which it is fresh, in seconds since 1970.
    package func freshUntil(now: Int) -> Int { use == .fresh ? now + max(0, lifetime - age) : now }

    /// Whether it may be shown if no server is contacted, or none responds.
    package var mayBeShown: Bool {
        switch use {
        case .fresh, .staleWhileRevalidating: true
        case .ask(let mayStandIn): mayStandIn
        }
    }

    private static let heuristicLimit = 7 * 86_400

    /// Evaluates an entry.
    ///
    /// - Parameter goodStatuses: the statuses besides 200 that count as successful.
    package init(of entry: StoredResponse, now: Int, rule: CacheRule, goodStatuses: Set<Int> = []) {
        let rule = rule.clamped
        let directives = CacheDirectives(rule.ignoresServer ? [] : entry.values("Cache-Control"))
        age = Self.age(of: entry, now: now)
        mayReuse = rule.minimumLifetime > 0 || !(directives.isNoStore || directives.isNoCache)
        // An entry must not stay fresh forever after the clock was set back, but small clock errors must not matter.
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

    /// Returns the age of section 4.2.3; an invalid `Date` or `Age` counts as absent.
    private static func age(of entry: StoredResponse, now: Int) -> Int {
        let apparent = entry.header("Date").flatMap(HTTPDate.read).map { max(0, entry.responseTime - $0) } ?? 0
        let stated =
            entry.header("Age").flatMap { Int($0) }.map { min(max(0, $0), CacheDirectives.longestSeconds) } ?? 0
        return max(apparent, stated + entry.delay) + max(0, now - entry.responseTime)
    }

    /// Returns the seconds for which an entry is fresh (sections 4.2.1 and 4.2.2).
    private static func lifetime(of entry: StoredResponse, directives: CacheDirectives, rule: CacheRule) -> Int {
        guard !rule.ignoresServer else { return rule.defaultLifetime }
        if let seconds = directives.maxAge { return seconds }
        if directives.isNoCache || directives.mustRevalidate && entry.header("Expires") == nil { return 0 }
        if entry.header("Cache-Control") == nil, entry.header("Pragma")?.lowercased() == "no-cache" { return 0 }
        let date = entry.header("Date").flatMap(HTTPDate.read) ?? entry.responseTime
        if let text = entry.header("Expires") {
            // "0" and other invalid dates mean that the response has expired (section 5.3).
            return HTTPDate.read(text).map { max(0, $0 - date) } ?? 0
        }
        guard let modified = entry.header("Last-Modified").flatMap(HTTPDate.read), modified <= date else {
            return rule.defaultLifetime
        }
        return max(rule.defaultLifetime, min((date - modified) / 10, heuristicLimit))
    }
}

extension Freshness {
    /// Returns whether a response may be stored at all (section 3).
    package static func mayStore(_ response: HTTPResponse, rule: CacheRule, goodStatuses: Set<Int> = []) -> Bool {
        let known = goodStatuses.union(StoredResponse.negativeStatuses)
        guard rule.isEnabled, response.status == 200 || known.contains(response.status) else { return false }
        guard !rule.ignoresServer else { return true }
        func values(_ name: String) -> [String] { response.headers.filter { $0.isNamed(name) }.map(\.value) }
        // Responses that vary by unknown properties cannot be found again.
        if values("Vary").contains(where: { $0.split(separator: ",").contains { $0.trimmed == "*" } }) { return false }
        return !CacheDirectives(values("Cache-Control")).isNoStore
    }

    /// Returns the fields of a conditional request for `entry` (section 4.3.1), empty if it has no validator.
    ///
    /// An entity tag is sent as it was received: some servers omit the quotes, and recognise their tags only that way.
    package static func conditions(for entry: StoredResponse) -> [HTTPHeader] {
        guard StoredResponse.statusesWithBody.contains(entry.status) else { return [] }
        var conditions: [HTTPHeader] = []
        if let tag = entry.header("ETag"), !tag.isEmpty {
            conditions.append(HTTPHeader(name: "If-None-Match", value: tag))
        }
        if let modified = entry.header("Last-Modified"), HTTPDate.read(modified) != nil {
            conditions.append(HTTPHeader(name: "If-Modified-Since", value: modified))
        }
        return conditions
    }

    /// Returns whether a failure permits a stale entry: the server or the network is at fault.
    package static func isExcusable(status: Int) -> Bool {
        status >= 500 || status == 408 || status == 425 || status == 429
    }
}

/// The times for which responses of a layer or host are reused, if they differ from the server's headers.
public struct CacheRule: Hashable, Sendable {
    /// Whether responses are looked up and stored at all.
    public var isEnabled = true

    /// Whether the server's directives are ignored, so that ``defaultLifetime`` applies to all responses.
    public var ignoresServer = false

    /// The seconds for which a response without freshness information is fresh; 3600 by default.
    ///
    /// With `Last-Modified`, it is fresh for a tenth of its age instead if that is longer, but at most for a week.
    public var defaultLifetime = 3600

    /// The minimum seconds for which a response is fresh, even with `no-cache` or a shorter `max-age`; 0 by default.
    public var minimumLifetime = 0

    /// The maximum seconds for which a response is fresh, or `nil` for no limit.
    public var maximumLifetime: Int?

    /// The seconds for which a stale response may be used if no newer one is available; 30 days by default.
    ///
    /// The server's `stale-if-error` takes precedence, and `must-revalidate` or `no-cache` forbids it, unless
    /// ``ignoresServer`` is set.
    public var staleLifetime = 30 * 86_400

    /// The seconds for which a negative response (404, 410 or 204) is cached; 60 by default.
    public var negativeLifetime = 60

    /// Creates the default rule.
    public init() {}

    /// The rule with all times limited, so that sums of seconds cannot overflow; the limit is about 68 years.
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

    /// The rule that disables the cache.
    public static var disabled: CacheRule {
        var rule = CacheRule()
        rule.isEnabled = false
        return rule
    }
}
