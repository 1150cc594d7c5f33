import Foundation
import PortolanTransit

/// Publishes all there is as a message of GTFS Realtime: to a file, or wherever bytes go.
public struct RealtimeSink: EngineSink {
    /// What it is called in messages.
    public let name: String
    private let write: @Sendable ([UInt8]) async throws(FeedError) -> Void

    /// Makes a sink.
    public init(name: String, write: @escaping @Sendable ([UInt8]) async throws(FeedError) -> Void) {
        self.name = name
        self.write = write
    }

    /// Makes a sink that replaces a file as a whole, so that who reads it meets no half of one.
    public init(file path: String) {
        self.init(name: path) { bytes throws(FeedError) in
            do { try Data(bytes).write(to: URL(filePath: path), options: .atomic) } catch {
                throw FeedError(.unreachable, source: path, "the file cannot be written")
            }
        }
    }

    /// Writes all there is.
    public func publish(_ change: EngineChange, of state: EngineState) async throws(FeedError) {
        let message = RealtimeMessage(
            vehicles: state.vehicles, trips: state.trips, disruptions: state.disruptions, time: state.time)
        try await write(message.bytes)
    }
}
