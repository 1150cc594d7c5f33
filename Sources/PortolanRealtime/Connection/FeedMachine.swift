import Foundation
import PortolanFetch

/// A point in time on a monotonic clock and in the calendar.
struct Moment: Sendable {
    /// The monotonic time since an arbitrary start.
    var now: Duration
    /// The date, which is used for reports without a time.
    var date: Date

    /// Creates a moment.
    init(now: Duration, date: Date) {
        self.now = now
        self.date = date
    }

    /// Creates the current moment of a clock.
    init(_ clock: FetchClock) {
        self.init(now: clock.now(), date: Date(timeIntervalSince1970: TimeInterval(clock.calendarSeconds())))
    }
}

/// The protocol logic of a vehicle feed without connection and clock: it takes bytes, interests and times, and returns
/// bytes and events.
protocol FeedMachine: Sendable {
    /// Starts on a new connection.
    ///
    /// Data about vehicles are kept.
    mutating func begin(_ interest: VehicleInterest, at moment: Moment, into step: inout FeedStep)
    /// Processes received bytes.
    mutating func receive(_ bytes: [UInt8], at moment: Moment, into step: inout FeedStep) throws(FeedError)
    /// Changes the interest.
    mutating func choose(_ interest: VehicleInterest, at moment: Moment, into step: inout FeedStep)
    /// Performs due actions.
    ///
    /// - Parameter isReading: whether received bytes are being read. If not, silence of the other side is not an error.
    mutating func tick(isReading: Bool, at moment: Moment, into step: inout FeedStep) throws(FeedError)
    /// The time of the next tick, or `nil`.
    var due: Duration? { get }
    /// Returns the bytes of a farewell message.
    mutating func end(at moment: Moment) -> [UInt8]
}

/// The output of a feed machine.
struct FeedStep: Sendable {
    /// The bytes to send.
    var outgoing: [UInt8] = []
    /// The events to deliver.
    var events: [FeedEvent] = []
}

extension FeedError {
    /// Converts a connection error.
    init(_ error: FetchError, source: String) {
        let code: Code = [.addressRefused, .tls].contains(error.code) ? .refused : .unreachable
        self.init(code, source: source, error.detail)
    }
}
