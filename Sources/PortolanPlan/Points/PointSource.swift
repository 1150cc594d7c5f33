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
    static let featureLimit = 2000
    /// How many are when there is more to be drawn: names, pictures, what a style sheet says.
    static let styledFeatureLimit = 100_000

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
    /// What clusters have besides their number, gathered of their points; nothing unless set.
    package var clusterProperties: [ClusterProperty] = []
    /// The point shown as selected, or `nil`.
    public var selection: Feature.ID?

    /// Makes a source of a table, such as `PointSource.Table.reading(bytes)`.
    public init(_ table: PointTable, look: Look = .points, style: StyleDeclaration = StyleDeclaration()) {
        self.table = table
        self.look = look
        self.style = style
    }

    /// The look of a cluster that no style sheet says anything about: larger and darker the more points it stands for, with their
    /// number.
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
        // A number belongs to its mark, whatever lies beside it.
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

    /// The mark of each point where that is all there is to draw, or `nil` where there is more.
    var onlyMark: ShapeMarker? {
        let style = style.style
        guard sheet == nil, style.label == nil, case .shape(let marker)? = style.marker else { return nil }
        return marker
    }
}

extension PointSource: Equatable {
    /// Whether two sources draw the same.
    public static func == (left: PointSource, right: PointSource) -> Bool {
        left.table.isSame(as: right.table) && left.look == right.look
            && left.clusterProperties == right.clusterProperties && left.style == right.style
            && left.sheet == right.sheet && left.selection == right.selection && left.baseURL == right.baseURL
            && left.sheetBaseURL == right.sheetBaseURL
    }
}
