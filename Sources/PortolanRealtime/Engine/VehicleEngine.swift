public import Foundation
package import PortolanFetch
import PortolanTransit
import Synchronization

/// Where an engine publishes to.
public protocol EngineSink: Sendable {
    /// What it is called in messages, without secrets.
    var name: String { get }

    /// Publishes a change.
    ///
    /// - Parameters:
    ///   - change: what became different.
    ///   - state: all there is, with the change.
    /// - Throws: ``FeedError``, where it cannot; then it is given the change again, together with the next.
    mutating func publish(_ change: EngineChange, of state: EngineState) async throws(FeedError)

    /// Takes leave of who listens: nothing more is published, unless the engine is run again.
    mutating func close() async
}

extension EngineSink {
    /// Does nothing, for sinks that hold nothing open.
    public mutating func close() async {}
}

/// Hears sources of live vehicles, keeps what is known of them, and publishes what changes to whoever wants it.
///
/// However fast sources tell, it publishes once in an interval. Each sink has a task of its own: one that is slow or fails stops
/// no other, and costs no memory, since what changed meanwhile is put together.
public struct VehicleEngine: Sendable {
    /// A source, and what stands before the identifiers of its vehicles.
    public struct Source: Sendable {
        /// The source.
        public var feed: any VehicleFeed
        /// What stands before the identifiers of its vehicles.
        public var prefix: String

        /// Makes a source.
        public init(_ feed: any VehicleFeed, prefix: String = "") {
            self.feed = feed
            self.prefix = prefix
        }
    }

    /// What an engine reports of itself.
    public enum Report: Hashable, Sendable {
        /// How a source is.
        case source(String, FeedState)
        /// What of a source could not be read.
        case losses(String, FeedLosses)
        /// Vehicles of a source that are passed over, as their newest position, of that time, is too old.
        case silent(String, count: Int, newest: Date)
        /// A change was published to a sink.
        case published(String, EngineChange)
        /// A sink could not publish.
        case failed(String, FeedError)
    }

    private let sources: [Source]
    private let sinks: [any EngineSink]
    private let settings: EngineCore.Settings
    private let interval: Duration
    private let clock: FetchClock

    /// Makes an engine.
    ///
    /// - Parameter interval: the time between two changes, at least a tenth of a second; 1 s.
    public init(
        _ sources: [Source], to sinks: [any EngineSink], settings: EngineCore.Settings = EngineCore.Settings(),
        interval: Duration = .seconds(1)
    ) {
        self.init(sources, to: sinks, settings: settings, interval: interval, clock: .system)
    }

    /// Makes an engine with a clock of its own.
    package init(
        _ sources: [Source], to sinks: [any EngineSink], settings: EngineCore.Settings = EngineCore.Settings(),
        interval: Duration = .seconds(1), clock: FetchClock
    ) {
        self.sources = sources
        self.sinks = sinks
        self.settings = settings
        self.interval = max(interval, .milliseconds(100))
        self.clock = clock
    }

    /// Runs until all sources are at their ends and what they told is published, or the task is cancelled; then closes the sinks.
    ///
    /// - Parameters:
    ///   - interest: what sources are asked for.
    ///   - report: is told how it goes.
    public func run(
        interest: VehicleInterest = VehicleInterest(), report: @escaping @Sendable (Report) -> Void = { _ in }
    ) async {
        let room = Room(
            core: EngineCore(prefixes: sources.map(\.prefix), settings: settings, now: now), openCount: sources.count)
        let boxes = sinks.map { _ in SinkBox() }
        await withTaskGroup { publishing in
            for (sink, box) in zip(sinks, boxes) {
                publishing.addTask { await publish(from: box, to: sink, report: report) }
            }
            await hear(interest, in: room, boxes, report)
            for box in boxes { box.end() }
        }
    }

    /// Hears all sources, and hands what changes to the boxes of the sinks.
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
                        // Once, until it tells of something newer.
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

    /// What the tasks of a run share.
    private final class Room: Sendable {
        struct State {
            var core: EngineCore
            /// How many sources are not at their ends.
            var openCount: Int
        }

        let state: Mutex<State>

        init(core: EngineCore, openCount: Int) { state = Mutex(State(core: core, openCount: openCount)) }
    }

    private var now: Date { Date(timeIntervalSince1970: Double(clock.calendarSeconds())) }

    private func publish(
        from box: SinkBox, to sink: any EngineSink, report: @Sendable (Report) -> Void
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
