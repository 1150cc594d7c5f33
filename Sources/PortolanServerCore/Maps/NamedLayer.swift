import Portolan
import PortolanFetch
import PortolanGeo
import PortolanPlan

/// A layer that services offer under one name: a whole map, or one of its layers as `{map}:{layer}`.
package struct NamedLayer: Sendable {
    /// The name in requests.
    package let name: String
    /// The display title.
    package let title: String
    /// The map, reduced to the layers of this name.
    package let map: PublishedMap
    /// Whether it is a whole map.
    package let isWhole: Bool

    /// Whether the layer supports feature queries.
    package var isQueryable: Bool {
        map.layers.contains { $0.hasFeatures || $0.featureInfo != nil || $0.hasValues }
    }
}

extension PublishedMap {
    /// The named layers of the map: the whole map first, then its layers from top to bottom if it has more than one.
    ///
    /// A layer whose name contains a comma is not offered, because commas separate names in requests.
    package var namedLayers: [NamedLayer] {
        let whole = NamedLayer(name: name, title: title, map: self, isWhole: true)
        guard layers.count > 1 else { return [whole] }
        return [whole]
            + layers.reversed().filter { !$0.name.contains(",") && !$0.name.contains("/") }.map { layer in
                var map = self
                map.layers = [layer]
                return NamedLayer(name: "\(name):\(layer.name)", title: layer.name, map: map, isWhole: false)
            }
    }
}

extension PublishedMap {
    /// Returns the layer with a name within the map, or `nil` if not found; the only layer is the whole map.
    fileprivate func namedLayer(_ name: Substring) -> NamedLayer? {
        guard layers.contains(where: { $0.name == name }) else { return nil }
        return layers.count == 1 ? namedLayers[0] : namedLayers.first { !$0.isWhole && $0.title == name }
    }
}

extension MapBook {
    /// The named layers of all maps.
    package var namedLayers: [NamedLayer] { maps.flatMap(\.namedLayers) }

    /// Returns the layer with a name, or `nil` if not found: a map, `{map}:{layer}`, or the name of a layer alone if
    /// only one map has it.
    package func namedLayer(_ name: String) -> NamedLayer? {
        if let map = self[name] { return NamedLayer(name: name, title: map.title, map: map, isWhole: true) }
        if let colon = name.firstIndex(of: ":"), let map = self[String(name[..<colon])] {
            return map.namedLayer(name[name.index(after: colon)...])
        }
        let found = layers(of: name)
        return found.count == 1 ? found[0] : nil
    }

    /// Returns the message for a name that ``namedLayer(_:)`` does not find.
    func unknownLayer(_ name: String) -> String {
        let found = layers(of: name).map(\.name)
        return found.count > 1
            ? "several maps have a layer '\(name)'; use \(found.prefix(20).joined(separator: " or "))"
            : "unknown layer '\(name)'"
    }

    /// Returns the layers of all maps with a name.
    private func layers(of name: String) -> [NamedLayer] { maps.compactMap { $0.namedLayer(name[...]) } }
}

extension PublishedMap {
    /// Creates a map from layers, bottom first, or returns `nil` for an empty list.
    ///
    /// Layers of several maps are drawn with the fonts of the first map.
    package init?(_ parts: [NamedLayer]) {
        guard let first = parts.first else { return nil }
        guard parts.count > 1 else {
            self = first.map
            return
        }
        // Renames duplicates, so that loaded resources are not assigned to the wrong layer.
        let layers = parts.enumerated().flatMap { place, part in
            part.map.layers.map { layer in
                var layer = layer
                let isAgain = parts[..<place].contains { $0.map.layers.contains { $0.name == layer.name } }
                if isAgain { layer.name += " (\(place + 1))" }
                return layer
            }
        }
        var bounds: Extent?
        if parts.allSatisfy({ $0.map.bounds != nil }) {
            for part in parts.compactMap(\.map.bounds) { bounds = bounds?.union(part) ?? part }
        }
        self.init(
            name: parts.map(\.name).joined(separator: ","), title: first.map.title, layers: layers,
            placesLabels: layers.contains(where: \.placesLabels), crs: first.map.crs, view: first.map.view,
            bounds: bounds, renderer: first.map.renderer,
            revision: parts.map(\.map.revision).joined(separator: ","),
            isChanging: parts.contains { $0.map.isChanging }, isExact: parts.allSatisfy(\.map.isExact),
            files: parts.reduce(into: ContentValidity()) { $0.formIntersection($1.map.files) }, zooms: first.map.zooms,
            maximumAge: parts.map(\.map.maximumAge).min() ?? 0, warnings: [])
    }
}

extension MapLayer {
    /// Whether the layer is an image with bands, or draws elevations: both have values at a place.
    fileprivate var hasValues: Bool {
        if case .archive(let archive)? = tiles?.address { return archive.format == .geoTIFF }
        return source is TerrainSource
    }
}
