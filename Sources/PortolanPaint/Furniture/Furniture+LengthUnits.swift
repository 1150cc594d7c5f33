extension Furniture {
    /// The units of lengths on the ground.
    public enum LengthUnits: String, Hashable, Sendable, CaseIterable {
        /// Kilometres and metres.
        case metric
        /// International miles and feet.
        case imperial
        /// Nautical miles of 1852 metres, and metres below a hundredth of one.
        case nautical

        /// The units from the longest to the shortest: metres, the symbol, and the smallest number that is written.
        var units: [(meters: Double, symbol: String, least: Double)] {
            switch self {
            case .metric: [(1000, "km", 1), (1, "m", 1), (0.01, "cm", 1), (0.001, "mm", 1)]
            case .imperial: [(1609.344, "mi", 1), (0.3048, "ft", 1), (0.0254, "in", 0.01)]
            case .nautical: [(1852, "NM", 0.01), (1, "m", 0.001)]
            }
        }
    }
}
