public import Foundation
public import PortolanRealtime
import Synchronization

extension VehicleSource.Opened {
    /// What a source has told after a time, or once it has told all there is.
    public struct Heard: Sendable {
        /// The vehicles, the trips and the notices.
        public var fleet: Fleet
        /// The time for which that holds: now, or the end of a recording.
        public var time: Date
        /// Why the source was lost, where it was.
        public var fault: FeedFault?
    }

    /// Listens for a time.
    ///
    /// - Parameters:
    ///   - interest: what is wanted.
    ///   - duration: the longest time; a recording, and a server that was asked, are done before.
    public func listen(for duration: Duration, interest: VehicleInterest = VehicleInterest()) async -> Heard {
        await withTaskGroup(of: Heard?.self) { group in
            let (interests, asking) = AsyncStream.makeStream(of: VehicleInterest.self)
            asking.yield(interest)
            let box = HeardBox(Heard(fleet: Fleet(), time: end ?? Date()))
            group.addTask { [feed, isAsked, end] in
                for await event in feed.events(for: interests) {
                    if Task.isCancelled { break }
                    box.take(event, at: end)
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
            return box.heard
        }
    }
}

/// What is heard by one task and read by another.
private final class HeardBox: Sendable {
    private let state: Mutex<VehicleSource.Opened.Heard>

    init(_ heard: VehicleSource.Opened.Heard) { state = Mutex(heard) }

    var heard: VehicleSource.Opened.Heard { state.withLock { $0 } }

    /// Takes an event.
    ///
    /// - Parameter end: the end of a recording, whose times have passed.
    func take(_ event: FeedEvent, at end: Date?) {
        state.withLock { heard in
            let now = end ?? Date()
            heard.time = now
            _ = heard.fleet.apply(event, now: now)
            switch event {
            case .state(.lost(let fault, _)), .state(.ended(let fault?)): heard.fault = fault
            default: break
            }
        }
    }
}
