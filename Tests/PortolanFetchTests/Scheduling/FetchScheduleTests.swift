import PortolanFetch
import TestHelpers
import Testing

/// Events at given seconds, and the effects that each has, in order.
@Suite struct FetchScheduleTests {
    enum Event: Sendable {
        /// A waiter asks for a path of host `a`.
        case ask(UInt64, String, Fetcher.Priority = Fetcher.Priority())
        case leave(UInt64)
        /// A transfer ends with a status and a header `Retry-After`.
        case status(UInt64, Int, retryAfter: Int? = nil)
        case fail(UInt64, FetchError.Code)
        case wake(UInt64)
        case wakeHost
    }

    struct Case: CustomTestStringConvertible, Sendable {
        var name: String
        var limit = 2
        var retries = RetryPolicy()
        var threshold = 3
        var script: [(at: Double, event: Event, effects: [String])]
        var testDescription: String { name }
    }

    static let cases = [
        Case(
            name: "equal requests share a transfer, and get its answer in the order they came",
            script: [
                (0, .ask(1, "x"), ["send 1"]), (0, .ask(2, "x"), []), (0, .ask(3, "y"), ["send 2"]),
                (1, .status(1, 200), ["answer 1: 200 x1", "answer 2: 200 x1"]),
                (2, .ask(4, "x"), ["send 3"]),
            ]),
        Case(
            name: "the line of a host is first come, first served", limit: 1,
            script: [
                (0, .ask(1, "x"), ["send 1"]), (0, .ask(2, "y"), []), (0, .ask(3, "z"), []),
                (1, .status(1, 200), ["answer 1: 200 x1", "send 2"]),
                (2, .status(2, 404), ["answer 2: 404 x1", "send 3"]),
            ]),
        Case(
            name: "what is seen comes before the margin, and a sooner wish pulls its equal along", limit: 1,
            script: [
                (0, .ask(1, "x"), ["send 1"]), (0, .ask(2, "y", Fetcher.Priority(isMargin: true)), []),
                (0, .ask(3, "z", Fetcher.Priority(rank: 2)), []), (1, .ask(4, "y", Fetcher.Priority(rank: 1)), []),
                (2, .status(1, 200), ["answer 1: 200 x1", "send 2"]),
                (3, .status(2, 200), ["answer 2: 200 x1", "answer 4: 200 x1", "send 3"]),
            ]),
        Case(
            name: "whoever leaves the line costs nothing; a transfer ends with its last waiter", limit: 1,
            script: [
                (0, .ask(1, "x"), ["send 1"]), (0, .ask(2, "x"), []), (0, .ask(3, "y"), []), (0, .ask(4, "z"), []),
                (1, .leave(3), []), (1, .leave(1), []), (1, .leave(2), ["stop 1"]), (1, .leave(2), []),
                (2, .fail(1, .cancelled), ["send 3"]), (3, .status(3, 200), ["answer 4: 200 x1"]),
            ]),
        Case(
            name: "what can pass is tried again after waits that double",
            script: [
                (0, .ask(1, "x"), ["send 1"]), (1, .status(1, 502), ["delay 1: 0.25"]), (1.25, .wake(1), ["send 1"]),
                (2, .fail(1, .connectionLost), ["delay 1: 0.5"]), (2, .wake(9), []), (2.5, .wake(1), ["send 1"]),
                (3, .status(1, 503), ["answer 1: 503 x3"]),
            ]),
        Case(
            name: "a server is left in peace for as long as it asks",
            script: [
                (0, .ask(1, "x"), ["send 1"]), (1, .status(1, 429, retryAfter: 5), ["delay 1: 5.0"]),
                (2, .ask(2, "y"), ["rest a: 4.0"]), (3, .ask(3, "z"), []), (6, .wakeHost, ["send 2", "send 3"]),
                (6, .wake(1), []), (7, .status(2, 200), ["answer 2: 200 x1", "send 1"]),
            ]),
        Case(
            name: "a server that asks for too long is asked nothing",
            script: [
                (0, .ask(1, "x"), ["send 1"]), (1, .status(1, 503, retryAfter: 60), ["answer 1: 503 x1"]),
                (2, .ask(2, "y"), ["answer 2: hostBusy x0"]), (61, .ask(3, "y"), ["send 3"]),
            ]),
        Case(
            name: "without tries again nobody waits as a server asks", limit: 1, retries: .none,
            script: [
                (0, .ask(1, "x"), ["send 1"]), (0, .ask(2, "y"), []),
                (1, .status(1, 503, retryAfter: 10), ["answer 1: 503 x1", "answer 2: hostBusy x0"]),
                (2, .ask(3, "z"), ["answer 3: hostBusy x0"]), (11, .ask(4, "z"), ["send 4"]),
            ]),
        Case(
            name: "who would wait longer than all tries may take is refused", limit: 1,
            retries: RetryPolicy(totalTime: .seconds(5)),
            script: [
                (0, .ask(1, "x"), ["send 1"]), (0, .ask(2, "y"), []), (3, .ask(3, "z"), []),
                // One has waited for four seconds; the other can wait for three more.
                (4, .status(1, 503, retryAfter: 3), ["answer 1: 503 x1", "answer 2: hostBusy x0", "rest a: 3.0"]),
                (5, .ask(4, "v"), []), (7, .wakeHost, ["send 3"]),
                (8, .status(3, 429, retryAfter: 10), ["answer 3: 429 x1", "answer 4: hostBusy x0"]),
                (9, .ask(5, "u"), ["answer 5: hostBusy x0"]),
            ]),
        Case(
            name: "nothing is tried again beyond the time for all tries", retries: RetryPolicy(totalTime: .seconds(1)),
            script: [(0, .ask(1, "x"), ["send 1"]), (0.9, .status(1, 502), ["answer 1: 502 x1"])]),
        Case(
            name: "whoever leaves between two tries ends the wait",
            script: [
                (0, .ask(1, "x"), ["send 1"]), (1, .status(1, 500), ["delay 1: 0.25"]), (1, .leave(1), ["forget 1"]),
                (1.25, .wake(1), []),
            ]),
        Case(
            name: "a breaker opens, refuses, lets one through, and closes", threshold: 1,
            script: [
                (0, .ask(1, "x"), ["send 1"]),
                (1, .fail(1, .cannotConnect), ["lost a", "answer 1: cannotConnect x1"]),
                (1.5, .ask(2, "y"), ["answer 2: hostUnavailable x0"]), (2, .ask(3, "z"), ["send 3"]),
                (2, .ask(4, "x"), []), (3, .status(3, 404), ["restored a", "answer 3: 404 x1", "send 4"]),
            ]),
        Case(
            name: "a breaker that opens ends the waits of its host", threshold: 1,
            script: [
                (0, .ask(1, "x"), ["send 1"]), (0, .ask(2, "y"), ["send 2"]), (1, .status(1, 502), ["delay 1: 0.25"]),
                (
                    1.1, .fail(2, .cannotResolveHost),
                    ["forget 1", "answer 1: 502 x1", "lost a", "answer 2: cannotResolveHost x1"]
                ),
                (1.25, .wake(1), []),
            ]),
        Case(
            name: "what cannot pass is not tried again", retries: RetryPolicy(maximumCount: 5),
            script: [
                (0, .ask(1, "x"), ["send 1"]), (1, .fail(1, .tls), ["answer 1: tls x1"]), (2, .status(1, 200), []),
            ]),
    ]

