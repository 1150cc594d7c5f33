import PortolanFetch
import Testing

struct RequestQueueTests {
    enum Event: Sendable {
        case enqueue(Int, String)
        case finish(Int)
        case cancel(Int)
    }

    enum Outcome: Equatable, Sendable {
        case start(Int)
        case nothing
        case removed
        case stop
        case unknown
    }

    struct Case: CustomTestStringConvertible, Sendable {
        let name: String
        let limit: Int
        let script: [(Event, Outcome)]
        var testDescription: String { name }
    }

    static let cases = [
        Case(
            name: "the limit holds and the line is first come, first served", limit: 2,
            script: [
                (.enqueue(1, "a"), .start(1)), (.enqueue(2, "a"), .start(2)), (.enqueue(3, "a"), .nothing),
                (.enqueue(4, "a"), .nothing), (.finish(2), .start(3)), (.finish(1), .start(4)),
                (.finish(3), .nothing), (.finish(4), .nothing), (.enqueue(5, "a"), .start(5)),
            ]),
        Case(
            name: "hosts do not wait for each other", limit: 1,
            script: [
                (.enqueue(1, "a"), .start(1)), (.enqueue(2, "a"), .nothing), (.enqueue(3, "b"), .start(3)),
                (.enqueue(4, "b"), .nothing), (.finish(3), .start(4)), (.finish(1), .start(2)),
            ]),
        Case(
            name: "a cancelled ticket leaves the line", limit: 1,
            script: [
                (.enqueue(1, "a"), .start(1)), (.enqueue(2, "a"), .nothing), (.enqueue(3, "a"), .nothing),
                (.enqueue(4, "a"), .nothing), (.cancel(2), .removed), (.cancel(3), .removed), (.cancel(2), .unknown),
                (.finish(1), .start(4)),
            ]),
        Case(
            name: "a cancelled transfer keeps its slot until it has ended", limit: 1,
            script: [
                (.enqueue(1, "a"), .start(1)), (.enqueue(2, "a"), .nothing), (.cancel(1), .stop),
                (.enqueue(3, "a"), .nothing), (.finish(1), .start(2)), (.finish(2), .start(3)),
            ]),
        Case(
            name: "a line emptied by cancellation starts afresh", limit: 1,
            script: [
                (.enqueue(1, "a"), .start(1)), (.enqueue(2, "a"), .nothing), (.cancel(2), .removed),
                (.enqueue(3, "a"), .nothing), (.finish(1), .start(3)), (.finish(3), .nothing),
            ]),
        Case(
            name: "what is unknown changes nothing", limit: 1,
            script: [
                (.finish(9), .nothing), (.cancel(9), .unknown), (.enqueue(1, "a"), .start(1)),
                (.enqueue(2, "a"), .nothing), (.finish(2), .nothing), (.finish(1), .start(2)),
            ]),
    ]

    @Test(arguments: cases)
    func `events have the outcomes of the table`(_ test: Case) {
        var queue = RequestQueue<Int>(maximumPerHost: test.limit)
        for (step, (event, expected)) in test.script.enumerated() {
            #expect(RequestQueueTests.outcome(of: event, in: &queue) == expected, "step \(step)")
        }
    }

    private static func outcome(of event: Event, in queue: inout RequestQueue<Int>) -> Outcome {
        switch event {
        case .enqueue(let ticket, let host):
            queue.enqueue(ticket, host: host)
            return queue.startNext(host: host).map { .start($0) } ?? .nothing
        case .finish(let ticket):
            return queue.finish(ticket).flatMap { queue.startNext(host: $0) }.map { .start($0) } ?? .nothing
        case .cancel(let ticket):
            switch queue.cancel(ticket) {
            case .removed: return .removed
            case .stop: return .stop
            case .unknown: return .unknown
            }
        }
    }

