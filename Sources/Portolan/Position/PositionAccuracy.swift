/// How exact a position has to be: the less exact, the longer a battery lasts.
///
/// ```swift
/// map.position.settings.accuracy = .hundredMeters
/// ```
///
/// A ``PositionControl`` takes no nearer fix for a new position, so that a map on which a few hundred metres are one pixel is not
/// drawn for each step. A source may read ``meters`` to choose how it measures, as by satellites, wireless networks or cells.
public enum PositionAccuracy: Hashable, Sendable, CaseIterable, Comparable {
    /// As exact as can be, with other sensors, for a device that is plugged in.
    case navigation
    /// As exact as can be.
    case best
    /// To ten metres, as by satellites.
    case tenMeters
    /// To a hundred metres, as by wireless networks.
    case hundredMeters
    /// To a kilometre, as by cells of a telephone network.
    case kilometer
    /// To three kilometres.
    case threeKilometers

    /// The wanted accuracy in metres; 0 for as exact as can be.
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
