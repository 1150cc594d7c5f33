public import PortolanGeo

/// Why a layer cannot be planned for a view.
public enum PlanProblem: Error, Hashable, Sendable, CustomStringConvertible {
    /// The layer's CRS and the map's cannot be brought together.
    case notTransformable(CRSError)
    /// The view would need more tiles than are sensible.
    case tooManyTiles(limit: Int)
    /// The request would be larger than a picture may be.
    case requestTooLarge
    /// The source has a reason of its own.
    case notDrawable(String)

    /// What is wrong, in one sentence.
    public var description: String {
        switch self {
        case .notTransformable(let error): "\(error); choose another CRS for the map or the layer"
        case .tooManyTiles(let limit):
            "the view needs more than \(limit) of its tiles, or more pixels than a picture may have; zoom in, or give the layer coarser levels"
        case .requestTooLarge: "the view with its margin is larger than a picture may be"
        case .notDrawable(let reason): reason
        }
    }
}
