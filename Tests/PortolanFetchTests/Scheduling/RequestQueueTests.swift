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
    func `follows the table`(_ test: Case) {
        var queue = RequestQueue<Int>(maximumPerHost: test.limit)
        for (step, (event, expected)) in test.script.enumerated() {
            #expect(RequestQueueTests.outcome(of: event, in: &queue) == expected, "step \(step)")
        }
    }

    private static func outcome(of event: Event, in queue: inout RequestQueue<Int>) -> Outcome {
        switch event {
        case .enqueue(let ticket, let host):
            return queue.enqueue(ticket, host: host) ? .start(ticket) : .nothing
        case .finish(let ticket):
            return queue.finish(ticket).map { .start($0) } ?? .nothing
        case .cancel(let ticket):
            switch queue.cancel(ticket) {
            case .removed: return .removed
            case .stop: return .stop
            case .unknown: return .unknown
            }
        }
    }

    @Test func `a long line keeps its order and ends empty`() {
        var queue = RequestQueue<Int>(maximumPerHost: 3)
        var running: [Int] = []
        for ticket in 0..<1000 where queue.enqueue(ticket, host: "a") { running.append(ticket) }
        for ticket in stride(from: 10, to: 1000, by: 10) { #expect(queue.cancel(ticket) == .removed) }
        var order = running
        while !running.isEmpty {
            #expect(queue.runningCount <= 3)
            if let next = queue.finish(running.removeFirst()) {
                running.append(next)
                order.append(next)
            }
        }
        #expect(order == (0..<1000).filter { $0 < 10 || $0 % 10 != 0 })
        #expect(queue.waitingCount == 0)
    }
}
