import PortolanFeatures

/// The action of a tap on the map.
enum ViewerTool: Hashable, Sendable {
    /// Selects a feature.
    case selecting
    /// Adds a point to the measurement.
    case measuring(MeasuringTool)
    /// Adds a waypoint to the planned route.
    case planning
    /// Sets the origin of a journey.
    case departing
    /// Sets the destination of a journey.
    case arriving

    /// The measurement, if the tool is the measuring tool.
    var measuring: MeasuringTool? { if case .measuring(let measuring) = self { measuring } else { nil } }

    /// The name of the tool in the page protocol.
    var word: String {
        switch self {
        case .selecting: "select"
        case .measuring: "measure"
        case .planning: "plan"
        case .departing: "from"
        case .arriving: "to"
        }
    }
}
