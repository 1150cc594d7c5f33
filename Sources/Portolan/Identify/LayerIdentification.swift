public import PortolanFeatures

/// What one layer has at a place.
public struct LayerIdentification: Hashable, Sendable {
    /// What came of asking.
    public enum Outcome: Hashable, Sendable {
        /// What is there; it may be nothing.
        case answer(FeatureInfoAnswer)
        /// The layer is pictures, and there is nobody to ask about them.
        case notQueryable
        /// It could not be found out.
        case failure(ServiceError)
    }

    /// The name of the layer.
    public let layer: String
    /// The kind of the layer, as ``RenderReport/Layer/kind``.
    public let kind: String
    /// What came of asking.
    public let outcome: Outcome

    /// The features that were found, the topmost first.
    public var features: [IdentifiedFeature] {
        if case .answer(.features(let features)) = outcome { features } else { [] }
    }
}
