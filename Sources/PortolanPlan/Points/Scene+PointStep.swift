package import PortolanFeatures
import PortolanRaster

extension Scene {
    /// Points to draw that are too many for individual objects.
    ///
    /// The points stay in their table. A step states which of them may be visible.
    public struct PointStep: Sendable {
        /// The appearance of the points.
        package enum Look: Hashable, Sendable {
            /// A mark at each point, in table order.
            case marks(ShapeMarker)
            /// As a heatmap of their density.
            case heatmap(HeatmapSymbol)
        }

        /// The table of the points.
        package let table: PointTable
        /// The points that may be visible.
        package let runs: [PointIndex.Run]
        /// The appearance of the points.
        package private(set) var look: Look
        /// The eastward offsets of the drawn copies of the points, in units of the map's CRS.
        package let worldShifts: [Double]

        /// The title of the style rule from which the step originates, or `nil`.
        private(set) var ruleTitle: String?

        /// Returns the step as the drawing of a style rule.
        func ruled(title: String) -> Scene.PointStep {
            var step = self
            step.ruleTitle = title
            return step
        }

        /// The step with a small mark at each point in place of heat.
        package var asMarks: Scene.PointStep {
            guard case .heatmap = look else { return self }
            var step = self
            step.look = .marks(ShapeMarker(radius: 3, fill: FillSymbol(color: .black)))
            return step
        }

        /// The number of points that may be visible.
        public var count: Int { runs.reduce(0) { $0 + $1.range.count } }
    }
}

extension Scene.PointStep: Equatable {
    /// Returns whether two steps draw the same.
    public static func == (left: Scene.PointStep, right: Scene.PointStep) -> Bool {
        left.looksTheSame(as: right) && left.runs == right.runs && left.worldShifts == right.worldShifts
    }

    /// Returns whether two steps draw the same wherever both views show anything.
    package func looksTheSame(as other: Scene.PointStep) -> Bool { table.isSame(as: other.table) && look == other.look }
}
