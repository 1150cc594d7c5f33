import PortolanFeatures

/// A label to be drawn.
struct PlacedLabel {
    let text: String
    let symbol: LabelSymbol
    let pose: LabelPose
    /// The number of the layer whose opacity it has.
    let layer: Int
}
