public import PortolanFeatures
import PortolanGeo
public import PortolanStyles
public import PortolanWeb

/// A whole style: its layers in order, each with the content of its source (MapLibre Style Specification 8, Sources and
/// Layers).
///
/// ```swift
/// let sheet = try StyleSheet(bytes: document)
/// let source = StyleSource(sheet, sources: ["roads": FeatureSource(features: roads)])
/// try map.add(MapLayer(name: "city", source: source))
/// ```
///
/// A source is held once, however many layers draw it. Layers with a missing source draw nothing, and each picture that
/// should show them reports it.
public struct StyleSource: Sendable {
    /// The style.
    public let sheet: StyleSheet

    /// The base of relative sprite addresses, or `nil` if they cannot be resolved.
    public let baseURL: BaseURL?

    /// The sources by their names in the style.
    ///
    /// Feature sources are drawn by the style.
    public private(set) var sources: [String: any LayerSource]

    /// The reasons why sources are unavailable, by name.
    ///
    /// Their layers are not drawn, and each affected picture reports it.
    public let losses: [String: String]

    /// The content of each layer of the style.
    private var contents: [LayerContent] = []

    private let spriteMemory = SpriteCache()
    let glyphMemory = GlyphRangeCache()

    /// The identifier of the selected feature, or `nil`.
    public var selection: Feature.ID? {
        didSet {
            let selected = selection
            if selected != oldValue { changeFeatureSources { $0.selection = selected } }
        }
    }

    /// Creates a source from a style and its sources.
    ///
    /// - Parameters:
    ///   - sources: a ``FeatureSource``, ``PointSource`` (also with clusters) or ``VectorTileSource`` for feature
    ///     layers, and any other source for raster layers.
    ///   - losses: the reasons why other sources are unavailable, by name.
    /// - Complexity: O(sources).
    public init(
        _ sheet: StyleSheet, baseURL: BaseURL? = nil, sources: [String: any LayerSource], losses: [String: String] = [:]
    ) {
        self.losses = losses
        self.sheet = sheet
        self.baseURL = baseURL
        self.sources = sources
        changeFeatureSources {
            $0.sheet = sheet
            $0.sheetBaseURL = baseURL
        }
    }

    /// Changes each source of features, and determines again what each layer draws.
    private mutating func changeFeatureSources(_ change: (inout FeatureSource) -> Void) {
        var kept: [String: LayerContent] = [:]
        for (name, source) in sources {
            guard var features = source as? FeatureSource else {
                kept[name] = LayerContent(source)
                continue
            }
            change(&features)
            sources[name] = features
            kept[name] = LayerContent(features)
        }
        contents = sheet.layers.map { layer in
            if let loss = loss(of: layer) { return .lost(loss) }
            return (layer.kind == .background ? nil : layer.source.flatMap { kept[$0] }) ?? .background
        }
    }

    /// The points of a source that a view shows, as features.
    private func features(
        of points: PointSource, in view: LayerView, _ warnings: inout [MapWarning]
    ) throws(PlanError) -> FeatureSource {
        var shown = try points.shown(for: view)
        warnings += shown.warnings
        shown.source.sheet = sheet
        shown.source.selection = selection
        return shown.source
    }

    /// Returns the style with all layers visible at all zooms, to check them for missing resources.
    package func showingAll() -> StyleSource {
        StyleSource(sheet.showingAll(), baseURL: baseURL, sources: sources, losses: losses)
    }

    /// The reason why a layer can never be drawn, or `nil`.
    package func loss(of layer: StyleSheet.Layer) -> StyleFault? {
        guard let name = layer.source else { return layer.kind == .background ? nil : .unknownSource }
        guard let source = sources[name] else {
            let type = sheet.sources[name].map { StyleFault.sourceType($0.type).description }
            return (losses[name] ?? type).map { .lostSource(name, $0) } ?? .unknownSource
        }
        let hasFeatures = source is FeatureSource || source is PointSource || source is VectorTileSource
        if source is VectorTileSource, layer.sourceLayer == nil { return .malformed(wanted: "a source-layer") }
        guard source is TerrainSource == layer.kind.drawsElevations else { return .otherSource }
        return hasFeatures == layer.kind.drawsFeatures ? nil : .otherSource
    }

    /// The feature sources that a layer draws, in the order of their names.
    package var featureSources: [FeatureSource] {
        let drawn = Set(sheet.layers.lazy.filter(\.kind.drawsFeatures).compactMap(\.source))
        return sources.sorted { $0.key < $1.key }.compactMap { name, source in
            drawn.contains(name) ? source as? FeatureSource : nil
        }
    }
}

extension StyleSource: LayerSource {
    /// `style`.
    public var kind: String { "style" }

