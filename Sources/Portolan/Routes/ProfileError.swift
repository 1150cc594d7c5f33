extension RouteLine {
    /// The reason why a route has no elevation profile.
    public enum ProfileError: Error, Hashable, Sendable, CustomStringConvertible {
        /// There is no line.
        case noLine
        /// Fewer than two points of the lines have an elevation.
        case noElevations
        /// No layer has this name.
        case noLayer(String)

        /// The failure in one line, with its remedy.
        public var description: String {
            switch self {
            case .noLine: "no line, so no elevation profile; use a file with a track, a route or lines"
            case .noElevations:
                "the line has no elevations, so no profile; use a track with elevations (GPX <ele>, or a third coordinate)"
            case .noLayer(let name): "no layer is named '\(name)', so no elevation profile"
            }
        }
    }
}
