import Foundation
import Portolan

/// Puts a route file on a map: the line with a white edge, its places with their names.
public enum RouteLayer {
    /// Adds the route file at a path or URL and shows all of it.
    public static func add(_ address: String, to map: MapFacade) async throws {
        try await map.addFeatures(at: address)
        try map.updateLayer(named: MapFacade.vectorLayerName) { layer in
            guard var source = layer.features else { return }
            source.style.casing = .init(color: .white, width: 8)
            source.style.label = "${label}"
            source.style.fontSize = 12
            source.style.labelOutlineColor = .white
            source.style.labelOutlineWidth = 2
            source.style.labelVerticalAlignment = .top
            source.style.labelOffsetY = 16
            for place in source.features.compactMap(\.pointOfInterest) {
                // What follows a dash explains the name; a map has no room for it.
                guard let id = place.id, let name = place.name?.components(separatedBy: " - ").first else { continue }
                source.update(id) { $0.properties["label"] = .string(name) }
            }
            layer.source = source
        }
        try map.fitFeatures(padding: 50)
    }

    /// The bar of facts about the first route on the map, or `nil` when there is none.
    public static func infoBar(of map: MapFacade) -> InfoBar? {
        guard let source = map.vectorLayer.features,
            let route = source.features.lazy.compactMap(\.route).first
        else { return nil }
        var facts: [String] = []
        if let distance = route.distance { facts.append(String(format: "%.1f km", distance)) }
        if let duration = route.duration { facts.append("\(Int(duration.rounded())) min") }
        let places = source.features.filter { $0.pointOfInterest != nil }.count
        if places > 0 { facts.append("\(places) places") }
        return InfoBar(title: route.name ?? "Route", facts: facts)
    }
}
