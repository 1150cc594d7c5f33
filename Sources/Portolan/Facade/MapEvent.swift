public import PortolanFeatures
public import PortolanPlan

/// Something that happened to a map, for an app to react to.
public enum MapEvent: Equatable, Sendable {
    /// A layer was drawn, whole or with something missing.
    case layerLoaded(name: String, isComplete: Bool)
    /// The server of a layer can no longer be reached; said once, until it can.
    case connectionLost(layer: String, detail: String)
    /// The server of a layer can be reached again; draw the map to see it.
    ///
    /// While someone listens, a server that was lost is asked for one image now and then: after 1 s, then half as often
    /// each time, down to once a minute.
    case connectionRestored(layer: String)
    /// A feature was touched.
    case featureTouched(layer: String, feature: Feature)
    /// Another feature is selected, or, with `nil`, none.
    case selectionChanged(Feature?)
    /// The view has changed.
    case viewportChanged(Viewport)
}
