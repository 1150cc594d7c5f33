import PortolanFeatures
import PortolanStyles
import PortolanVectorTiles

/// The vector tiles that a style draws in a view: each source is planned once, whatever number of layers draw it.
struct SheetTiles {
    private let style: StyleSource
    private let view: LayerView
    private let arrivals: Arrivals
    private let zoom: Double
    /// What the view needs of each source.
    private(set) var plans: [String: LayerPlan] = [:]
    private var found: [String: VectorTileView] = [:]
    /// The features of layers, by the names of the source and the layer.
    private var features: [[String]: FeatureSource] = [:]

    init(_ style: StyleSource, _ view: LayerView, given arrivals: Arrivals, zoom: Double) {
        self.style = style
        self.view = view
        self.arrivals = arrivals
        self.zoom = zoom
    }

    /// The features that a layer of the style draws, or `nil` as long as tiles may still arrive.
    mutating func features(
        of layer: StyleSheet.Layer, _ source: VectorTileSource, named name: String
    ) throws(PlanError) -> FeatureSource? {
        guard let sourceLayer = layer.sourceLayer else { return nil }
        if plans[name] == nil {
            var plan = LayerPlan(revision: .afterArrivals)
            found[name] = try source.tiles(
                for: view.of(part: name), given: arrivals,
                selection: { style.selection(of: name, source, at: $0, or: zoom) }, in: &plan)
            plans[name] = plan
        }
        guard let view = found[name], !(view.isWaiting && self.view.isDraft) else { return nil }
        if let known = features[[name, sourceLayer]] { return known }
        var made = source.memory.features(
            of: sourceLayer, in: view, source, bends: self.view.viewport.crs != view.crs, nil)
        made.selection = style.selection
        features[[name, sourceLayer]] = made
        return made
    }
}

extension StyleSource {
    /// The layers and attributes of tiles that the style draws at some zooms.
    ///
    /// - Parameters:
    ///   - zooms: those at which the tiles are drawn, or `nil` if that is not known.
    ///   - zoom: the zoom of the view.
    fileprivate func selection(
        of name: String, _ source: VectorTileSource, at zooms: Range<Double>?, or zoom: Double
    ) -> VectorTileSelection {
        var layers: [String: Set<String>?] = [:]
        for layer in sheet.layers where layer.source == name {
            guard let sourceLayer = layer.sourceLayer,
                zooms.map(layer.isDrawn(within:)) ?? true || layer.isDrawn(at: zoom)
            else { continue }
            // What is identified is called by its name.
            let own = layer.propertyNames.map { names in
                names.union(["name"]).union(source.promotedIDs[sourceLayer].map { [$0] } ?? [])
            }
            guard let known = layers[sourceLayer] else {
                layers[sourceLayer] = .some(own)
                continue
            }
            let joined: Set<String>? = known.flatMap { known in own.map { known.union($0) } }
            layers[sourceLayer] = .some(joined)
        }
        return .layers(layers)
    }
}