    /// Plans the features and images in view, in the layer order of the style.
    ///
    /// - Complexity: O(features in view · layers that draw them).
    public func plan(for view: LayerView, given arrivals: Arrivals) throws(PlanError) -> LayerPlan {
        var planner = StylePlanner(sheet, base: baseURL, view, given: arrivals, spriteMemory, glyphMemory)
        // All features would be planned again once the sprites arrive.
        let drawsFeatures = !view.isDraft || !planner.isWaiting
        var features: [String: ShownSource] = [:]
        var pictures: [String: LayerPlan] = [:], warnings: [MapWarning] = []
        var terrains: [String: TerrainView] = [:]
        var vectors = SheetTiles(self, view, given: arrivals, zoom: planner.zoom)
        for (number, layer) in sheet.layers.enumerated() where layer.isDrawn(at: planner.zoom) {
            if case .lost(let loss) = contents[number] {
                planner.lose(layer, loss)
                continue
            }
            planner.countPart()
            let name = layer.source ?? ""
            switch contents[number] {
            case .lost: break
            case .background: if drawsFeatures { planner.add(background: layer) }
            case .vectorTiles(let tiles):
                guard let shown = try vectors.features(of: layer, tiles.value, named: name) else { continue }
                let key = "\(name)/\(layer.sourceLayer ?? "")"
                if features[key] == nil { features[key] = try ShownSource(Kept(shown), in: planner) }
                if let shown = features[key] { try planner.add(layer, number, of: shown) }
            case .features(let source):
                guard drawsFeatures else { continue }
                if features[name] == nil {
                    warnings += source.value.omissionWarnings(layer: view.layer)
                    features[name] = try ShownSource(source, in: planner)
                }
                if let shown = features[name] { try planner.add(layer, number, of: shown) }
            case .points(let source):
                guard drawsFeatures else { continue }
                if features[name] == nil {
                    let shown = try self.features(of: source.value, in: view, &warnings)
                    features[name] = try ShownSource(Kept(shown), in: planner)
                }
                if let shown = features[name] { try planner.add(layer, number, of: shown) }
            case .terrain(let terrain):
                let shown: TerrainView
                if let known = terrains[name] {
                    shown = known
                } else {
                    shown = try terrain.value.terrain(for: view.of(part: name), given: arrivals)
                    terrains[name] = shown
                    pictures[name] = shown.plan
                }
                if !(view.isDraft && shown.isWaiting) { planner.add(elevations: layer, of: terrain.value, in: shown) }
            case .images(let source):
                if pictures[name] == nil { pictures[name] = try source.plan(for: view.of(part: name), given: arrivals) }
                let opacity = layer.opacity(at: planner.zoom, globalState: sheet.globalState)
                guard opacity > 0, var nodes = pictures[name]?.nodes, !nodes.isEmpty else { continue }
                if let adjustment = layer.colorAdjustment(at: planner.zoom, globalState: sheet.globalState) {
                    nodes = nodes.map { $0.adjusted(by: adjustment) }
                }
                planner.add(opacity < 1 ? [.group(opacity: opacity, nodes)] : nodes)
            }
        }
        var plan = planner.plan()
        plan.warnings += warnings + vectors.joinWarnings
        for (_, part) in vectors.plans.sorted(by: { $0.key < $1.key }) { plan.join(part) }
        for (_, part) in pictures.sorted(by: { $0.key < $1.key }) { plan.join(part) }
        return plan
    }
}

/// The content of a layer of a style, determined once for all pictures.
///
/// The sources are large values.
private enum LayerContent: Sendable {
    case background
    case features(Kept<FeatureSource>)
    case points(Kept<PointSource>)
    case vectorTiles(Kept<VectorTileSource>)
    case terrain(Kept<TerrainSource>)
    case images(any LayerSource)
    case lost(StyleFault)

    init(_ source: any LayerSource) {
        self =
            switch source {
            case let source as FeatureSource: .features(Kept(source))
            case let source as PointSource: .points(Kept(source))
            case let source as VectorTileSource: .vectorTiles(Kept(source))
            case let source as TerrainSource: .terrain(Kept(source))
            default: .images(source)
            }
    }
}

/// A source and its visible content.
private final class ShownSource {
    let source: Kept<FeatureSource>
    let reach: StylePlanner.Reach?

    init(_ source: Kept<FeatureSource>, in planner: StylePlanner) throws(PlanError) {
        self.source = source
        reach = try planner.reach(of: source.value)
    }
}

extension StylePlanner {
    /// Adds the style layer with an index that draws features.
    fileprivate mutating func add(_ layer: StyleSheet.Layer, _ number: Int, of shown: ShownSource) throws(PlanError) {
        if layer.kind == .heatmap {
            try add(heatmap: number, of: shown.source.value)
        } else if let reach = shown.reach {
            try add(layer: number, of: shown.source.value, in: reach)
        }
    }
}

extension StyleSource: Equatable {
    /// Returns whether two sources draw the same.
    public static func == (left: StyleSource, right: StyleSource) -> Bool {
        left.sheet == right.sheet && left.baseURL == right.baseURL && left.selection == right.selection
            && left.losses == right.losses && left.sources.count == right.sources.count
            && left.sources.allSatisfy { name, source in right.sources[name].map(source.isEqual) ?? false }
    }
}

extension MapLayer {
    /// The style that the layer draws, or `nil` if it has another kind of source.
    public var style: StyleSource? { source as? StyleSource }

    /// The feature sources that the layer draws: at most one, unless it draws a style.
    package var featureSources: [FeatureSource] { style?.featureSources ?? features.map { [$0] } ?? [] }
}
