public import PortolanFeatures
import PortolanGeo
import PortolanRaster
public import PortolanStyles
public import PortolanWeb

/// Millions of points, drawn as marks, clusters or a heatmap.
///
/// If a view shows few points or clusters, they are features like any others: with labels, icons, individual styles and
/// a style sheet, and hit tests find them. If it shows many, each is a plain mark.
///
/// ```swift
/// var quakes = PointSource(table, look: .clusters(radius: 60))
/// quakes.selection = nil
/// layers.append(MapLayer(name: "quakes", source: quakes))
/// ```
public struct PointSource: Sendable {
    /// The points in columns.
    public typealias Table = PointTable
    /// The appearance of density.
    public typealias Heatmap = HeatmapSymbol

    /// The presentation of points.
    public enum Look: Hashable, Sendable {
        /// Individually.
        case points
        /// Nearby points are merged into clusters (``PointSource/clusterStyle(_:)``), as in supercluster.
        ///
        /// Clusters have the properties `cluster`, `cluster_id`, `point_count` and `point_count_abbreviated`, as in
        /// MapLibre.
        /// - radius: the merging distance, in view pixels at whole zooms.
        /// - maximumZoom: the largest style zoom at which points are clustered.
        /// - minimumPointCount: the smallest number of points in a cluster.
        case clusters(radius: Double = 50, maximumZoom: Int = 16, minimumPointCount: Int = 2)
        /// As a heatmap of their density.
        case heatmap(Heatmap)
    }

    /// The largest number of points in a view that become features if only marks are drawn.
    static let featureLimit = 2000
    /// The largest number if more is drawn, such as labels, icons or a style sheet.
    static let styledFeatureLimit = 100_000

    /// The points.
    public let table: PointTable
    /// The presentation of the points.
    public var look: Look
    /// The style of points that do not state their own.
    public var style: StyleDeclaration
    /// The style sheet that replaces ``style`` for points and clusters, or `nil`.
    public var sheet: StyleSheet?
    /// The base of relative addresses in ``sheet``, or `nil` if they cannot be resolved.
    public var sheetBaseURL: BaseURL?
    /// The base of relative icon addresses, or `nil` if they cannot be resolved.
    public var baseURL: BaseURL?
    /// The properties that clusters aggregate from their points; none by default.
    package var clusterProperties: [ClusterProperty] = []
    /// Whether the layer's name was chosen to say what the points are, so that legends of clusters do not add "points".
    package var isNamed = false
    /// The identifier of the selected point, or `nil`.
    public var selection: Feature.ID?

    /// Creates a source of a table, such as `PointSource.Table.reading(bytes)`.
    public init(_ table: PointTable, look: Look = .points, style: StyleDeclaration = StyleDeclaration()) {
        self.table = table
        self.look = look
        self.style = style
    }

    /// Returns the default style of a cluster: larger and darker the more points it has, labelled with their number.
    public func clusterStyle(_ pointCount: Int) -> Style {
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
        var style = declaration.style
        // The number belongs to its mark and is drawn even if it overlaps another.
        style.label?.mayOverlap = true
        return style
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
        MapColor(red: 0x4F, green: 0x8F, blue: 0xC9), MapColor(red: 0x2F, green: 0x74, blue: 0xB5),
        MapColor(red: 0x1F, green: 0x5A, blue: 0x9B), MapColor(red: 0x17, green: 0x45, blue: 0x7D),
        MapColor(red: 0x10, green: 0x32, blue: 0x5E),
    ]

    /// The mark of each point if only marks are drawn, or `nil` if more is drawn.
    var onlyMark: ShapeMarker? {
        let style = style.style
        guard sheet == nil, style.label == nil, case .shape(let marker)? = style.marker else { return nil }
        return marker
    }
}

extension PointSource: Equatable {
    /// Returns whether two sources draw the same.
    public static func == (left: PointSource, right: PointSource) -> Bool {
        left.table.isSame(as: right.table) && left.look == right.look
            && left.clusterProperties == right.clusterProperties && left.isNamed == right.isNamed
            && left.style == right.style
            && left.sheet == right.sheet && left.selection == right.selection && left.baseURL == right.baseURL
            && left.sheetBaseURL == right.sheetBaseURL
    }
}
