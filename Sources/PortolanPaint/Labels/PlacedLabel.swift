import PortolanFeatures

/// A label to be drawn.
struct PlacedLabel {
    let text: LabelText
    let symbol: LabelSymbol
    let pose: LabelPose
    /// The number of the layer whose opacity it has.
    let layer: Int
}
