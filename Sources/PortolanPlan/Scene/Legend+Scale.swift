public import PortolanRaster

extension Legend {
    /// A continuous scale: a ramp of colours, or discs of different sizes.
    public struct Scale: Hashable, Sendable {
        /// A step of a scale.
        public struct Step: Hashable, Sendable {
            /// The position on a ramp, 0 at its low end to 1 at its high end, or the radius of a disc in pixels.
            public let value: Double
            /// The colour, or `nil` for a disc in the style of its symbol.
            public let color: MapColor?
            /// The number at the step; empty for a step without a tick.
            public let text: String

            /// Creates a step.
            public init(value: Double, color: MapColor? = nil, text: String = "") {
                self.value = value
                self.color = color
                self.text = text
            }
        }

        /// The steps in ascending order.
        public let steps: [Legend.Scale.Step]

        /// Creates a scale.
        public init(steps: [Legend.Scale.Step]) { self.steps = steps }

        /// The steps with a tick.
        public var ticks: [Legend.Scale.Step] { steps.filter { !$0.text.isEmpty } }

        /// The ends of the colours of a heat map, whose densities have no unit.
        static let density = Legend.Scale(steps: [Step(value: 0, text: "few"), Step(value: 1, text: "many")])
    }
}
