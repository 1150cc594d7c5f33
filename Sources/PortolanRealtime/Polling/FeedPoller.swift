import Foundation
import PortolanFetch
import PortolanWeb
import Synchronization

/// A response that was received before its feed was created, for example to detect the format.
///
/// It replaces the first request.
package final class FirstAnswer: Sendable {
    private let body: Mutex<[UInt8]?>

    package init(_ body: [UInt8]) { self.body = Mutex(body) }

    func take() -> [UInt8]? {
        body.withLock { body in
            defer { body = nil }
            return body
        }
    }
}

/// A parser for polled responses, which keeps the state it needs from earlier ones.
protocol PolledReader: Sendable {
    /// Returns the events of a response.
    ///
    /// - Parameter index: the index of the request.
    mutating func events(of body: [UInt8], from index: Int, now: Date) throws(FeedError) -> [FeedEvent]
}

/// Polls URLs and delivers the events of changed responses.
///
/// Requests are conditional if the server sends validators (RFC 9110, section 13), and a response equal to the previous
/// one is not parsed. Failed requests are repeated with increasing delays. The state is `live` while the last response
/// of each URL was valid.
struct FeedPoller<Reader: PolledReader>: Sendable {
    /// The name used in messages.
    let name: String
    /// The requests.
    let requests: [HTTPRequest]
    /// The fetcher.
    let fetcher: Fetcher
    /// The time between two requests of a URL.
    let pace: Duration
    let clock: FetchClock
    /// The initial state of the parser.
    let reader: Reader
    /// The first response of the first URL, if it was received before.
    var first: FirstAnswer?

    /// Returns the events of interest until the stream is released or its task is cancelled.
    ///
    /// No requests are made while events are waiting to be read.
    func events(for interests: AsyncStream<VehicleInterest>) -> AsyncStream<FeedEvent> {
        let inbox = FeedInbox(), outbox = FeedOutbox(room: inbox.bell)
        let listening = Task {
            for await interest in interests { inbox.put(interest) }
        }
        let running = Task {
            await run(inbox, outbox)
            listening.cancel()
            outbox.end()
        }
        return outbox.stream { running.cancel() }
    }

    private var now: Date { Date(timeIntervalSince1970: Double(clock.calendarSeconds())) }

    private func run(_ inbox: FeedInbox, _ outbox: FeedOutbox) async {
        var reader = reader, interest = VehicleInterest()
        var schedule = PollSchedule(count: requests.count, pace: pace)
        var conditions = Array(repeating: [HTTPHeader](), count: requests.count)
        var failing: Set<Int> = [], unheard = Set(requests.indices), isLive = false
        outbox.put([.state(.connecting)])
        while !Task.isCancelled, !requests.isEmpty {
            for index in schedule.due(at: clock.now()) {
                while !outbox.hasRoom, !Task.isCancelled { await inbox.bell.wait() }
                if let newest = inbox.takeInterest(), newest != interest {
                    interest = newest
                    // Vehicles that were filtered out may be of interest now, so the full response is requested.
                    conditions = conditions.map { _ in [] }
                }
                let answer =
                    if index == 0, let body = first?.take() {
                        Result<HTTPResponse?, FeedError>.success(
                            HTTPResponse(status: 200, body: body, url: requests[0].url))
                    } else { await answer(to: index, with: conditions[index]) }
                if Task.isCancelled { return }
                do throws(FeedError) {
                    if let answer = try answer.get() {
                        let events = try reader.events(of: answer.body, from: index, now: now)
                        conditions[index] = Self.conditions(after: answer)
                        if let newest = inbox.takeInterest(), newest != interest {
                            interest = newest
                            conditions = conditions.map { _ in [] }
                        }
                        outbox.put(events.map { $0.chosen(by: interest) })
                    }
                    schedule.succeeded(index, at: clock.now())
                    failing.remove(index)
                    unheard.remove(index)
                } catch {
                    // After an invalid response, the full response is requested.
                    conditions[index] = []
                    let wait = schedule.failed(index, at: clock.now(), random: clock.random())
                    failing.insert(index)
                    isLive = false
                    outbox.put([.state(.lost(error, retry: wait))])
                }
                if !isLive, failing.isEmpty, unheard.isEmpty {
                    isLive = true
                    outbox.put([.state(.live)])
                }
            }
            await clock.sleep(max(schedule.wait(at: clock.now()), .milliseconds(1)))
        }
    }

    /// Returns the response, or `nil` if nothing has changed.
    private func answer(to index: Int, with conditions: [HTTPHeader]) async -> Result<HTTPResponse?, FeedError> {
        var request = requests[index]
        request.headers += conditions
        let response: HTTPResponse
        do throws(FetchError) { response = try await fetcher.fetch(request) } catch {
            return .failure(FeedError(request: error, source: name))
        }
        if response.status == 304, !conditions.isEmpty { return .success(nil) }
        guard response.isSuccessful else {
            let isRefused = response.status == 401 || response.status == 403
            return .failure(
                FeedError(
                    isRefused ? .refused : .reported, source: name,
                    "the server responded with status \(response.status)"))
        }
        return .success(response)
    }

    private static func conditions(after response: HTTPResponse) -> [HTTPHeader] {
        var conditions: [HTTPHeader] = []
        if let tag = response.header("ETag") { conditions.append(HTTPHeader(name: "If-None-Match", value: tag)) }
        if let date = response.header("Last-Modified") {
            conditions.append(HTTPHeader(name: "If-Modified-Since", value: date))
        }
        return conditions
    }
}

extension FeedEvent {
    /// Returns the event without vehicles that are not of interest.
    func chosen(by interest: VehicleInterest) -> FeedEvent {
        guard interest != VehicleInterest() else { return self }
        return switch self {
        case .reports(let reports): .reports(reports.filter(interest.contains))
        case .snapshot(let reports, let time): .snapshot(reports.filter(interest.contains), time: time)
        case .gone, .trips, .disruptions, .losses, .state: self
        }
    }
}

extension FeedError {
    /// Converts the error of a request.
    init(request error: FetchError, source: String) {
        let code: Code =
            switch error.code {
            case .bodyTooLarge, .headerTooLarge: .limitExceeded
            case .malformedResponse: .malformed
            case .unsupportedScheme, .invalidURL, .invalidRequest: .unsupported
            case .addressRefused, .tls: .refused
            case .timedOut: .silent
            default: .unreachable
            }
        self.init(code, source: source, error.code.words)
    }
}
