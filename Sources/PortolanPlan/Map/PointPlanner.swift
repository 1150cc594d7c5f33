import PortolanFeatures
import PortolanGeo
import PortolanRaster
import PortolanStyles
import PortolanWeb

extension PointSource: LayerSource {
    /// `points`.
    public var kind: String { "points" }

    /// The extent of the points, or `nil` if there are none.
    public var bounds: LayerBounds? {
        guard let box = table.boundingBox else { return nil }
        return table.crs.isGeographic
            ? LayerBounds(geographic: box) : box.extent.map { LayerBounds($0, crs: table.crs) }
    }

    /// Computes the clusters in advance, for which the first view would otherwise wait.
    ///
    /// Does nothing if the source shows no clusters.
    ///
    /// The computation blocks the caller, and other tasks that need clusters of the table wait meanwhile.
    /// - Complexity: O(points), once for a table and its cluster options; about a second for a million points.
    public func prepare() {
        guard case .clusters(let radius, let maximumZoom, let count) = look else { return }
        _ = table.clusters(clusterOptions(radius, maximumZoom, count))
    }

    /// Plans the points in view, or their clusters.
    ///
    /// - Complexity: O(points in view), and for clusters O(points) the first time unless they were prepared
    ///   (``prepare()``).
    public func plan(for view: LayerView, given arrivals: Arrivals) throws(PlanError) -> LayerPlan {
        var plan = try shownPlan(for: view, given: arrivals)
        plan.warnings += omissionWarnings(layer: view.layer)
        return plan
    }

    /// The warnings of each picture about points that could not be read.
    private func omissionWarnings(layer: String) -> [MapWarning] {
        table.warnings.filter { $0.effect == .omitted }.map { $0.about(layer: layer) }
    }

    private func shownPlan(for view: LayerView, given arrivals: Arrivals) throws(PlanError) -> LayerPlan {
        switch look {
        case .clusters(let radius, let maximumZoom, let count):
            let options = clusterOptions(radius, maximumZoom, count)
            return try clusterPlan(table.clusters(options), view, arrivals)
        case .heatmap(var symbol):
            if symbol.fitsCrowds {
                let side = symbol.radius * view.viewport.resolution.unitsPerPixel
                symbol = symbol.fitting(crowdOf: table.crowding(inSquaresOf: side, in: view.viewport.crs))
            }
            let reach = symbol.largestReach + 1
            guard let extents = try extents(of: view.viewport, in: table.crs, margin: reach) else { return LayerPlan() }
            return LayerPlan(nodes: [.points(step(.heatmap(symbol), extents, view.viewport, reach))])
        case .points:
            let reach = Scene.FeatureStep.symbolReach
            guard let extents = try extents(of: view.viewport, in: table.crs, margin: reach) else { return LayerPlan() }
            let most = table.runs(in: extents).reduce(0) { $0 + $1.range.count }
            if most <= (onlyMark == nil ? Self.styledFeatureLimit : Self.featureLimit) {
                return try plan(table.features(of: table.places(in: extents)), table.crs, view, arrivals)
            }
            let marker: ShapeMarker? = if case .shape(let marker)? = style.style.marker { marker } else { nil }
            let step = step(.marks(onlyMark ?? marker ?? Self.standIn), extents, view.viewport, reach)
            var plan = LayerPlan(nodes: [.points(step)])
            if onlyMark == nil {
                plan.warnings.append(
                    MapWarning(
                        .simplified, layer: view.layer,
                        message: "\(most) points in view are drawn as plain marks: they are more than "
                            + "\(Self.styledFeatureLimit)"))
            }
            return plan
        }
    }

    /// Returns the points of a view, or their clusters, as features without styles.
    ///
    /// - Complexity: O(points in view), and for clusters O(points) the first time.
    func shown(for view: LayerView) throws(PlanError) -> (source: FeatureSource, warnings: [MapWarning]) {
        let omissions = omissionWarnings(layer: view.layer)
        if case .clusters(let radius, let maximumZoom, let count) = look {
            let options = clusterOptions(radius, maximumZoom, count)
            let (features, warnings) = try clusterFeatures(table.clusters(options), view)
            return (FeatureSource(features: features, baseURL: baseURL), warnings + omissions)
        }
        let found = try extents(of: view.viewport, in: table.crs, margin: Scene.FeatureStep.symbolReach)
        let places = table.places(in: found ?? [])
        var warnings = omissions
        if places.count > Self.styledFeatureLimit { warnings.append(Self.limited(places.count, "points", view)) }
        let features = table.features(of: Array(places.prefix(Self.styledFeatureLimit)))
        return (FeatureSource(features: features, crs: table.crs, baseURL: baseURL), warnings)
    }

    private func clusterOptions(_ radius: Double, _ maximumZoom: Int, _ count: Int) -> PointClusters.Options {
        PointClusters.Options(
            radius: radius, maximumZoom: maximumZoom, minimumPointCount: count, keepsParts: !clusterProperties.isEmpty)
    }

