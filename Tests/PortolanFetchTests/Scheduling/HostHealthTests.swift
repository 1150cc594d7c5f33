import PortolanFetch
import Testing

struct HostHealthTests {
    private static func health(threshold: Int = 3, retries: RetryPolicy = RetryPolicy()) -> HostHealth {
        HostHealth(
            retries: retries,
            breaker: RetryPolicy.CircuitBreaker(
                failureThreshold: threshold, firstProbeDelay: .seconds(1), longestProbeDelay: .seconds(5)))
    }

    private static func fail(_ health: inout HostHealth, begun: Double, at now: Double) -> Bool {
        health.failed("refused", begunAt: .seconds(begun), at: .seconds(now), random: 0)
    }

    @Test func `the breaker opens, lets a probe through, and stays open longer while probes fail`() {
        var health = Self.health()
        #expect(health.permission(at: .zero) == .go)
        #expect(!Self.fail(&health, begun: 0, at: 0))
        #expect(!Self.fail(&health, begun: 1, at: 1))
        #expect(Self.fail(&health, begun: 2, at: 2))
        #expect(health.permission(at: .seconds(2)) == .unavailable(retryIn: .seconds(1)))
        #expect(health.permission(at: .seconds(2.75)) == .unavailable(retryIn: .seconds(0.25)))
        for (now, delay) in [(3.0, 2.0), (5, 4), (9, 5), (14, 5)] {
            #expect(health.permission(at: .seconds(now)) == .probe)
            health.beginProbe()
            #expect(health.permission(at: .seconds(now + 100)) == .hold)
            #expect(Self.fail(&health, begun: now, at: now))
            #expect(health.permission(at: .seconds(now)) == .unavailable(retryIn: .seconds(delay)))
        }
        #expect(health.failureCount == 7)
        health.beginProbe()
        health.answered(isGood: true)
        #expect(health.permission(at: .seconds(19)) == .go)
        #expect(health.isUnremarkable(at: .seconds(19)))
    }

    @Test func `a cancelled probe lets the next one through`() {
        var health = Self.health(threshold: 1)
        #expect(Self.fail(&health, begun: 0, at: 0))
        health.beginProbe()
        health.abandonProbe(at: .seconds(4))
        #expect(health.permission(at: .seconds(4)) == .probe)
    }

    @Test func `failures at the same time count once`() {
        var health = Self.health()
        for _ in 0..<6 { #expect(!Self.fail(&health, begun: 0, at: 1)) }
        #expect(health.failureCount == 1)
        #expect(!Self.fail(&health, begun: 1, at: 1))
        #expect(health.failureCount == 1)
        #expect(!Self.fail(&health, begun: 1.25, at: 1.5))
        #expect(health.failureCount == 2)
    }

    @Test func `any response resets the failure count`() {
        var health = Self.health()
        for round in 0..<10 {
            #expect(!Self.fail(&health, begun: Double(round), at: Double(round)))
            #expect(!Self.fail(&health, begun: Double(round) + 0.5, at: Double(round) + 0.5))
            health.answered(isGood: false)
            #expect(health.permission(at: .seconds(round)) == .go)
        }
    }

    @Test func `after a failure the host rests, and a response ends the rest`() {
        var health = Self.health()
        _ = Self.fail(&health, begun: 0, at: 0)
        #expect(health.permission(at: .zero) == .wait(until: .milliseconds(250)))
        _ = Self.fail(&health, begun: 0.25, at: 0.25)
        #expect(health.permission(at: .milliseconds(250)) == .wait(until: .milliseconds(750)))
        #expect(health.permission(at: .milliseconds(750)) == .go)
        health.answered(isGood: true)
        #expect(health.permission(at: .milliseconds(250)) == .go)
        var once = Self.health(retries: .none)
        _ = Self.fail(&once, begun: 0, at: 0)
        #expect(once.permission(at: .zero) == .go, "where nothing is tried again nothing waits")
    }

    @Test func `a requested pause is kept by waiting or by refusing requests`() {
        var health = Self.health()
        health.wantsPeace(for: .seconds(30), at: .seconds(10))
        health.answered(isGood: true)
        #expect(health.permission(at: .seconds(10)) == .wait(until: .seconds(40)), "an answer does not end it")
        #expect(health.permission(at: .seconds(40)) == .go)
        health.wantsPeace(for: .seconds(31), at: .seconds(100))
        #expect(health.permission(at: .seconds(101)) == .busy(retryIn: .seconds(30)))
        #expect(health.permission(at: .seconds(131)) == .go)
        health.wantsPeace(for: .seconds(1_000_000), at: .seconds(200))
        #expect(health.permission(at: .seconds(200)) == .busy(retryIn: .seconds(3600)), "an hour at the most")
    }

    @Test func `retries use a budget that responses and time refill`() {
        var health = Self.health(retries: RetryPolicy(budgetPerHost: 2))
        func takes(_ seconds: Int) -> Bool { health.takeRetry(at: .seconds(seconds)) }
        #expect(takes(0))
        #expect(takes(0))
        #expect(!takes(0))
        for _ in 0..<9 { health.answered(isGood: true) }
        #expect(!takes(0))
        health.answered(isGood: false)
        #expect(!takes(0), "only good answers count")
        health.answered(isGood: true)
        #expect(takes(0))
        #expect(!takes(0))
        #expect(!takes(9))
        #expect(takes(10))
        #expect(!takes(10))
        #expect(takes(1000) && takes(1000) && !takes(1000), "never more than the whole")
    }

    @Test func `a budget may be unlimited`() {
        var record = HostHealth(retries: RetryPolicy(budgetPerHost: .max), breaker: .none)
        for second in 0..<100 {
            record.answered(isGood: true)
            #expect(record.takeRetry(at: .seconds(second)) == true)
            #expect(record.isUnremarkable(at: .seconds(second)) == false)
        }
    }
}
