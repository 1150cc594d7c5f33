import PortolanFetch
import PortolanWeb
import Testing

@Suite struct FreshnessTests {
    /// The answer came at this moment.
    static let then = 1_000_000_000
    static let date = HTTPDate.text(of: then)

    struct Case: Sendable, CustomTestStringConvertible {
        var headers: [(String, String)]
        var seconds: Int
        var use: Freshness.Use
        var rule = CacheRule()
        var status = 200
        var delay = 0
        var testDescription: String { "\(headers) after \(seconds) s: \(use)" }

        init(
            _ headers: [(String, String)], after seconds: Int, _ use: Freshness.Use, rule: CacheRule = CacheRule(),
            status: Int = 200, delay: Int = 0
        ) {
            self.headers = headers
            self.seconds = seconds
            self.use = use
            self.rule = rule
            self.status = status
            self.delay = delay
        }
    }

    static func rule(_ change: (inout CacheRule) -> Void) -> CacheRule {
        var rule = CacheRule()
        change(&rule)
        return rule
    }

    static let asks = Freshness.Use.ask(mayStandIn: true), forbids = Freshness.Use.ask(mayStandIn: false)
    static let modified = ("Last-Modified", HTTPDate.text(of: then - 10 * 86_400))
    static let sixty = ("Cache-Control", "max-age=60")

    static let cases: [Case] = [
        // Explicit lifetimes (RFC 9111, 4.2.1).
        Case([sixty], after: 59, .fresh), Case([sixty], after: 60, asks),
        Case([("Cache-Control", "s-maxage=9, max-age=60")], after: 59, .fresh),
        Case([("Expires", HTTPDate.text(of: then + 60)), ("Date", date)], after: 59, .fresh),
        Case([("Expires", HTTPDate.text(of: then + 60)), ("Date", date)], after: 60, asks),
        Case([sixty, ("Expires", HTTPDate.text(of: then + 9000)), ("Date", date)], after: 60, asks),
        Case([("Expires", "0")], after: 0, asks), Case([("Expires", date), ("Date", date)], after: 0, asks),
        Case([("Cache-Control", "max-age=0")], after: 0, asks),
        // Age (4.2.3): the larger of what the way took and what caches on it say.
        Case([sixty, ("Age", "50")], after: 9, .fresh), Case([sixty, ("Age", "50")], after: 10, asks),
        Case([sixty], after: 50, asks, delay: 10), Case([sixty, ("Age", "nonsense")], after: 59, .fresh),
        Case([sixty, ("Date", HTTPDate.text(of: then - 30))], after: 29, .fresh),
        Case([sixty, ("Date", HTTPDate.text(of: then - 30))], after: 30, asks),
        Case([sixty, ("Date", HTTPDate.text(of: then + 300))], after: 59, .fresh),
        // Heuristics (4.2.2).
        Case([], after: 3599, .fresh), Case([], after: 3600, asks),
        Case([modified, ("Date", date)], after: 86_399, .fresh), Case([modified, ("Date", date)], after: 86_400, asks),
        Case([("Last-Modified", HTTPDate.text(of: 0))], after: 7 * 86_400 - 1, .fresh),
        Case([("Last-Modified", HTTPDate.text(of: 0))], after: 7 * 86_400, asks),
        Case([("Last-Modified", HTTPDate.text(of: then + 5000))], after: 3600, asks),
        Case([("Pragma", "no-cache")], after: 0, asks), Case([("Pragma", "no-cache"), sixty], after: 59, .fresh),
        // What must not be used.
        Case([("Cache-Control", "no-cache")], after: 0, forbids),
        Case([("Cache-Control", "no-cache, max-age=60")], after: 0, forbids),
        Case([("Cache-Control", "max-age=60, must-revalidate")], after: 59, .fresh),
        Case([("Cache-Control", "max-age=60, must-revalidate")], after: 60, forbids),
        Case([("Cache-Control", "must-revalidate")], after: 0, forbids),
        // RFC 5861.
        Case([("Cache-Control", "max-age=60, stale-while-revalidate=30")], after: 89, .staleWhileRevalidating),
        Case([("Cache-Control", "max-age=60, stale-while-revalidate=30")], after: 90, asks),
        Case([("Cache-Control", "max-age=60, stale-while-revalidate=30, must-revalidate")], after: 61, forbids),
        Case([("Cache-Control", "max-age=60, stale-if-error=100")], after: 160, asks),
        Case([("Cache-Control", "max-age=60, stale-if-error=100")], after: 161, forbids),
        Case([sixty], after: 60 + 30 * 86_400, asks), Case([sixty], after: 61 + 30 * 86_400, forbids),
        // Overrides.
        Case([("Cache-Control", "no-cache")], after: 99, .fresh, rule: rule { $0.minimumLifetime = 100 }),
        Case([sixty], after: 99, .fresh, rule: rule { $0.minimumLifetime = 100 }),
        Case([sixty], after: 10, asks, rule: rule { $0.maximumLifetime = 10 }),
        Case(
            [("Cache-Control", "no-cache, must-revalidate")], after: 99, .fresh,
            rule: rule {
                $0.ignoresServer = true
                $0.defaultLifetime = 100
            }),
        Case(
            [("Cache-Control", "max-age=9000, must-revalidate")], after: 100, asks,
            rule: rule {
                $0.ignoresServer = true
                $0.defaultLifetime = 100
            }),
        Case([], after: 5, asks, rule: rule { $0.defaultLifetime = 5 }),
        Case([sixty], after: 71, forbids, rule: rule { $0.staleLifetime = 10 }),
        // Nothing there.
        Case([], after: 59, .fresh, status: 404), Case([], after: 60, forbids, status: 404),
        Case([("Cache-Control", "max-age=9000")], after: 60, forbids, status: 410),
        Case([("Cache-Control", "max-age=9")], after: 9, forbids, status: 204),
        // Clocks that were set back: a little does not matter, much does.
        Case([sixty], after: -100, .fresh), Case([sixty], after: -90_000, asks),
        Case([], after: -90_000, forbids, status: 404),
    ]

