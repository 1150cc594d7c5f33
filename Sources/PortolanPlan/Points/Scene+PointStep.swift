package import PortolanFeatures

extension Scene {
    /// Points to draw, too many for an object each.
    ///
    /// The points stay in their table: a step says which of them the view may show.
    public struct PointStep: Sendable {
        /// How they are drawn.
        package enum Look: Hashable, Sendable {
            /// A mark at each, in the order of the table.
            case marks(ShapeMarker)
            /// Their density.
            case heatmap(HeatmapSymbol)
        }

        /// Where the points are.
        package let table: PointTable
        /// Those that the view may show.
        package let runs: [PointIndex.Run]
        /// How they are drawn.
        package let look: Look
        /// How far eastward copies of the points are drawn, in units of the map's CRS.
        package let worldShifts: [Double]

        /// The title of the rule of a style that the step comes of, or `nil` where there is none.
        private(set) var ruleTitle: String?

        /// The step as what a rule of a style draws.
        func ruled(title: String) -> Scene.PointStep {
            var step = self
            step.ruleTitle = title
            return step
        }

        /// How many points the view may show.
        public var count: Int { runs.reduce(0) { $0 + $1.range.count } }
    }
}

extension Scene.PointStep: Equatable {
    /// Whether two steps draw the same.
    public static func == (left: Scene.PointStep, right: Scene.PointStep) -> Bool {
        left.looksTheSame(as: right) && left.runs == right.runs && left.worldShifts == right.worldShifts
    }

    /// Whether two steps draw the same where both views show something.
    package func looksTheSame(as other: Scene.PointStep) -> Bool { table.isSame(as: other.table) && look == other.look }
}
