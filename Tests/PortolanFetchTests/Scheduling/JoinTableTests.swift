import PortolanFetch
import PortolanWeb
import Testing

struct JoinTableTests {
    private let request = HTTPRequest(to: "http://a.test/")

    @Test func `equal requests share a transfer and are answered in order`() {
        var table = JoinTable()
        guard case .opened(let ticket) = table.admit(request, for: 1) else {
            Issue.record("the first opens")
            return
        }
        var patient = request
        patient.timeouts.total = .seconds(1)
        guard case .joined(ticket) = table.admit(patient, for: 2) else {
            Issue.record("the second joins")
            return
        }
        #expect(table.complete(ticket) == [1, 2])
        #expect(table.complete(ticket) == [])
        #expect(table.waiterCount == 0)
        guard case .opened = table.admit(request, for: 3) else {
            Issue.record("what is complete cannot be joined")
            return
        }
    }

    @Test(arguments: [
        HTTPRequest(to: "http://a.test/x"),
        HTTPRequest(to: "http://a.test/", headers: [HTTPHeader(name: "A", value: "b")]),
        HTTPRequest(to: "http://a.test/", body: HTTPRequest.Body(bytes: [1])),
        HTTPRequest(to: "http://a.test/", maximumBodyByteCount: 65 << 20),
    ])
    func `different requests, and those that allow more, do not join`(_ other: HTTPRequest) {
        var table = JoinTable()
        _ = table.admit(request, for: 1)
        guard case .opened = table.admit(other, for: 2) else {
            Issue.record("joined")
            return
        }
    }

    @Test func `a transfer is given up only when the last waiter leaves`() {
        var table = JoinTable()
        guard case .opened(let ticket) = table.admit(request, for: 1),
            case .joined = table.admit(request, for: 2)
        else {
            Issue.record("the second joins")
            return
        }
        #expect(table.leave(1) == nil)
        #expect(table.leave(1) == nil)
        #expect(table.leave(2) == ticket)
        #expect(table.complete(ticket) == [])
    }

    @Test func `an abandoned transfer is not joined`() {
        var table = JoinTable()
        guard case .opened(let ticket) = table.admit(request, for: 1) else { return }
        #expect(table.leave(1) == ticket)
        guard case .opened(let next) = table.admit(request, for: 2) else {
            Issue.record("joined a transfer under cancellation")
            return
        }
        #expect(next != ticket)
        #expect(table.complete(ticket) == [])
        guard case .joined(next) = table.admit(request, for: 3) else {
            Issue.record("the end of the old transfer closed the new one")
            return
        }
    }
}