    @Test(arguments: cases) func `the use of a stored response follows its freshness`(_ one: Case) {
        let entry = StoredResponse(
            status: one.status, headers: one.headers.map { HTTPHeader(name: $0.0, value: $0.1) }, body: [1],
            responseTime: Self.then, delay: one.delay)
        #expect(Freshness(of: entry, now: Self.then + one.seconds, rule: one.rule).use == one.use)
    }

    @Test(
        arguments: [
            (200, [:], true), (200, ["Cache-Control": "no-store"], false), (200, ["Vary": "Accept-Encoding, *"], false),
            (200, ["Vary": "Accept"], true), (404, [:], true), (410, [:], true), (204, [:], true), (500, [:], false),
            (403, [:], false), (206, [:], false), (304, [:], false), (201, [:], false),
        ] as [(Int, [String: String], Bool)])
    func `a response may be stored by its status, Cache-Control and Vary`(
        status: Int, headers: [String: String], keeps: Bool
    ) {
        let response = HTTPResponse(
            status: status, headers: headers.map { HTTPHeader(name: $0.key, value: $0.value) }, body: [1], url: "")
        #expect(Freshness.mayStore(response, rule: CacheRule()) == keeps)
        #expect(!Freshness.mayStore(response, rule: .disabled))
    }

    @Test func `an entity tag is sent back unchanged, with or without quotes`() {
        for tag in ["\"abc\"", "W/\"abc\"", "abc"] {
            let entry = StoredResponse(
                status: 200,
                headers: [HTTPHeader(name: "Etag", value: tag), HTTPHeader(name: "Last-Modified", value: Self.date)],
                body: [1], responseTime: 0)
            #expect(
                Freshness.conditions(for: entry) == [
                    HTTPHeader(name: "If-None-Match", value: tag),
                    HTTPHeader(name: "If-Modified-Since", value: Self.date),
                ])
        }
        let bare = StoredResponse(
            status: 200, headers: [HTTPHeader(name: "Last-Modified", value: "yesterday")], body: [], responseTime: 0)
        #expect(Freshness.conditions(for: bare).isEmpty)
    }

    @Test func `a revalidation replaces header fields and renews the response`() {
        let old = StoredResponse(
            status: 200,
            headers: [("Content-Type", "image/png"), ("ETag", "a"), ("Cache-Control", "max-age=5"), ("Age", "90")].map {
                HTTPHeader(name: $0.0, value: $0.1)
            }, body: [7], responseTime: 100)
        let answer = HTTPResponse(
            status: 304,
            headers: [("content-type", "text/html"), ("cache-control", "max-age=50"), ("Set-Cookie", "x")].map {
                HTTPHeader(name: $0.0, value: $0.1)
            }, url: "")
        let new = old.confirmed(by: answer, requestTime: 198, responseTime: 200)
        #expect(new.body == [7])
        #expect(new.status == 200)
        #expect(new.responseTime == 200)
        #expect(new.delay == 2)
        #expect(
            new.headers.map { "\($0.name): \($0.value)" } == [
                "Content-Type: image/png", "ETag: a", "cache-control: max-age=50",
            ])
        #expect(Freshness(of: new, now: 247, rule: CacheRule()).use == .fresh)
        #expect(Freshness(of: new, now: 248, rule: CacheRule()).use == .ask(mayStandIn: true))
    }

    @Test(arguments: [Int.max, .min, -1]) func `any number of seconds is accepted as a lifetime`(seconds: Int) {
        let entry = StoredResponse(status: 200, headers: [], body: [1], responseTime: Self.then)
        for path in [
            \CacheRule.defaultLifetime, \.minimumLifetime, \.staleLifetime, \.negativeLifetime,
        ] as [WritableKeyPath<CacheRule, Int> & Sendable] {
            var rule = CacheRule()
            rule[keyPath: path] = seconds
            rule.maximumLifetime = seconds
            let found = Freshness(of: entry, now: Self.then + 10, rule: rule)
            #expect(found.freshUntil(now: Self.then + 10) >= Self.then + 10)
            #expect((found.use == .fresh) == (seconds == .max))
        }
    }

    @Test func `a future-dated entry is used stale only if allowed`() {
        func use(_ headers: [HTTPHeader]) -> Freshness.Use {
            let entry = StoredResponse(status: 200, headers: headers, body: [1], responseTime: Self.then + 200_000)
            return Freshness(of: entry, now: Self.then, rule: CacheRule()).use
        }
        #expect(use([]) == Self.asks)
        #expect(use([HTTPHeader(name: "Cache-Control", value: "must-revalidate")]) == Self.forbids)
    }

    @Test func `a revalidation without a date counts from its arrival`() {
        let entry = StoredResponse(
            status: 200,
            headers: [
                HTTPHeader(name: "Cache-Control", value: "max-age=60"),
                HTTPHeader(name: "Date", value: Self.date),
            ], body: [1], responseTime: Self.then)
        let confirmed = entry.confirmed(
            by: HTTPResponse(status: 304, url: ""), requestTime: Self.then + 7200, responseTime: Self.then + 7200)
        #expect(Freshness(of: confirmed, now: Self.then + 7230, rule: CacheRule()).use == .fresh)
    }
}
