extension PositionControl {
    /// The required accuracy of a position; a lower accuracy saves battery.
    ///
    /// ```swift
    /// map.position.settings.accuracy = .hundredMeters
    /// ```
    ///
    /// A ``PositionControl`` ignores fixes that are closer to the position than this. A map on which a few hundred metres
    /// are one pixel is then not drawn for each step. A source may use ``meters`` to select satellites, wireless networks
    /// or cells.
    public enum Accuracy: Hashable, Sendable, CaseIterable, Comparable {
        /// The best accuracy with additional sensors, for a device on external power.
        case navigation
        /// The best accuracy.
        case best
        /// Ten metres, as from satellites.
        case tenMeters
        /// A hundred metres, as from wireless networks.
        case hundredMeters
        /// A kilometre, as from cell towers.
        case kilometer
        /// Three kilometres.
        case threeKilometers

        /// The accuracy in metres; 0 for the best.
        public var meters: Double {
            switch self {
            case .navigation, .best: 0
            case .tenMeters: 10
            case .hundredMeters: 100
            case .kilometer: 1000
            case .threeKilometers: 3000
            }
        }
    }
}
