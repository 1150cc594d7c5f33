import PortolanServerCore
import TestHelpers
import Testing

@Suite struct AdmissionQueueTests {
    /// Arrivals of some clients, one after another.
    private func arrivals(_ clients: String, at queue: inout AdmissionQueue) -> [AdmissionQueue.Admission] {
        clients.map { queue.arrive(String($0)) }
    }

    /// The tickets that are called after a number of departures.
    private func calls(_ count: Int, of queue: inout AdmissionQueue, after seconds: Double? = nil) -> [UInt64?] {
        (0..<count).map { _ in queue.leave(after: seconds) }
    }

    @Test func `requests over capacity wait in order of arrival, and the rest is rejected`() {
        var queue = AdmissionQueue(capacity: 2, room: 2)
        let first = arrivals("aaaa", at: &queue)
        #expect(first == [.admitted, .admitted, .waiting(1), .waiting(2)])
        guard case .refused(let seconds) = queue.arrive("a") else {
            Issue.record("it was let in")
            return
        }
        #expect(seconds > 0)
        #expect(queue.leave() == 1)
        #expect(queue.arrive("a") == .waiting(3))
        let called1 = calls(2, of: &queue)
        #expect(called1 == [2, 3])
        #expect(queue.running == 2 && queue.waiting == 0 && queue.waitingClients == 0)
        let called2 = calls(2, of: &queue)
        #expect(called2 == [nil, nil])
        #expect(queue.running == 0)
    }

    @Test func `a request that leaves the queue makes room and is not called`() {
        var queue = AdmissionQueue(capacity: 1, room: 2)
        _ = queue.arrive("a")
        let arrived3 = arrivals("ab", at: &queue)
        #expect(arrived3 == [.waiting(1), .waiting(2)])
        let abandoned = (0..<2).map { _ in queue.abandon(1) }
        #expect(abandoned == [true, false])
        #expect(queue.arrive("b") == .waiting(3))
        let called4 = calls(3, of: &queue)
        #expect(called4 == [2, 3, nil])
        let isAbandoned = queue.abandon(3)
        #expect(!isAbandoned, "it is not in the line any more")
    }

    @Test func `a long queue keeps its order`() {
        var queue = AdmissionQueue(capacity: 1, room: 1000)
        for _ in 0...500 { _ = queue.arrive("a") }
        let called5 = calls(500, of: &queue)
        #expect(called5 == (1...500).map { UInt64($0) })
    }

    @Test(arguments: [
        // A client that asks for much delays another by one render only.
        ("aaaaab", [1, 5, 2, 3, 4]), ("aabbcc", [1, 2, 4, 3, 5]), ("abcabc", [1, 2, 3, 4, 5]), ("aabab", [1, 2, 3, 4]),
    ])
    func `clients take turns, each in order of its own arrivals`(clients: String, order: [Int]) {
        var queue = AdmissionQueue(capacity: 1, room: 100)
        _ = arrivals(clients, at: &queue)
        let called6 = calls(order.count, of: &queue)
        #expect(called6 == order.map { UInt64($0) })
    }

    @Test func `a client that returns after it was served queues behind the others`() {
        var queue = AdmissionQueue(capacity: 1, room: 100)
        _ = arrivals("abc", at: &queue)
        #expect(queue.leave() == 1)
        let arrived7 = arrivals("b", at: &queue)
        #expect(arrived7 == [.waiting(3)])
        let called8 = calls(3, of: &queue)
        #expect(called8 == [2, 3, nil])
    }

    @Test func `in a full queue the busiest client loses its newest request to one with fewer`() {
        var queue = AdmissionQueue(capacity: 1, room: 4)
        _ = arrivals("aaaaa", at: &queue)
        #expect(queue.arrive("b") == .waiting(5, displacing: 4))
        #expect(queue.arrive("b") == .waiting(6, displacing: 3))
        // Each has two now.
        for client in ["a", "b"] {
            guard case .refused = queue.arrive(client) else {
                Issue.record("\(client) was let in")
                return
            }
        }
        #expect(queue.arrive("c") == .waiting(7, displacing: 2))
        #expect(queue.waiting == 4 && queue.waitingClients == 3)
    }

