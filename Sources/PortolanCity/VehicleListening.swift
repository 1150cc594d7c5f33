public import Foundation
import PortolanFetch
public import PortolanRealtime
package import PortolanWeb
import Synchronization

extension VehicleSource.Opened {
    /// The data received from a source.
    public struct Heard: Sendable {
        /// The vehicles, trip updates and service alerts.
        public var fleet: Fleet
        /// The time of the data: that of a server's message, the end of a recording, or the current time.
        public var time: Date
        /// The error if the source was lost, or ``/PortolanRealtime/FeedError/Code/silent`` if it did not respond in
        /// time.
        public var fault: FeedError?
        /// Whether the source sent its full state, or was connected until the time limit.
        ///
        /// Only then does an empty fleet mean that there are no vehicles.
        public var isHeard = false
        /// Whether a broker confirmed the subscription; `true` for other sources.
        public var isConfirmed = true
        /// The data omitted because they were invalid.
        public var losses = FeedLosses()
        /// The number of vehicles omitted because their last report is older than
        /// ``/PortolanRealtime/Fleet/Settings/forgetAfter``.
        public var silentCount = 0

        /// The time of the newest position, including those of silent vehicles, or `nil` without positions and for
        /// recordings.
        public fileprivate(set) var newest: Date?

        fileprivate init(time: Date) {
            fleet = Fleet()
            self.time = time
        }

        /// Returns the age of the newest position if it exceeds ``/PortolanRealtime/Fleet/Settings/forgetAfter``,
        /// otherwise `nil`.
        public func age(at now: Date = Date()) -> Duration? {
            guard let newest else { return nil }
            let age = Duration.seconds(now.timeIntervalSince(newest))
            return age > fleet.settings.forgetAfter ? age : nil
        }
    }
}

extension VehicleSource.Opened.Heard {
    /// The warnings about the vehicles.
    package var notes: [MapWarning] {
        var notes: [MapWarning] = []
        func warn(_ effect: MapWarning.Effect, _ message: String) {
            notes.append(MapWarning(.data, effect: effect, message: message))
        }
        if let fault { warn(.omitted, "incomplete vehicles: \(fault.reason)") }
        if losses.count > 0 { warn(.omitted, "\(losses)") }
        if !isConfirmed { warn(.note, "the broker did not confirm the subscription") }
        if silentCount > 0, let newest {
            warn(.omitted, FeedAge.words(count: silentCount, newest: newest))
        } else if let age = age() {
            warn(.note, "the newest position is \(FeedAge.text(age)) old")
        }
        return notes
    }

    /// The warning for a map without vehicles.
    package var nothing: MapWarning {
        if silentCount > 0 { return MapWarning(.data, message: "no vehicle reports any more") }
        let count = fleet.vehicles.count
        guard count == 0 else {
            return MapWarning(.data, message: "none of the \(count) reported vehicles matches")
        }
        // Operators publish positions, delays and notices at three URLs.
        let others = [(fleet.trips.count, "trip updates"), (fleet.disruptions.count, "notices")]
            .filter { $0.0 > 0 }.map { "\($0.0) \($0.1)" }.joined(separator: " and ")
        return MapWarning(
            .data,
            message: others.isEmpty
                ? "no vehicle reported" : "no vehicle reported, but \(others); choose the source of vehicle positions")
    }
}

extension VehicleSource.Opened {
    /// Listens to the source for a limited time.
    ///
    /// - Parameters:
    ///   - interest: the vehicles of interest.
    ///   - duration: the time limit. Recordings and polled servers finish earlier.
    public func listen(for duration: Duration, interest: VehicleInterest = VehicleInterest()) async -> Heard {
        await withTaskGroup(of: Heard?.self) { group in
            let (interests, asking) = AsyncStream.makeStream(of: VehicleInterest.self)
            asking.yield(interest)
            let box = HeardBox(Heard(time: end ?? Date()), interest)
            group.addTask { [feed, isAsked, isRecording, end] in
                for await event in feed.events(for: interests) {
                    if Task.isCancelled { break }
                    box.take(event, at: end, isAsked: isAsked, isRecording: isRecording)
                    // A polled server is live once its whole response has been processed.
                    if isAsked, event == .state(.live) { break }
                    if case .state(.ended) = event { break }
                    if case .state(.lost) = event, isAsked { break }
                }
                return box.heard
            }
            group.addTask {
                try? await Task.sleep(for: duration)
                return nil
            }
            _ = await group.next()
            group.cancelAll()
            asking.finish()
            var heard = box.heard
            if !heard.isHeard, heard.fault == nil {
                heard.fault = FeedError(
                    .silent, source: feed.name, "no response within \(duration.secondsText)")
            }
            return heard
        }
    }
}

/// The shared state of the listening task and its reader.
private final class HeardBox: Sendable {
    private struct State {
        var heard: VehicleSource.Opened.Heard
        /// The vehicles whose reports were too old to be kept.
        var silent: Set<String> = []
    }

    private let state: Mutex<State>
    private let interest: VehicleInterest

    init(_ heard: VehicleSource.Opened.Heard, _ interest: VehicleInterest) {
        state = Mutex(State(heard: heard))
        self.interest = interest
    }

    var heard: VehicleSource.Opened.Heard {
        state.withLock { state in
            var heard = state.heard
            heard.silentCount = state.silent.count
            return heard
        }
    }

    /// Applies an event.
    ///
    /// - Parameters:
    ///   - end: the end of a recording with past times, or `nil`.
    ///   - isAsked: whether the source is a polled server, whose messages apply to the time that they give.
    ///   - isRecording: whether the source is a recording, so that old positions are expected.
    func take(_ event: FeedEvent, at end: Date?, isAsked: Bool, isRecording: Bool) {
        state.withLock { state in
            let now = end ?? (isAsked ? event.time.map { min($0, Date()) } ?? state.heard.time : Date())
            state.heard.time = now
            let change = state.heard.fleet.apply(event, now: now)
            state.silent.subtract(change.changed.lazy.map(\.id))
            state.silent.formUnion(change.silent.lazy.filter(interest.contains).map(\.id))
            let times = event.reports.lazy.filter(interest.contains).map(\.time)
            if !isRecording, let time = times.max() { state.heard.newest = max(time, state.heard.newest ?? time) }
            switch event {
            case .losses(let losses): state.heard.losses.add(losses)
            case .state(.lost(let fault, _)), .state(.ended(let fault?)):
                (state.heard.fault, state.heard.isHeard) = (fault, false)
            case .state(.connected): (state.heard.isHeard, state.heard.isConfirmed) = (true, false)
            case .state(.live), .state(.ended(nil)): (state.heard.isHeard, state.heard.isConfirmed) = (true, true)
            default: break
            }
        }
    }
}
