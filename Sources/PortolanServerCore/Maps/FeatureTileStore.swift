import Portolan
import PortolanFeatures
import PortolanGeo
import PortolanPlan
import PortolanServices
import Synchronization

/// The features of a map's layers, prepared for vector tiles with the first request.
///
/// They take about as much memory as the features themselves.
package final class FeatureTileStore: Sendable {
    private struct State {
        var indexes: [String: Task<FeatureTileIndex?, Never>] = [:]
        var fields: [String: [VectorLayerDescription.Field]] = [:]
    }

    private let state = Mutex(State())

    /// Creates an empty store.
    package init() {}

    /// Returns the prepared features of a layer, or `nil` if the layer has none, or their coordinates cannot be
    /// transformed.
    ///
    /// The work goes on if a request that waits for it is cancelled.
    func index(
        of layer: MapLayer, _ levels: ClosedRange<Int>, _ settings: FeatureTileSettings, on threads: RenderThreads
    ) async -> FeatureTileIndex? {
        let task = state.withLock { state in
            if let known = state.indexes[layer.name] { return known }
            let made = Task(executorPreference: threads) { () -> FeatureTileIndex? in
                guard let (features, crs) = Self.features(of: layer) else { return nil }
                return await FeatureTileIndex(layer.name, features, crs, levels, settings)
            }
            state.indexes[layer.name] = made
            return made
        }
        return await task.value
    }

    /// Returns the attributes of the features of a layer; those of a service are unknown.
    func fields(of layer: MapLayer) -> [VectorLayerDescription.Field] {
        if let known = state.withLock({ $0.fields[layer.name] }) { return known }
        guard let (features, _) = Self.features(of: layer) else { return [] }
        let fields = FeatureTileAttributes.fields(of: features).map {
            VectorLayerDescription.Field(name: $0.name, type: $0.type)
        }
        state.withLock { $0.fields[layer.name] = fields }
        return fields
    }

    private static func features(of layer: MapLayer) -> (features: [Feature], crs: CRS)? {
        if let source = layer.features { return (source.features, source.crs) }
        return layer.points.map { ($0.table.features(of: Array(0..<$0.table.count)), $0.table.crs) }
    }
}

extension FeatureTileIndex {
    /// Prepares features, or returns `nil` if their coordinates cannot be transformed.
    init?(
        _ name: String, _ features: [Feature], _ crs: CRS, _ levels: ClosedRange<Int>, _ settings: FeatureTileSettings
    ) async {
        guard let transform = try? CoordinateTransform(from: crs, to: .webMercator) else { return nil }
        let prepared = await FeatureTilePyramid.prepared(features, transform, settings)
        self.init(
            FeatureTileLayer(
                name: name, attributes: prepared.attributes, blocks: prepared.blocks, levels: levels, settings))
    }
}
