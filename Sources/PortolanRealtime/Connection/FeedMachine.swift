import Foundation
import PortolanFetch

/// The time, as a clock that never jumps and as the calendar has it.
struct Moment: Sendable {
    /// Since a beginning of the clock's own.
    var now: Duration
    /// The date, by which reports are timed that do not tell theirs.
    var date: Date

    /// Makes a moment.
    init(now: Duration, date: Date) {
        self.now = now
        self.date = date
    }

    /// What a clock shows.
    init(_ clock: FetchClock) {
        self.init(now: clock.now(), date: Date(timeIntervalSince1970: TimeInterval(clock.calendarSeconds())))
    }
}

/// What a source of vehicles on a broker decides, without connection and clock: bytes, wishes and times in, bytes and events out.
protocol FeedMachine: Sendable {
    /// Begins anew on a new connection; what was learnt of vehicles is kept.
    mutating func begin(_ interest: VehicleInterest, at moment: Moment, into step: inout FeedStep)
    /// Reads bytes that have come.
    mutating func receive(_ bytes: [UInt8], at moment: Moment, into step: inout FeedStep) throws(FeedError)
    /// Is asked for something else from now on.
    mutating func choose(_ interest: VehicleInterest, at moment: Moment, into step: inout FeedStep)
    /// Does what is due.
    ///
    /// - Parameter isReading: whether what the other side says is read: when not, its silence is ours.
    mutating func tick(isReading: Bool, at moment: Moment, into step: inout FeedStep) throws(FeedError)
    /// When the next tick is wanted, or `nil` for never.
    var due: Duration? { get }
    /// The bytes of a farewell.
    mutating func end(at moment: Moment) -> [UInt8]
}

/// What follows from something that happened.
struct FeedStep: Sendable {
    /// Bytes to be sent.
    var outgoing: [UInt8] = []
    /// What is told.
    var events: [FeedEvent] = []
}

extension FeedError {
    /// The fault of a connection.
    init(_ error: FetchError, source: String) {
        let code: Code = [.addressRefused, .tls].contains(error.code) ? .refused : .unreachable
        self.init(code, source: source, error.detail)
    }
}