    @Test(arguments: [
        // Seconds of a render, and how many may then wait at two slots until a deadline of ten seconds.
        (0.008, 1000), (0.05, 397), (0.5, 37), (1, 17), (4, 2), (9.9, 0),
    ])
    func `a request is refused only if it could not be drawn before its deadline`(seconds: Double, count: Int) {
        var queue = AdmissionQueue(capacity: 2, room: 1000, deadline: 10)
        for _ in 0..<64 {
            _ = queue.arrive("a")
            _ = queue.leave(after: seconds)
        }
        #expect(abs(queue.meanSeconds - seconds) < 1e-9)
        var waiting = 0, retry = 0.0
        for _ in 0..<1100 {
            switch queue.arrive("a") {
            case .admitted: break
            case .waiting: waiting += 1
            case .refused(let seconds): retry = seconds
            }
        }
        #expect(abs(waiting - count) <= 1)
        #expect(retry > 0)
        // A client that has asked for nothing yet is not turned away for the sake of one that asked for too much.
        if seconds < 3 {
            switch queue.arrive("b") {
            case .waiting: break
            case .admitted, .refused: Issue.record("the second client does not wait")
            }
        }
    }

    @Test func `one slow render does not cause rejections`() {
        var queue = AdmissionQueue(capacity: 2, room: 1000, deadline: 10)
        _ = queue.arrive("a")
        _ = queue.leave(after: 3)
        for _ in 0..<2 { _ = queue.arrive("a") }
        let admissions = (1...150).map { _ in queue.arrive("a") }
        #expect(admissions == (1...150).map { .waiting($0) })
    }

    @Test func `the gate admits its capacity, in order, and rejects at once with a retry time`() async {
        let gate = RenderGate(capacity: 1, room: 2), order = Shared<[Int]>([])
        let (release, releaser) = AsyncStream<Void>.makeStream()
        let first = Task {
            try await gate.admitted { () throws(Problem) in
                for await _ in release { break }
                order.change { $0.append(0) }
            }
        }
        #expect(await eventually { gate.figures.running == 1 })
        var waiting: [Task<Void, any Error>] = []
        for number in 1...2 {
            waiting.append(
                Task { try await gate.admitted { () throws(Problem) in order.change { $0.append(number) } } })
            #expect(await eventually { gate.figures.waiting == number })
        }
        do throws(Problem) {
            try await gate.admitted { () throws(Problem) in order.change { $0.append(9) } }
            Issue.record("it was let in")
        } catch {
            #expect(error.kind == .overloaded)
            #expect((error.retryAfter ?? 0) >= 1)
        }
        releaser.finish()
        _ = await first.result
        for task in waiting { _ = await task.result }
        #expect(order.value == [0, 1, 2])
        #expect(gate.figures.running == 0 && gate.figures.refused == 1 && gate.figures.admitted == 3)
    }

    @Test func `the gate rejects the newest request of the busiest client to admit another client`() async {
        let gate = RenderGate(capacity: 1, room: 2), order = Shared<[String]>([])
        let (release, releaser) = AsyncStream<Void>.makeStream()
        let first = Task {
            try await gate.admitted(for: "a") { () throws(Problem) in for await _ in release { break } }
        }
        #expect(await eventually { gate.figures.running == 1 })
        var waiting: [Task<Void, any Error>] = []
        for number in 1...2 {
            waiting.append(
                Task {
                    try await gate.admitted(for: "a") { () throws(Problem) in order.change { $0.append("a\(number)") } }
                })
            #expect(await eventually { gate.figures.waiting == number })
        }
        let other = Task {
            try await gate.admitted(for: "b") { () throws(Problem) in order.change { $0.append("b") } }
        }
        do {
            try await waiting[1].value
            Issue.record("it was let in")
        } catch { #expect((error as? Problem)?.kind == .overloaded) }
        #expect(gate.figures.waiting == 2 && gate.figures.waitingClients == 2 && gate.figures.refused == 1)
        releaser.finish()
        _ = await (first.result, waiting[0].result, other.result)
        #expect(order.value == ["a1", "b"])
        #expect(gate.figures.running == 0)
    }

    @Test func `a cancelled request leaves the queue at once`() async {
        let gate = RenderGate(capacity: 1, room: 2)
        let (release, releaser) = AsyncStream<Void>.makeStream()
        let first = Task { try await gate.admitted { () throws(Problem) in for await _ in release { break } } }
        #expect(await eventually { gate.figures.running == 1 })
        let second = Task { try await gate.admitted { () throws(Problem) in Issue.record("it was let in") } }
        #expect(await eventually { gate.figures.waiting == 1 })
        second.cancel()
        await #expect(throws: Problem.self) { try await second.value }
        #expect(gate.figures.waiting == 0 && gate.figures.abandoned == 1)
        releaser.finish()
        _ = await first.result
        #expect(gate.figures.running == 0)
    }
}
