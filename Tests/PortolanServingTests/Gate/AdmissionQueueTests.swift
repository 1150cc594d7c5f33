import PortolanServing
import PortolanTestSupport
import Testing

@Suite struct AdmissionQueueTests {
    @Test func `so many draw at once, others wait in order of arrival, and the rest is turned away`() {
        var queue = AdmissionQueue(capacity: 2, room: 2)
        let arrivals = (0..<5).map { _ in queue.arrive() }
        #expect(arrivals == [.admitted, .admitted, .waiting(1), .waiting(2), .refused])
        #expect(queue.leave() == 1)
        #expect(queue.arrive() == .waiting(3))
        let called = (0..<2).map { _ in queue.leave() }
        #expect(called == [2, 3])
        #expect(queue.running == 2 && queue.waiting == 0)
        let last = (0..<2).map { _ in queue.leave() }
        #expect(last == [nil, nil])
        #expect(queue.running == 0)
    }

    @Test func `who gives up waiting makes room and is not called`() {
        var queue = AdmissionQueue(capacity: 1, room: 2)
        _ = queue.arrive()
        let arrivals = (0..<2).map { _ in queue.arrive() }
        #expect(arrivals == [.waiting(1), .waiting(2)])
        let abandoned = (0..<2).map { _ in queue.abandon(1) }
        #expect(abandoned == [true, false])
        #expect(queue.arrive() == .waiting(3))
        let called = (0..<3).map { _ in queue.leave() }
        #expect(called == [2, 3, nil])
    }

    @Test func `a long line is kept in order`() {
        var queue = AdmissionQueue(capacity: 1, room: 1000)
        _ = queue.arrive()
        for _ in 0..<500 { _ = queue.arrive() }
        let called = (0..<500).map { _ in queue.leave() }
        #expect(called == (1...500).map { UInt64($0) })
    }

    @Test func `the gate lets in as many as it has places, in order, and refuses at once with a time to wait`() async {
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

    @Test func `who is cancelled while it waits leaves the line at once`() async {
        let gate = RenderGate(capacity: 1, room: 2)
        let (release, releaser) = AsyncStream<Void>.makeStream()
        let first = Task { try await gate.admitted { () throws(Problem) in for await _ in release { break } } }
        #expect(await eventually { gate.figures.running == 1 })
        let second = Task { try await gate.admitted { () throws(Problem) in Issue.record("it was let in") } }
        #expect(await eventually { gate.figures.waiting == 1 })
        second.cancel()
        await #expect(throws: Problem.self) { try await second.value }
        #expect(gate.figures.waiting == 0)
        releaser.finish()
        _ = await first.result
        #expect(gate.figures.running == 0)
    }
}
