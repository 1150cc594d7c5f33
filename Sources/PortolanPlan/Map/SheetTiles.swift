import PortolanFeatures
import PortolanStyles
import PortolanVectorTiles
import PortolanWeb

/// The vector tiles that a style draws in a view.
///
/// Each source is planned once, whatever number of layers draw it.
struct SheetTiles {
    private let style: StyleSource
    private let view: LayerView
    private let arrivals: Arrivals
    private let zoom: Double
    /// The plan of each source.
    private(set) var plans: [String: LayerPlan] = [:]
    private var found: [String: VectorTileView] = [:]
    /// The features with and without a row in a table, by source name.
    private var outcomes: [String: JoinOutcome] = [:]
    /// The features of layers, by source name and layer name.
    private var features: [[String]: FeatureSource] = [:]

    init(_ style: StyleSource, _ view: LayerView, given arrivals: Arrivals, zoom: Double) {
        self.style = style
        self.view = view
        self.arrivals = arrivals
        self.zoom = zoom
    }

    /// The warnings about features without a row in the table of their source.
    var joinWarnings: [MapWarning] {
        outcomes.sorted { $0.key < $1.key }.flatMap { name, outcome in
            let join = (style.sources[name] as? VectorTileSource)?.join
            return (join.map { outcome.warnings($0, isWhole: false) } ?? []).map { $0.about(layer: view.layer) }
        }
    }

    /// Returns the features that a style layer draws, or `nil` while tiles may still arrive.
    mutating func features(
        of layer: StyleSheet.Layer, _ source: VectorTileSource, named name: String
    ) throws(PlanError) -> FeatureSource? {
        guard let sourceLayer = layer.sourceLayer else { return nil }
        if plans[name] == nil {
            var plan = LayerPlan(revision: .afterArrivals)
            found[name] = try source.tiles(
                for: view.of(part: name), given: arrivals,
                selection: { style.selection(of: name, source, at: $0, or: zoom, all: self.view.identifies) }, in: &plan
            )
            plans[name] = plan
        }
        guard let view = found[name], !(view.isWaiting && self.view.isDraft) else { return nil }
        if let known = features[[name, sourceLayer]] { return known }
        var made = source.memory.features(
            of: sourceLayer, in: view, source, bends: self.view.viewport.crs != view.crs, nil)
        made.selection = style.selection
        features[[name, sourceLayer]] = made
        outcomes[name, default: JoinOutcome()].add(made.joinOutcome)
        return made
    }
}

extension StyleSource {
    /// Returns the tile layers and attributes that the style draws at some zooms.
    ///
    /// - Parameters:
    ///   - zooms: the zooms at which the tiles are drawn, or `nil` if unknown.
    ///   - zoom: the zoom of the view.
    ///   - all: whether all attributes of the layers are wanted.
    fileprivate func selection(
        of name: String, _ source: VectorTileSource, at zooms: Range<Double>?, or zoom: Double, all: Bool
    ) -> VectorTileSelection {
        var layers: [String: Set<String>?] = [:]
        for layer in sheet.layers where layer.source == name {
            guard let sourceLayer = layer.sourceLayer,
                zooms.map(layer.isDrawn(within:)) ?? true || layer.isDrawn(at: zoom)
            else { continue }
            // Identified features are selected by name.
            let own =
                all
                ? nil
                : layer.propertyNames.map { names in
                    names.union(["name"]).union(source.promotedIDs[sourceLayer].map { [$0] } ?? [])
                        .union(source.join.map { [$0.property ?? "id"] } ?? [])
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
