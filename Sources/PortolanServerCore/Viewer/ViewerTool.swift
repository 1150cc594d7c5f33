import PortolanFeatures

/// What a tap on the map does.
enum ViewerTool: Hashable, Sendable {
    /// It selects what is there.
    case selecting
    /// It adds a place to what is measured.
    case measuring(MeasuringTool)
    /// It adds a place to the route that is planned.
    case planning
    /// It says where a journey begins.
    case departing
    /// It says where a journey ends.
    case arriving

    /// What is measured, if that is what taps do.
    var measuring: MeasuringTool? { if case .measuring(let measuring) = self { measuring } else { nil } }

    /// The word of a page for it.
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
