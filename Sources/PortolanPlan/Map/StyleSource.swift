public import PortolanFeatures
import PortolanGeo
public import PortolanStyles
public import PortolanWeb

/// A whole style: its layers in their order, each with what its source has (MapLibre Style Specification 8, Sources and Layers).
///
/// ```swift
/// let sheet = try StyleSheet(bytes: document)
/// let source = StyleSource(sheet, sources: ["roads": FeatureSource(features: roads)])
/// try map.add(MapLayer(name: "city", source: source))
/// ```
///
/// A source is held once, however many layers draw it. Layers of sources that are missing draw nothing, and each picture that
/// should show them says so.
public struct StyleSource: Sendable {
    /// The style.
    public let sheet: StyleSheet

    /// What relative addresses of its sprites are relative to, or `nil` when they lead nowhere.
    public let baseURL: BaseURL?

    /// The sources by their names in the style; those of features draw by the style.
    public private(set) var sources: [String: any LayerSource]

    /// Why sources cannot be had, by their names: their layers are not drawn, and each picture that lacks them says so.
    public let losses: [String: String]

    private let spriteMemory = SpriteCache()

    /// The feature shown as selected, or `nil`.
    public var selection: Feature.ID? {
        didSet {
            let selected = selection
            if selected != oldValue { forEachFeatureSource { $0.selection = selected } }
        }
    }

    /// Makes a source of a style and what its sources have.
    ///
    /// - Parameters:
    ///   - sources: ``FeatureSource``, ``PointSource`` (clusters among them) or ``VectorTileSource`` for layers of features, any
    ///     other source for layers of pictures.
    ///   - losses: why others cannot be had, by their names.
    /// - Complexity: O(sources).
    public init(
        _ sheet: StyleSheet, baseURL: BaseURL? = nil, sources: [String: any LayerSource], losses: [String: String] = [:]
    ) {
        self.losses = losses
        self.sheet = sheet
        self.baseURL = baseURL
        self.sources = sources
        forEachFeatureSource {
            $0.sheet = sheet
            $0.sheetBaseURL = baseURL
        }
    }

    private mutating func forEachFeatureSource(_ change: (inout FeatureSource) -> Void) {
        for (name, source) in sources {
            guard var features = source as? FeatureSource else { continue }
            change(&features)
            sources[name] = features
        }
    }

    /// What a source shows in a view as features, or `nil` where it draws pictures.
    private func features(
        of source: any LayerSource, in view: LayerView, _ warnings: inout [MapWarning]
    ) throws(PlanError) -> FeatureSource? {
        guard let points = source as? PointSource else {
            let features = source as? FeatureSource
            warnings += features?.omissionWarnings(layer: view.layer) ?? []
            return features
        }
        var shown = try points.shown(for: view)
        warnings += shown.warnings
        shown.source.sheet = sheet
        shown.source.selection = selection
        return shown.source
    }

    /// The same with all layers drawn at all zooms, hidden ones too, to see what is missing of any.
    package func showingAll() -> StyleSource {
        StyleSource(sheet.showingAll(), baseURL: baseURL, sources: sources, losses: losses)
    }

    /// Why nothing can be drawn of a layer, whatever the view shows; `nil` if it is drawn.
    package func loss(of layer: StyleSheet.Layer) -> StyleFault? {
        guard let name = layer.source else { return layer.kind == .background ? nil : .unknownSource }
        guard let source = sources[name] else {
            let type = sheet.sources[name].map { StyleFault.sourceType($0.type).description }
            return (losses[name] ?? type).map { .lostSource(name, $0) } ?? .unknownSource
        }
        let hasFeatures = source is FeatureSource || source is PointSource || source is VectorTileSource
        if source is VectorTileSource, layer.sourceLayer == nil { return .malformed(wanted: "a source-layer") }
        return hasFeatures == layer.kind.drawsFeatures ? nil : .otherSource
    }

    /// The sources of features that some layer draws, in the order of their names.
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

