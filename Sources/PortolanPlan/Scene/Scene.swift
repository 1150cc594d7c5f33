public import PortolanRaster
import PortolanText

/// The drawing of a view in order, with few kinds of nodes that every output supports.
///
/// It refers to images by resource identity. Images that have not arrived leave holes.
public struct Scene: Equatable, Sendable {
    /// The view.
    public var viewport: Viewport
    /// The colour under the bottommost layer.
    public var background: MapColor
    /// The colour of the earth's disc or sheet under the layers, such as that of the ocean, or `nil`.
    public var sphere: MapColor?
    /// The layers, bottom first.
    public var layers: [Scene.Layer]
    /// The legend beside the map, or `nil`.
    public var legend: Legend?

    /// Creates a scene.
    public init(
        viewport: Viewport, background: MapColor, layers: [Scene.Layer], legend: Legend? = nil, sphere: MapColor? = nil
    ) {
        self.sphere = sphere
        self.viewport = viewport
        self.background = background
        self.layers = layers
        self.legend = legend
    }
}

extension Scene {
    /// A layer of a ``Scene``.
    public struct Layer: Equatable, Sendable {
        /// Consecutive layers that fade as one.
        public struct Group: Hashable, Sendable {
            /// The name of the group.
            ///
            /// Layers with the same name belong together.
            public var name: String
            /// The opacity of the whole group, 0 to 1.
            public var opacity: Double

            /// Creates a group.
            public init(name: String, opacity: Double) {
                self.name = name
                self.opacity = opacity
            }
        }

        /// The name of the layer.
        public var name: String
        /// The opacity of the layer as a whole, 0 to 1.
        public var opacity: Double
        /// The group with which it fades, or `nil`.
        public var group: Group?
        /// The image colour that is made transparent, or `nil`.
        public var transparentColor: MapColor.Key?
        /// The drawing, bottom first.
        public var nodes: [Scene.Node]

        /// Creates a layer.
        public init(
            name: String, opacity: Double = 1, transparentColor: MapColor.Key? = nil, group: Group? = nil,
            nodes: [Scene.Node]
        ) {
            self.group = group
            self.name = name
            self.opacity = opacity
            self.transparentColor = transparentColor
            self.nodes = nodes
        }
    }
}

extension Scene.Layer {
    /// The colour with which the layer's first node covers everything below, or `nil`.
    package var groundColor: MapColor? {
        guard opacity >= 1, group == nil, case .features(let step)? = nodes.first else { return nil }
        return step.groundColor
    }
}

extension Scene {
    /// A drawing operation of a scene.
    public indirect enum Node: Equatable, Sendable {
        /// Images, stitched and resampled onto the picture.
        case mosaic(Mosaic)
        /// Shapes, symbols and labels of features: areas below lines below marks, and labels over all layers.
        case features(Scene.FeatureStep)
        /// Points that are too many for individual objects.
        case points(Scene.PointStep)
        /// Nodes that fade as one, with an opacity of 0 to 1.
        case group(opacity: Double, [Scene.Node])
    }
}

extension Scene.Node {
    /// The feature steps of the node and its descendants.
    package var featureSteps: [Scene.FeatureStep] {
        switch self {
        case .mosaic, .points: []
        case .features(let step): [step]
        case .group(_, let nodes): nodes.flatMap(\.featureSteps)
        }
    }

    /// Returns the node with a colour adjustment of all its images.
    func adjusted(by adjustment: ColorAdjustment) -> Scene.Node {
        switch self {
        case .mosaic(var mosaic):
            mosaic.adjustment = adjustment
            return .mosaic(mosaic)
        case .features, .points: return self
        case .group(let opacity, let nodes): return .group(opacity: opacity, nodes.map { $0.adjusted(by: adjustment) })
        }
    }

    /// Returns the node with glyph ranges for the labels of all its features.
    func with(_ glyphs: GlyphRanges) -> Scene.Node {
        switch self {
        case .mosaic, .points: self
        case .features(let step): .features(step.with(glyphs))
        case .group(let opacity, let nodes): .group(opacity: opacity, nodes.map { $0.with(glyphs) })
        }
    }

    /// The mosaics of the node and its descendants.
    package var mosaics: [Mosaic] {
        switch self {
        case .mosaic(let mosaic): [mosaic]
        case .features, .points: []
        case .group(_, let nodes): nodes.flatMap(\.mosaics)
        }
    }

    /// The point steps of the node and its descendants.
    package var pointSteps: [Scene.PointStep] {
        switch self {
        case .mosaic, .features: []
        case .points(let step): [step]
        case .group(_, let nodes): nodes.flatMap(\.pointSteps)
        }
    }
}