    @Test(arguments: cases) func `events of the schedule have their effects`(_ test: Case) {
        var schedule = FetchSchedule(
            maximumPerHost: test.limit, retries: test.retries,
            breaker: RetryPolicy.CircuitBreaker(failureThreshold: test.threshold, firstProbeDelay: .seconds(1)))
        for (step, (time, event, expected)) in test.script.enumerated() {
            let effects = Self.effects(of: event, on: &schedule, at: .seconds(time))
            #expect(effects.map(Self.text) == expected, "step \(step)")
        }
    }

    private static func effects(
        of event: Event, on schedule: inout FetchSchedule, at now: Duration
    ) -> [FetchSchedule.Effect] {
        func finish(_ ticket: UInt64, _ reply: FetchSchedule.Reply) -> [FetchSchedule.Effect] {
            schedule.finish(ticket, with: reply, at: now, calendarSeconds: 0, random: 0)
        }
        switch event {
        case .ask(let waiter, let path, let priority):
            let request = HTTPRequest(to: "http://a.test/" + path)
            return schedule.admit(request, for: waiter, host: "a", priority: priority, at: now).effects
        case .leave(let waiter): return schedule.leave(waiter, at: now)
        case .status(let ticket, let status, let retryAfter):
            let headers = retryAfter.map { [HTTPHeader(name: "Retry-After", value: "\($0)")] } ?? []
            return finish(ticket, .success(HTTPResponse(status: status, headers: headers, url: "http://a.test/")))
        case .fail(let ticket, let code):
            return finish(ticket, .failure(FetchError(code, url: "http://a.test/", detail: "failed")))
        case .wake(let ticket): return schedule.wake(ticket, at: now)
        case .wakeHost: return schedule.wake(host: "a", at: now)
        }
    }

    private static func text(_ effect: FetchSchedule.Effect) -> String {
        func seconds(_ duration: Duration) -> Double { duration / .seconds(1) }
        switch effect {
        case .send(let ticket, _): return "send \(ticket)"
        case .stop(let ticket): return "stop \(ticket)"
        case .forget(let ticket): return "forget \(ticket)"
        case .delay(let ticket, let duration): return "delay \(ticket): \(seconds(duration))"
        case .rest(let host, let duration): return "rest \(host): \(seconds(duration))"
        case .lost(let host, _): return "lost \(host)"
        case .restored(let host): return "restored \(host)"
        case .answer(let waiter, .success(let response), let count):
            return "answer \(waiter): \(response.status) x\(count)"
        case .answer(let waiter, .failure(let error), let count): return "answer \(waiter): \(error.code) x\(count)"
        }
    }
}