    /// The features and pictures in view, as the layers of the style lie over one another.
    ///
    /// - Complexity: O(features in view · layers that draw them).
    public func plan(for view: LayerView, given arrivals: Arrivals) throws(PlanError) -> LayerPlan {
        var planner = StylePlanner(sheet, base: baseURL, view, given: arrivals, spriteMemory)
        // With the sprites all features would be planned anew.
        let drawsFeatures = !view.isDraft || !planner.isWaiting
        var features: [String: ShownSource] = [:]
        var pictures: [String: LayerPlan] = [:], warnings: [MapWarning] = []
        var vectors = SheetTiles(self, view, given: arrivals, zoom: planner.zoom)
        for (number, layer) in sheet.layers.enumerated() where layer.isDrawn(at: planner.zoom) {
            if let loss = loss(of: layer) {
                planner.lose(layer, loss)
                continue
            }
            planner.countPart()
            if layer.kind == .background, drawsFeatures { planner.add(background: layer) }
            guard let name = layer.source, let source = sources[name] else { continue }
            if let tiles = source as? VectorTileSource {
                guard let shown = try vectors.features(of: layer, tiles, named: name) else { continue }
                let key = "\(name)/\(layer.sourceLayer ?? "")"
                if features[key] == nil {
                    features[key] = ShownSource(source: shown, reach: try planner.reach(of: shown))
                }
                guard let shown = features[key] else { continue }
                try planner.add(layer, number, of: shown)
            } else if layer.kind.drawsFeatures {
                guard drawsFeatures else { continue }
                if features[name] == nil, let shown = try self.features(of: source, in: view, &warnings) {
                    features[name] = ShownSource(source: shown, reach: try planner.reach(of: shown))
                }
                guard let shown = features[name] else { continue }
                try planner.add(layer, number, of: shown)
            } else if layer.kind == .raster {
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
        plan.warnings += warnings
        for (_, part) in vectors.plans.sorted(by: { $0.key < $1.key }) { plan.join(part) }
        for (_, part) in pictures.sorted(by: { $0.key < $1.key }) { plan.join(part) }
        return plan
    }
}

/// A source and what a view shows of it; as a value it is large.
private final class ShownSource {
    let source: FeatureSource
    let reach: StylePlanner.Reach?

    init(source: FeatureSource, reach: StylePlanner.Reach?) {
        self.source = source
        self.reach = reach
    }
}

extension StylePlanner {
    /// Adds a layer of the style, by its number, that draws features.
    fileprivate mutating func add(_ layer: StyleSheet.Layer, _ number: Int, of shown: ShownSource) throws(PlanError) {
        if layer.kind == .heatmap {
            try add(heatmap: number, of: shown.source)
        } else if let reach = shown.reach {
            try add(layer: number, of: shown.source, in: reach)
        }
    }
}

extension StyleSource: Equatable {
    /// Whether two sources draw the same.
    public static func == (left: StyleSource, right: StyleSource) -> Bool {
        left.sheet == right.sheet && left.baseURL == right.baseURL && left.selection == right.selection
            && left.losses == right.losses && left.sources.count == right.sources.count
            && left.sources.allSatisfy { name, source in right.sources[name].map(source.isEqual) ?? false }
    }
}

extension LayerPlan {
    /// Adds what a part needs, not what is painted of it.
    fileprivate mutating func join(_ part: LayerPlan) {
        resources += part.resources
        warnings += part.warnings
        foundTraits.merge(part.foundTraits)
        switch (revision, part.revision) {
        case (.afterArrivals, _), (_, .never): break
        default: revision = part.revision
        }
    }
}

extension MapLayer {
    /// The style that the layer draws, or `nil` when its source is another.
    public var style: StyleSource? { source as? StyleSource }

    /// The sources of features that the layer draws; one or none unless it draws a style.
    package var featureSources: [FeatureSource] { style?.featureSources ?? features.map { [$0] } ?? [] }
}
