import Portolan
import PortolanFeatures

/// The route of a command: a file or URL with features.
enum RouteInput {
    /// The features of a source in degrees.
    static func collection(of source: String, _ network: NetworkOptions) async throws -> FeatureCollection {
        let collection = try await FeatureInput(source: source, layer: nil).collection(network)
        do { return try collection.inDegrees() } catch { throw CommandFailure(.badData, "\(source): \(error)") }
    }
}
