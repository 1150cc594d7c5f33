public import Foundation
import PortolanFetch
public import PortolanRealtime
package import PortolanWeb
import Synchronization

extension VehicleSource.Opened {
    /// What a source has told after a time, or once it has told all there is.
    public struct Heard: Sendable {
        /// The vehicles, the trips and the notices.
        public var fleet: Fleet
        /// The time for which that holds: that of a server's message, the end of a recording, or now.
        public var time: Date
        /// Why the source was lost, where it was; ``/PortolanRealtime/FeedError/Code/silent`` where it has not answered in time.
        public var fault: FeedError?
        /// Whether the source has let us in and told all there is, or was heard until the time was over.
        ///
        /// Only then an empty fleet means that no vehicle is under way.
        public var isHeard = false
        /// Whether a broker has confirmed the subscription; `true` of sources that have none.
        public var isConfirmed = true
        /// What could not be read.
        public var losses = FeedLosses()
        /// Vehicles that were left out: the source has told nothing of them for longer than ``/PortolanRealtime/Fleet/Settings/forgetAfter``.
        public var silentCount = 0

        /// When the newest position was measured, that of a silent vehicle too; `nil` where there is none, and of recordings.
        public fileprivate(set) var newest: Date?

        fileprivate init(time: Date) {
            fleet = Fleet()
            self.time = time
        }

        /// How old the newest position is, where that is longer than ``/PortolanRealtime/Fleet/Settings/forgetAfter``.
        public func age(at now: Date = Date()) -> Duration? {
            guard let newest else { return nil }
            let age = Duration.seconds(now.timeIntervalSince(newest))
            return age > fleet.settings.forgetAfter ? age : nil
        }
    }
}

extension VehicleSource.Opened.Heard {
    /// Warnings about the vehicles.
    package var notes: [MapWarning] {
        var notes: [MapWarning] = []
        func warn(_ effect: MapWarning.Effect, _ message: String) {
            notes.append(MapWarning(.data, effect: effect, message: message))
        }
        if let fault { warn(.omitted, "the vehicles are not all there: \(fault.reason)") }
        if losses.count > 0 { warn(.omitted, "\(losses)") }
        if !isConfirmed { warn(.note, "the broker has not confirmed the subscription") }
        if silentCount > 0, let newest {
            warn(.omitted, FeedAge.words(count: silentCount, newest: newest))
        } else if let age = age() {
            warn(.note, "the newest position is \(FeedAge.text(age)) old")
        }
        return notes
    }

    /// Why no vehicle is shown, where none is.
    package var nothing: MapWarning {
        if silentCount > 0 { return MapWarning(.data, message: "no vehicle is heard of any more") }
        let count = fleet.vehicles.count
        return MapWarning(
            .data,
            message: count == 0
                ? "no vehicle is heard of" : "none of the \(count) vehicles heard of is what is asked for")
    }
}

extension VehicleSource.Opened {
    /// Listens for a time.
    ///
    /// - Parameters:
    ///   - interest: what is wanted.
    ///   - duration: the longest time; a recording, and a server that was asked, are done before.
    public func listen(for duration: Duration, interest: VehicleInterest = VehicleInterest()) async -> Heard {
        await withTaskGroup(of: Heard?.self) { group in
            let (interests, asking) = AsyncStream.makeStream(of: VehicleInterest.self)
            asking.yield(interest)
            let box = HeardBox(Heard(time: end ?? Date()), interest)
            group.addTask { [feed, isAsked, isRecording, end] in
                for await event in feed.events(for: interests) {
                    if Task.isCancelled { break }
                    box.take(event, at: end, isAsked: isAsked, isRecording: isRecording)
                    // A server that was asked is live once all of its answer was told.
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
                    .silent, source: feed.name, "it has not answered within \(duration.secondsText)")
            }
            return heard
        }
    }
}

/// What is heard by one task and read by another.
private final class HeardBox: Sendable {
    private struct State {
        var heard: VehicleSource.Opened.Heard
        /// The vehicles that were told, and are too old to be kept.
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

    /// Takes an event.
    ///
    /// - Parameters:
    ///   - end: the end of a recording, whose times have passed.
    ///   - isAsked: whether a server was asked: its message holds for the time that it tells, as that in a file does.
    ///   - isRecording: whether nobody expects positions of now.
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
