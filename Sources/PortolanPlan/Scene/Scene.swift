public import PortolanRaster

/// What is painted for a view, in order, in a small closed vocabulary that every way out understands.
///
/// It names images by the identity of their resources; those that have not come leave holes.
public struct Scene: Equatable, Sendable {
    /// The view.
    public var viewport: Viewport
    /// The colour under the bottommost layer.
    public var background: MapColor
    /// The layers, bottom first.
    public var layers: [Scene.Layer]
    /// What explains the layers beside the map, or `nil` when nothing does.
    public var legend: Legend?

    /// Makes a scene.
    public init(viewport: Viewport, background: MapColor, layers: [Scene.Layer], legend: Legend? = nil) {
        self.viewport = viewport
        self.background = background
        self.layers = layers
        self.legend = legend
    }
}

extension Scene {
    /// One layer of a ``Scene``.
    public struct Layer: Equatable, Sendable {
        /// Layers that follow one another and fade as one.
        public struct Group: Hashable, Sendable {
            /// The name of the group; layers with the same belong together.
            public var name: String
            /// The opacity of all together, 0 to 1.
            public var opacity: Double

            /// Makes a group.
            public init(name: String, opacity: Double) {
                self.name = name
                self.opacity = opacity
            }
        }

        /// The name of the layer.
        public var name: String
        /// The opacity of the layer as a whole, 0 to 1.
        public var opacity: Double
        /// The group that it is faded with, or `nil` for none.
        public var group: Group?
        /// The colour of its images that is shown as transparent, or `nil` for none.
        public var transparentColor: MapColor.Key?
        /// What is painted, bottom first.
        public var nodes: [Scene.Node]

        /// Makes a layer.
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
    /// The colour with which the layer's first node covers all that lies below, or `nil`.
    package var groundColor: MapColor? {
        guard opacity >= 1, group == nil, case .features(let step)? = nodes.first else { return nil }
        return step.groundColor
    }
}

extension Scene {
    /// Something that is painted.
    public indirect enum Node: Equatable, Sendable {
        /// Images, stitched and resampled onto the picture.
        case mosaic(Mosaic)
        /// Shapes, symbols and labels of features: areas below lines below marks, and labels over all layers.
        case features(Scene.FeatureStep)
        /// Points that are too many for an object each.
        case points(Scene.PointStep)
        /// Nodes that fade as one, 0 to 1.
        case group(opacity: Double, [Scene.Node])
    }
}

extension Scene.Node {
    /// The features of the node and of those within.
    package var featureSteps: [Scene.FeatureStep] {
        switch self {
        case .mosaic, .points: []
        case .features(let step): [step]
        case .group(_, let nodes): nodes.flatMap(\.featureSteps)
        }
    }

    /// The node with the colours of its images, and of those within, changed.
    func adjusted(by adjustment: ColorAdjustment) -> Scene.Node {
        switch self {
        case .mosaic(var mosaic):
            mosaic.adjustment = adjustment
            return .mosaic(mosaic)
        case .features, .points: return self
        case .group(let opacity, let nodes): return .group(opacity: opacity, nodes.map { $0.adjusted(by: adjustment) })
        }
    }

    /// The mosaics of the node and of those within.
    package var mosaics: [Mosaic] {
        switch self {
        case .mosaic(let mosaic): [mosaic]
        case .features, .points: []
        case .group(_, let nodes): nodes.flatMap(\.mosaics)
        }
    }

    /// The steps of points of the node and of those within.
    package var pointSteps: [Scene.PointStep] {
        switch self {
        case .mosaic, .features: []
        case .points(let step): [step]
        case .group(_, let nodes): nodes.flatMap(\.pointSteps)
        }
    }
}
