import Foundation
import PortolanTransit

extension VehicleEngine {
    /// A sink that publishes the full state as a GTFS Realtime message, to a file or with a closure.
    public struct RealtimeSink: VehicleEngine.Sink {
        /// The name used in messages.
        public let name: String
        private let write: @Sendable ([UInt8]) async throws(FeedError) -> Void

        /// Creates a sink that passes messages to a closure.
        public init(name: String, write: @escaping @Sendable ([UInt8]) async throws(FeedError) -> Void) {
            self.name = name
            self.write = write
        }

        /// Creates a sink that replaces a file atomically, so that readers never see a partial message.
        public init(file path: String) {
            self.init(name: path) { bytes throws(FeedError) in
                do { try Data(bytes).write(to: URL(filePath: path), options: .atomic) } catch {
                    throw FeedError(.unreachable, source: path, "cannot write the file")
                }
            }
        }

        /// Writes the full state.
        public func publish(_ change: VehicleEngine.Change, of state: VehicleEngine.State) async throws(FeedError) {
            let message = RealtimeMessage(
                vehicles: state.vehicles, trips: state.trips, disruptions: state.disruptions, time: state.time)
            try await write(message.bytes)
        }
    }
}
