public import PortolanFeatures
import PortolanGeo
import PortolanRaster
public import PortolanStyles
public import PortolanWeb

/// Points by the million, as marks, as clusters or as heat.
///
/// Where a view shows few points, or clusters, they are features like any others: with labels, icons, looks of their own, a
/// style sheet, and found at a click. Where it shows many, each is a mark and nothing more.
public struct PointSource: Sendable {
    /// The points in columns.
    public typealias Table = PointTable
    /// How density is drawn.
    public typealias Heatmap = HeatmapSymbol

    /// How the points are shown.
    public enum Look: Hashable, Sendable {
        /// Each by itself.
        case points
        /// Those that are close to each other as one (``PointSource/clusterStyle(_:)``), by the scheme of supercluster.
        ///
        /// Clusters have the properties `cluster`, `cluster_id`, `point_count` and `point_count_abbreviated`, as in MapLibre.
        /// - radius: how close, in view pixels at whole zooms.
        /// - maximumZoom: the largest zoom of styles at which there are clusters.
        /// - minimumPointCount: how many points make one.
        case clusters(radius: Double = 50, maximumZoom: Int = 16, minimumPointCount: Int = 2)
        /// Their density.
        case heatmap(Heatmap)
    }

    /// How many points of a view are features when nothing but a mark is drawn of them.
    private static let featureLimit = 2000
    /// How many are when there is more to be drawn: names, pictures, what a style sheet says.
    private static let styledFeatureLimit = 100_000

    /// The points.
    public let table: PointTable
    /// How they are shown.
    public var look: Look
    /// How points look that do not say it themselves.
    public var style: StyleDeclaration
    /// The style that draws points and clusters in place of ``style``; `nil` for none.
    public var sheet: StyleSheet?
    /// What relative addresses in ``sheet`` are relative to, or `nil` when they lead nowhere.
    public var sheetBaseURL: BaseURL?
    /// What relative addresses of icons are relative to, or `nil` when they lead nowhere.
    public var baseURL: BaseURL?
    /// The point shown as selected, or `nil`.
    public var selection: FeatureID?

    /// Makes a source of a table, such as `PointSource.Table.reading(bytes)`.
    public init(_ table: PointTable, look: Look = .points, style: StyleDeclaration = StyleDeclaration()) {
        self.table = table
        self.look = look
        self.style = style
    }

    /// The look of a cluster that no style sheet says anything about: larger and darker the more points it stands for, with their
    /// number.
    public func clusterStyle(_ pointCount: Int) -> StyleDeclaration {
        let steps = min(max(log10Steps(pointCount), 0), 4)
        var declaration = StyleDeclaration()
        declaration.pointRadius = 12 + 4 * steps
        declaration.fillColor = style.fillColor ?? Self.clusterColors[Int(steps)]
        declaration.fillOpacity = 0.9
        declaration.strokeColor = .white
        declaration.strokeWidth = 2
        declaration.label = "${point_count_abbreviated}"
        declaration.fontSize = 12
        declaration.fontWeight = 700
        declaration.fontColor = .white
        declaration.labelHorizontalAlignment = .center
        declaration.labelVerticalAlignment = .middle
        declaration.labelPriority = "${point_count}"
        return declaration
    }

    private func log10Steps(_ count: Int) -> Double {
        var steps = 0.0, bound = 10
        while count >= bound, steps < 4 {
            steps += 1
            bound *= 10
        }
        return steps
    }

    private static let clusterColors = [
        Color(red: 0x4F, green: 0x8F, blue: 0xC9), Color(red: 0x2F, green: 0x74, blue: 0xB5),
        Color(red: 0x1F, green: 0x5A, blue: 0x9B), Color(red: 0x17, green: 0x45, blue: 0x7D),
        Color(red: 0x10, green: 0x32, blue: 0x5E),
    ]

    /// The mark of each point where that is all there is to draw, or `nil` where there is more.
    private var onlyMark: ShapeMarker? {
        let style = style.style
        guard sheet == nil, style.label == nil, case .shape(let marker)? = style.marker else { return nil }
        return marker
    }
}

extension PointSource: Equatable {
    /// Whether two sources draw the same.
    public static func == (left: PointSource, right: PointSource) -> Bool {
        left.table.isSame(as: right.table) && left.look == right.look && left.style == right.style
            && left.sheet == right.sheet && left.selection == right.selection && left.baseURL == right.baseURL
            && left.sheetBaseURL == right.sheetBaseURL
    }
}

extension PointSource: LayerSource {
    /// `points`.
    public var kind: String { "points" }

    /// Where the points lie, or `nil` when there is none.
    public var bounds: LayerBounds? {
        guard let box = table.boundingBox else { return nil }
        return table.crs.isGeographic
            ? LayerBounds(geographic: box) : box.extent.map { LayerBounds($0, crs: table.crs) }
    }

