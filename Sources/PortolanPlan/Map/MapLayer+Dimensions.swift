import PortolanServices

extension MapLayer {
    /// Returns the layer with other values of its dimensions, by lowercase name; names that it does not have are
    /// ignored.
    package func choosing(_ values: [String: String]) -> MapLayer {
        let own = values.filter { name, _ in dimensions.contains { $0.name == name } }
        guard !own.isEmpty else { return self }
        var layer = self
        if let images = source as? WMSSource {
            layer.source = images.with(LayerDimension.parameters(own))
        } else if let tiles = (source as? TileSource)?.choosing(own) {
            layer.source = tiles
        }
        switch featureInfo {
        case .wms(var template)?:
            template.map.set(LayerDimension.parameters(own))
            layer.featureInfo = .wms(template)
        case .wmts(let template)?: layer.featureInfo = .wmts(template.choosing(own))
        case nil: break
        }
        return layer
    }
}