    /// The aggregated properties of the points of a cluster.
    ///
    /// - Complexity: O(points in the cluster).
    private func gathered(_ clusters: PointClusters, _ item: PointClusters.Item) -> [ExpressionValue] {
        clusters.gathered(item) { place in
            let feature = table.features(of: [place])[0]
            return clusterProperties.map { $0.value(of: feature) }
        } _: { first, second in
            clusterProperties.indices.map { clusterProperties[$0].joined(first[$0], with: second[$0]) }
        } ?? []
    }

    private static func limited(_ count: Int, _ what: String, _ view: LayerView) -> MapWarning {
        MapWarning(
            .limited, layer: view.layer, message: "of \(count) \(what) in view \(styledFeatureLimit) are drawn")
    }

    private static let standIn = ShapeMarker(
        radius: 3, fill: FillSymbol(color: MapColor(red: 0x2F, green: 0x74, blue: 0xB5)))

    private func step(
        _ look: Scene.PointStep.Look, _ extents: [Extent], _ viewport: Viewport, _ reach: Double
    ) -> Scene.PointStep {
        Scene.PointStep(
            table: table, runs: table.runs(in: extents), look: look,
            worldShifts: worldShifts(of: viewport.crs, in: viewport.extent(margin: reach)))
    }

    /// The extent of a view with a margin in another CRS, once for each visible copy of the world.
    private func extents(
        of viewport: Viewport, in crs: CRS, margin: Double
    ) throws(PlanError) -> [Extent]? {
        guard let seen = try ViewInSource.fetched(viewport, margin: margin, sourceCRS: crs) else { return nil }
        return worldShifts(of: crs, in: seen).compactMap { seen.shifted(x: -$0, y: 0) }
    }

    /// Plans points as features.
    private func plan(
        _ features: [Feature], _ crs: CRS, _ view: LayerView, _ arrivals: Arrivals,
        looks: (Feature) -> Style? = { _ in nil }
    ) throws(PlanError) -> LayerPlan {
        var source = FeatureSource(features: [], crs: crs, baseURL: baseURL, style: style)
        var plain: [Feature] = []
        for feature in features {
            guard sheet == nil, let look = looks(feature) else {
                plain.append(feature)
                continue
            }
            source.append(feature, style: look)
        }
        source.append(contentsOf: plain)
        source.sheet = sheet
        source.sheetBaseURL = sheetBaseURL
        source.selection = selection
        return try source.plan(for: view, given: arrivals)
    }

    private func clusterPlan(
        _ clusters: PointClusters, _ view: LayerView, _ arrivals: Arrivals
    ) throws(PlanError) -> LayerPlan {
        let (features, warnings) = try clusterFeatures(clusters, view)
        var plan = try plan(features, .crs84, view, arrivals) { feature in
            feature.properties["cluster"] == true
                ? feature.properties["point_count"]?.integerValue.map(clusterStyle) : nil
        }
        plan.warnings += warnings
        return plan
    }

    private func clusterFeatures(
        _ clusters: PointClusters, _ view: LayerView
    ) throws(PlanError) -> (features: [Feature], warnings: [MapWarning]) {
        let zoom = Int(min(max(view.viewport.styleZoom, 0), 25))
        let extents = try extents(of: view.viewport, in: .crs84, margin: Scene.FeatureStep.symbolReach) ?? []
        var shown = clusters.items(at: zoom, in: extents)
        var warnings: [MapWarning] = []
        if shown.count > Self.styledFeatureLimit {
            warnings.append(Self.limited(shown.count, "clusters and points", view))
            shown.removeLast(shown.count - Self.styledFeatureLimit)
        }
        let features = shown.map { item -> Feature in
            let place = Geometry.point(item.place), count = item.count
            guard count > 1 else {
                var feature = table.features(of: [item.id])[0]
                feature.geometry = place
                return feature
            }
            var properties: Properties = [
                "cluster": true, "cluster_id": .integer(item.id), "point_count": .integer(count),
                "point_count_abbreviated": .string(Self.abbreviated(count)),
            ]
            if !clusterProperties.isEmpty {
                for (property, value) in zip(clusterProperties, gathered(clusters, item)) {
                    properties[property.name] = value.propertyValue
                }
            }
            return Feature(id: .integer(item.id), geometry: place, properties: properties)
        }
        return (features, warnings)
    }

    /// A number in at most four characters, such as `1.2k`.
    static func abbreviated(_ count: Int) -> String {
        if count < 1000 { return String(count) }
        if count < 9_950 {
            let tenths = (count + 50) / 100
            return tenths % 10 == 0 ? "\(tenths / 10)k" : "\(tenths / 10).\(tenths % 10)k"
        }
        return count < 999_500 ? "\((count + 500) / 1000)k" : "\((count + 500_000) / 1_000_000)M"
    }
}
