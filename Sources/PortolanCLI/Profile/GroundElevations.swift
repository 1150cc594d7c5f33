import Portolan
import PortolanFeatures

/// Elevations of the ground for lines, from a source that an option names.
enum GroundElevations {
    /// Returns features in degrees with elevations: those of lines that have none, or of all lines.
    ///
    /// - Parameter text: a file, a template or a URL with elevations in the layer notation; without a kind it is that of
    ///   shaded relief.
    static func added(
        to collection: FeatureCollection, _ text: String, _ network: NetworkOptions, replaces: Bool = false
    ) async throws -> FeatureCollection {
        let client = ServiceClient(configuration: try network.configuration())
        let specification = try CommandFailure.layer { () throws(MapError) in
            try LayerSpecification(elevations: text, kinds: .command)
        }
        return try await Interruption.cancelling {
            do throws(MapError) {
                let sampler = try await LayerBuilder.ElevationSampler(specification, LayerBuilder(client: client))
                StandardError.warn(sampler.warnings)
                let (found, losses) = try await sampler.adding(to: collection, replaces: replaces)
                if let first = losses.first {
                    StandardError.warn([
                        MapWarning(
                            .data, effect: .omitted,
                            message: "\(losses.count) tiles of elevations are missing; the first: \(first)")
                    ])
                }
                return found
            } catch { throw CommandFailure(error) }
        }
    }
}
