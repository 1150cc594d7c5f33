public import PortolanRaster

/// What is to be drawn for a view, in drawing order: a plain value to compare, print and test, made without the network.
public struct DrawPlan: Equatable, Sendable {
    /// The view.
    public let viewport: Viewport

    /// The colour under the bottommost layer.
    public let background: Color

    /// The steps, bottom first.
    public let steps: [DrawStep]

    /// What was left out of the plan or done otherwise, and why.
    public let warnings: [PlanWarning]

    /// What explains the layers beside the map, or `nil` when nothing is to.
    public let legend: Legend?

    /// Makes a plan.
    public init(
        viewport: Viewport, background: Color, steps: [DrawStep], warnings: [PlanWarning] = [], legend: Legend? = nil
    ) {
        self.legend = legend
        self.viewport = viewport
        self.background = background
        self.steps = steps
        self.warnings = warnings
    }
}

/// One layer's part of a ``DrawPlan``.
public struct DrawStep: Equatable, Sendable {
    /// What a step draws.
    public enum Content: Equatable, Sendable {
        /// Images, stitched and resampled; several where the world repeats and its images do not meet.
        case mosaics([Mosaic])
        /// Features with their styles.
        case features(FeatureStep)
    }

    /// The name of the layer.
    public let layer: String

    /// The kind of the layer: `wms`, `wmsc`, `wmts`, `tms`, `xyz` or `features`.
    public let kind: String

    /// How opaque the layer is, 0 to 1.
    public let opacity: Double

    /// Who is to be named on the picture, or `nil`.
    public let attribution: String?

    /// What is drawn.
    public let content: Content

    /// The colour of its images that is shown as transparent, or `nil` for none.
    public let transparentColor: ColorKey?

    /// Makes a step.
    public init(
        layer: String, kind: String, opacity: Double, attribution: String?, content: Content,
        transparentColor: ColorKey? = nil
    ) {
        self.layer = layer
        self.kind = kind
        self.opacity = opacity
        self.attribution = attribution
        self.content = content
        self.transparentColor = transparentColor
    }
}

/// Something that a plan leaves out or does otherwise than asked, and why.
public struct PlanWarning: Hashable, Sendable, CustomStringConvertible {
    /// The name of the layer.
    public let layer: String
    /// What is wrong, in one sentence.
    public let detail: String
    /// Whether the whole layer is missing for it.
    public let losesLayer: Bool
    /// Whether it says that the view shows nothing of what the layer covers.
    public let isOutsideView: Bool

    /// Makes a warning.
    public init(layer: String, detail: String, losesLayer: Bool, isOutsideView: Bool = false) {
        self.layer = layer
        self.detail = detail
        self.losesLayer = losesLayer
        self.isOutsideView = isOutsideView
    }

    /// The layer and what is wrong.
    public var description: String { "layer '\(layer)': \(detail)" }
}
