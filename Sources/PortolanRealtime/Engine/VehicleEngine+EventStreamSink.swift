import Foundation
import PortolanTransit
import Synchronization

extension VehicleEngine {
    /// A sink that publishes event streams: the full state for a new listener, then changes.
    ///
    /// The data of each message are a ``ReplayFeed/Record``, the identifier is the number of the change. Listeners that do not
    /// keep up are disconnected. They may reconnect and receive the full state again.
    public final class EventStreamSink: VehicleEngine.Sink {
        /// The name used in messages.
        public let name = "event stream"

        private struct Hub {
            var state: VehicleEngine.State?
            var listeners: [Int: AsyncStream<[UInt8]>.Continuation] = [:]
            var lastListener = 0
            var isClosed = false
        }

        private let hub = Mutex(Hub())
        private let patience: Int

        /// Creates a sink.
        ///
        /// - Parameter patience: the maximum number of messages waiting for a listener.
        public init(patience: Int = 64) { self.patience = max(patience, 8) }

        /// The number of listeners.
        public var listenerCount: Int { hub.withLock { $0.listeners.count } }

        /// Returns the messages for a new listener.
        ///
        /// The stream ends when the listener is too slow or the sink is closed. A closed sink only sends the full state.
        public func listen() -> AsyncStream<[UInt8]> {
            AsyncStream(bufferingPolicy: .bufferingOldest(patience)) { continuation in
                let id = hub.withLock { hub -> Int? in
                    for message in hub.state.map(Self.messages(of:)) ?? [] { continuation.yield(message) }
                    guard !hub.isClosed else { return nil }
                    hub.lastListener += 1
                    hub.listeners[hub.lastListener] = continuation
                    return hub.lastListener
                }
                guard let id else { return continuation.finish() }
                continuation.onTermination = { [weak self] _ in self?.remove(id) }
            }
        }

        private func remove(_ id: Int) { _ = hub.withLock { $0.listeners.removeValue(forKey: id) } }

        /// Sends a change to all listeners.
        public func publish(_ change: VehicleEngine.Change, of state: VehicleEngine.State) async throws(FeedError) {
            let messages = change.events.map { Self.bytes($0, time: change.time, number: change.number) }
            let late = hub.withLock { hub in
                (hub.state, hub.isClosed) = (state, false)
                var late: [AsyncStream<[UInt8]>.Continuation] = []
                for (id, listener) in hub.listeners {
                    for message in messages {
                        guard case .dropped = listener.yield(message) else { continue }
                        hub.listeners[id] = nil
                        late.append(listener)
                        break
                    }
                }
                return late
            }
            // This must happen outside of the lock, because ending a stream calls ``remove(_:)``.
            for listener in late { listener.finish() }
        }

        /// Ends the streams of all listeners.
        public func close() async {
            let listeners = hub.withLock { hub in
                defer { hub.listeners = [:] }
                hub.isClosed = true
                return hub.listeners.values.map(\.self)
            }
            for listener in listeners { listener.finish() }
        }

        private static func messages(of state: VehicleEngine.State) -> [[UInt8]] {
            state.events.map { bytes($0, time: state.time, number: state.number) }
        }

        private static func bytes(_ event: FeedEvent, time: Date, number: Int) -> [UInt8] {
            let record = ReplayFeed.Record(time: time, event: event)
            return EventStreamMessage(
                event: record.kind, data: String(decoding: record.line, as: UTF8.self), id: "\(number)"
            ).bytes
        }
    }
}

extension ReplayFeed.Record {
    /// The kind of the event, as named in the record.
    var kind: String {
        switch event {
        case .reports: "reports"
        case .snapshot: "snapshot"
        case .gone: "gone"
        case .trips: "trips"
        case .disruptions: "disruptions"
        case .losses: "losses"
        case .state: "state"
        }
    }
}
