import PortolanFetch
import Testing

struct JoinTableTests {
    private let request = HTTPRequest(url: "http://a.test/")

    @Test func `equal requests share a transfer and are answered in order`() {
        var table = JoinTable()
        let first = table.admit(request)
        guard case .opened(let ticket, let waiter) = first else {
            Issue.record("the first opens")
            return
        }
        var patient = request
        patient.timeouts.total = .seconds(1)
        guard case .joined(ticket, let second) = table.admit(patient) else {
            Issue.record("the second joins")
            return
        }
        #expect(table.complete(ticket) == [waiter, second])
        #expect(table.complete(ticket) == [])
        #expect(table.waiterCount == 0)
        guard case .opened = table.admit(request) else {
            Issue.record("what is complete cannot be joined")
            return
        }
    }

    @Test(arguments: [
        HTTPRequest(url: "http://a.test/x"),
        HTTPRequest(url: "http://a.test/", headers: [HTTPHeader(name: "A", value: "b")]),
        HTTPRequest(url: "http://a.test/", maximumBodyByteCount: 65 << 20),
    ])
    func `other requests, and those that allow more, do not join`(_ other: HTTPRequest) {
        var table = JoinTable()
        _ = table.admit(request)
        guard case .opened = table.admit(other) else {
            Issue.record("joined")
            return
        }
    }

    @Test func `only the last to leave gives the transfer up`() {
        var table = JoinTable()
        guard case .opened(let ticket, let first) = table.admit(request),
            case .joined(_, let second) = table.admit(request)
        else {
            Issue.record("the second joins")
            return
        }
        #expect(table.leave(first) == nil)
        #expect(table.leave(first) == nil)
        #expect(table.leave(second) == ticket)
        #expect(table.complete(ticket) == [])
    }

    @Test func `a transfer given up is not joined`() {
        var table = JoinTable()
        guard case .opened(let ticket, let waiter) = table.admit(request) else { return }
        #expect(table.leave(waiter) == ticket)
        guard case .opened(let next, _) = table.admit(request) else {
            Issue.record("joined a transfer under cancellation")
            return
        }
        #expect(next != ticket)
        #expect(table.complete(ticket) == [])
        guard case .joined(next, _) = table.admit(request) else {
            Issue.record("the end of the old transfer closed the new one")
            return
        }
    }
}
