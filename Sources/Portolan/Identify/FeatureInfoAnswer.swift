public import PortolanFeatures

/// What was found at a place: features, or a service's words about them.
public enum FeatureInfoAnswer: Hashable, Sendable {
    /// The features, the topmost first; none when nothing is there.
    case features([IdentifiedFeature])
    /// Words, as the service wrote them.
    case text(String)
    /// A page: its words in one line, and its source, which is a stranger's and may hold scripts.
    case html(text: String, source: String)

    /// Whether nothing was found.
    public var isEmpty: Bool {
        switch self {
        case .features(let features): features.isEmpty
        case .text, .html: false
        }
    }
}