    /// The points in view, or what stands for them.
    ///
    /// - Complexity: O(points in view), and for clusters O(points) the first time at a zoom.
    public func plan(for view: LayerView, given arrivals: Arrivals) throws(PlanProblem) -> LayerPlan {
        switch look {
        case .clusters(let radius, let maximumZoom, let count):
            let options = PointClusters.Options(radius: radius, maximumZoom: maximumZoom, minimumPointCount: count)
            return try clusterPlan(table.clusters(options), view, arrivals)
        case .heatmap(let symbol):
            let reach = symbol.radius + 1
            guard let extents = try extents(of: view.viewport, in: table.crs, margin: reach) else { return LayerPlan() }
            return LayerPlan(nodes: [.points(step(.heatmap(symbol), extents, view.viewport, reach))])
        case .points:
            let reach = FeatureStep.symbolReach
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
                        .limited, layer: view.layer,
                        message: "\(most) points in view are drawn as marks alone: they are more than "
                            + "\(Self.styledFeatureLimit)"))
            }
            return plan
        }
    }

    private static let standIn = ShapeMarker(
        radius: 3, fill: FillSymbol(color: Color(red: 0x2F, green: 0x74, blue: 0xB5)))

    private func step(
        _ look: PointStep.Look, _ extents: [Extent], _ viewport: Viewport, _ reach: Double
    ) -> PointStep {
        PointStep(
            table: table, runs: table.runs(in: extents), look: look,
            worldShifts: worldShifts(of: viewport.crs, in: viewport.extent(margin: reach)))
    }

    /// What a view and a margin around it show in a system, once for each world in view.
    private func extents(
        of viewport: Viewport, in crs: CRS, margin: Double
    ) throws(PlanProblem) -> [Extent]? {
        guard let seen = try ViewInSource.fetched(viewport, margin: margin, sourceCRS: crs) else { return nil }
        return worldShifts(of: crs, in: seen).compactMap { seen.shifted(x: -$0, y: 0) }
    }

    /// The plan of some points as features.
    private func plan(
        _ features: [Feature], _ crs: CRS, _ view: LayerView, _ arrivals: Arrivals,
        looks: (Feature) -> StyleDeclaration? = { _ in nil }
    ) throws(PlanProblem) -> LayerPlan {
        var source = FeatureSource(features: [], crs: crs, baseURL: baseURL, style: style)
        var plain: [Feature] = []
        for feature in features {
            guard sheet == nil, let look = looks(feature) else {
                plain.append(feature)
                continue
            }
            source.append(feature, style: look.style)
        }
        source.append(contentsOf: plain)
        source.sheet = sheet
        source.sheetBaseURL = sheetBaseURL
        source.selection = selection
        return try source.plan(for: view, given: arrivals)
    }

    private func clusterPlan(
        _ clusters: PointClusters, _ view: LayerView, _ arrivals: Arrivals
    ) throws(PlanProblem) -> LayerPlan {
        let zoom = Int(min(max(view.viewport.styleZoom, 0), 25)), level = clusters.level(zoom)
        let extents = try extents(of: view.viewport, in: .crs84, margin: FeatureStep.symbolReach) ?? []
        var shown: [Int] = []
        for index in 0..<level.count {
            let place = level.place(index)
            if extents.contains(where: { $0.contains(place) }) { shown.append(index) }
        }
        var warnings: [MapWarning] = []
        if shown.count > Self.styledFeatureLimit {
            warnings.append(
                MapWarning(
                    .limited, layer: view.layer,
                    message: "of \(shown.count) clusters and points in view \(Self.styledFeatureLimit) are drawn"))
            shown.removeLast(shown.count - Self.styledFeatureLimit)
        }
        let features = shown.map { index -> Feature in
            let place = Geometry.point(level.place(index)), count = Int(level.counts[index])
            guard count > 1 else {
                var feature = table.features(of: [level.ids[index]])[0]
                feature.geometry = place
                return feature
            }
            return Feature(
                id: .integer(level.ids[index]), geometry: place,
                properties: [
                    "cluster": true, "cluster_id": .integer(level.ids[index]), "point_count": .integer(count),
                    "point_count_abbreviated": .string(Self.abbreviated(count)),
                ])
        }
        var plan = try plan(features, .crs84, view, arrivals) { feature in
            feature.properties["cluster"] == true
                ? feature.properties["point_count"]?.integerValue.map(clusterStyle) : nil
        }
        plan.warnings += warnings
        return plan
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

extension MapLayer {
    /// The points that the layer draws, or `nil` when its source is another.
    public var points: PointSource? { source as? PointSource }
}
