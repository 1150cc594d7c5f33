public import Foundation
package import PortolanFetch
import PortolanTransit
import Synchronization

extension VehicleEngine {
    /// A destination of the changes of an engine.
    public protocol Sink: Sendable {
        /// The name used in messages, without secrets.
        var name: String { get }

        /// Publishes a change.
        ///
        /// - Parameters:
        ///   - change: the difference to the previous state.
        ///   - state: the full state, including the change.
        /// - Throws: ``FeedError`` on failure. The change is then merged with the next one.
        mutating func publish(_ change: VehicleEngine.Change, of state: VehicleEngine.State) async throws(FeedError)

        /// Closes connections to listeners.
        ///
        /// Nothing more is published unless the engine runs again.
        mutating func close() async
    }
}

extension VehicleEngine.Sink {
    /// Does nothing, for sinks without connections.
    public mutating func close() async {}
}

/// Collects vehicles from several sources and publishes changes to sinks.
///
/// Changes are published at most once per interval. Each sink runs in a separate task, so that a slow or failing one
/// does not affect the others. Its pending changes are merged, so memory use stays bounded.
public struct VehicleEngine: Sendable {
    /// A source with the prefix of its vehicle identifiers.
    public struct Source: Sendable {
        /// The source.
        public var feed: any VehicleFeed
        /// The prefix of its vehicle identifiers.
        public var prefix: String

        /// Creates a source.
        public init(_ feed: any VehicleFeed, prefix: String = "") {
            self.feed = feed
            self.prefix = prefix
        }
    }

    /// A status report of an engine.
    public enum Report: Hashable, Sendable {
        /// The state of a source changed.
        case source(String, FeedEvent.State)
        /// Messages of a source could not be read.
        case losses(String, FeedLosses)
        /// Vehicles of a source were ignored because their newest position, with this time, is too old.
        case silent(String, count: Int, newest: Date)
        /// A change was published to a sink.
        case published(String, VehicleEngine.Change)
        /// A sink failed to publish.
        case failed(String, FeedError)
    }

    private let sources: [Source]
    private let sinks: [any VehicleEngine.Sink]
    private let settings: VehicleEngine.Core.Settings
    private let interval: Duration
    private let clock: FetchClock

    /// Creates an engine.
    ///
    /// - Parameter interval: the time between two changes, 1 s by default and at least 0.1 s.
    public init(
        _ sources: [Source], to sinks: [any VehicleEngine.Sink],
        settings: VehicleEngine.Core.Settings = VehicleEngine.Core.Settings(),
        interval: Duration = .seconds(1)
    ) {
        self.init(sources, to: sinks, settings: settings, interval: interval, clock: .system)
    }

    /// Creates an engine with a custom clock.
    package init(
        _ sources: [Source], to sinks: [any VehicleEngine.Sink],
        settings: VehicleEngine.Core.Settings = VehicleEngine.Core.Settings(),
        interval: Duration = .seconds(1), clock: FetchClock
    ) {
        self.sources = sources
        self.sinks = sinks
        self.settings = settings
        self.interval = max(interval, .milliseconds(100))
        self.clock = clock
    }

    /// Runs until all sources have ended and everything is published, or until the task is cancelled.
    ///
    /// Then closes the sinks.
    ///
    /// - Parameters:
    ///   - interest: the vehicles to request from the sources.
    ///   - report: receives status reports.
    public func run(
        interest: VehicleInterest = VehicleInterest(), report: @escaping @Sendable (Report) -> Void = { _ in }
    ) async {
        let room = Room(
            core: VehicleEngine.Core(prefixes: sources.map(\.prefix), settings: settings, now: now),
            openCount: sources.count)
        let boxes = sinks.map { _ in SinkBox() }
        await withTaskGroup { publishing in
            for (sink, box) in zip(sinks, boxes) {
                publishing.addTask { await publish(from: box, to: sink, report: report) }
            }
            await hear(interest, in: room, boxes, report)
            for box in boxes { box.end() }
        }
    }

    /// Collects events from all sources, and passes changes to the boxes of the sinks.
    private func hear(
        _ interest: VehicleInterest, in room: Room, _ boxes: [SinkBox], _ report: @escaping @Sendable (Report) -> Void
    ) async {
        let sources = sources
        await withTaskGroup { group in
            for (index, source) in sources.enumerated() {
                group.addTask {
                    let (interests, asking) = AsyncStream.makeStream(of: VehicleInterest.self)
                    asking.yield(interest)
                    var isOld = false
                    for await event in source.feed.events(for: interests) {
                        switch event {
                        case .state(let state): report(.source(source.feed.name, state))
                        case .losses(let losses): report(.losses(source.feed.name, losses))
                        default: break
                        }
                        let now = now
                        let silent = room.state.withLock { $0.core.take(event, from: index, now: now).silent }
                        // Reported once, until the source sends newer positions.
                        if !isOld, let newest = silent.map(\.time).max() {
                            report(.silent(source.feed.name, count: silent.count, newest: newest))
                        }
                        if !event.reports.isEmpty { isOld = !silent.isEmpty }
                    }
                    asking.finish()
                    room.state.withLock { $0.openCount -= 1 }
                }
            }
            while !Task.isCancelled {
                await clock.sleep(interval)
                let now = now
                let (isLast, change, state) = room.state.withLock { room in
                    let change = room.core.flush(now: now)
                    return (room.openCount == 0, change, room.core.state)
                }
                if let change { for box in boxes { box.put(change, of: state) } }
                if isLast { break }
            }
            group.cancelAll()
        }
    }

    /// The shared state of the tasks of a run.
    private final class Room: Sendable {
        struct State {
            var core: VehicleEngine.Core
            /// The number of sources that have not ended.
            var openCount: Int
        }

        let state: Mutex<State>

        init(core: VehicleEngine.Core, openCount: Int) { state = Mutex(State(core: core, openCount: openCount)) }
    }

    private var now: Date { Date(timeIntervalSince1970: Double(clock.calendarSeconds())) }

    private func publish(
        from box: SinkBox, to sink: any VehicleEngine.Sink, report: @Sendable (Report) -> Void
    ) async {
        var sink = sink
        while let work = await box.next() {
            do throws(FeedError) {
                try await sink.publish(work.change, of: work.state)
                report(.published(sink.name, work.change))
            } catch {
                box.keep(work.change)
                report(.failed(sink.name, error))
            }
        }
        await sink.close()
    }
}