    @Test func `a long queue keeps its order and ends empty`() {
        var queue = RequestQueue<Int>(maximumPerHost: 3)
        var running: [Int] = []
        for ticket in 0..<1000 {
            queue.enqueue(ticket, host: "a")
            if let next = queue.startNext(host: "a") { running.append(next) }
        }
        for ticket in stride(from: 10, to: 1000, by: 10) { #expect(queue.cancel(ticket) == .removed) }
        var order = running
        while !running.isEmpty {
            #expect(queue.runningCount <= 3)
            queue.finish(running.removeFirst())
            if let next = queue.startNext(host: "a") {
                running.append(next)
                order.append(next)
            }
        }
        #expect(order == (0..<1000).filter { $0 < 10 || $0 % 10 != 0 })
        #expect(queue.waitingCount == 0)
    }

    /// All that waits, one after the other.
    private static func line(_ queue: inout RequestQueue<Int>) -> [Int] {
        var line: [Int] = []
        while let next = queue.startNext(host: "a") {
            line.append(next)
            queue.finish(next)
        }
        return line
    }

    @Test func `the centre comes before the edge, and visible requests before the margin`() {
        var queue = RequestQueue<Int>(maximumPerHost: 1)
        for ticket in 0..<4 {
            queue.enqueue(ticket, host: "a", priority: Fetcher.Priority(isMargin: true, rank: ticket))
        }
        for ticket in (4..<8).reversed() { queue.enqueue(ticket, host: "a", priority: Fetcher.Priority(rank: ticket)) }
        queue.enqueue(8, host: "a", priority: Fetcher.Priority())
        #expect(Self.line(&queue) == [8, 4, 5, 6, 7, 0, 1, 2, 3])
    }

    @Test func `two views take turns, and neither starves`() {
        var queue = RequestQueue<Int>(maximumPerHost: 1)
        for rank in 0..<4 { queue.enqueue(10 + rank, host: "a", priority: Fetcher.Priority(rank: rank)) }
        for rank in 0..<4 { queue.enqueue(20 + rank, host: "a", priority: Fetcher.Priority(rank: rank)) }
        #expect(Self.line(&queue) == [10, 20, 11, 21, 12, 22, 13, 23])
        // The rim of one view against view upon view that begins.
        queue.enqueue(0, host: "a", priority: Fetcher.Priority(rank: 20))
        var served: [Int] = []
        for view in 1..<100 where !served.contains(0) {
            for rank in 0..<3 { queue.enqueue(10 * view + rank, host: "a", priority: Fetcher.Priority(rank: rank)) }
            for _ in 0..<3 {
                guard let next = queue.startNext(host: "a") else { break }
                served.append(next)
                queue.finish(next)
            }
        }
        #expect(served.contains(0))
    }

    @Test func `requests without a view do not starve a view`() {
        var queue = RequestQueue<Int>(maximumPerHost: 1)
        queue.enqueue(0, host: "a", priority: Fetcher.Priority(rank: 5))
        var count = 0
        while count < 1000 {
            count += 1
            queue.enqueue(count, host: "a")
            guard let next = queue.startNext(host: "a") else { break }
            queue.finish(next)
            if next == 0 { break }
        }
        #expect(count < 200)
    }

    @Test func `a request with a higher priority moves up`() {
        var queue = RequestQueue<Int>(maximumPerHost: 1)
        for ticket in 1...3 {
            queue.enqueue(ticket, host: "a", priority: Fetcher.Priority(isMargin: true, rank: ticket))
        }
        queue.setPriority(Fetcher.Priority(rank: 9), of: 3)
        queue.setPriority(Fetcher.Priority(rank: 9), of: 7)
        #expect(queue.waitingCount == 3)
        #expect(Self.line(&queue) == [3, 1, 2])
    }

    @Test func `a queue is emptied in its order`() {
        var queue = RequestQueue<Int>(maximumPerHost: 1)
        for ticket in 1...4 { queue.enqueue(ticket, host: "a", priority: Fetcher.Priority(rank: -ticket)) }
        #expect(queue.startNext(host: "a") == 1)
        #expect(queue.cancel(3) == .removed)
        #expect(queue.removeAllWaiting(host: "a") == [2, 4])
        #expect(queue.waitingCount(host: "a") == 0)
        #expect(queue.runningCount == 1)
        #expect(queue.cancel(2) == .unknown)
        #expect(queue.finish(1) == "a")
        #expect(queue.removeAllWaiting(host: "a").isEmpty)
    }
}
