public import PortolanGeo
public import PortolanRaster
public import PortolanServices

/// One layer of a map: a name, how it is shown, and where its content comes from.
public struct MapLayer: Equatable, Sendable {
    /// Where a layer's content comes from.
    public enum Content: Equatable, Sendable {
        /// One image of a WMS for each view.
        case wms(WMSSource)
        /// Tiles of a pyramid.
        case tiles(TileSource)
        /// Features, drawn here.
        case features(FeatureSource)

        /// The kind of layer as reports and plans name it.
        public var kind: String {
            switch self {
            case .wms: "wms"
            case .tiles(let source): source.address.kind
            case .features: "features"
            }
        }
    }

    /// What the layer is called; the name is unique on its map.
    public var name: String

    /// Where its content comes from.
    public var content: Content

    /// Whether it is drawn.
    public var isVisible: Bool

    /// How opaque it is, 0 to 1.
    public var opacity: Double

    /// The finest resolution it is drawn at, in units of the map's CRS a view pixel, or `nil` for no limit.
    public var minimumResolution: Resolution?

    /// The resolution from which on it is too coarse to be drawn, or `nil` for no limit.
    public var maximumResolution: Resolution?

    /// Who is to be named on the picture, or `nil`.
    public var attribution: String?

    /// How the layer's service is asked about the features at a place, or `nil` when it cannot be.
    public var featureInfo: FeatureInfoSource?

    /// The legends of the service's layers that this one is made of, bottom first; of features legends are drawn here.
    public var legends: [WMSLegend] = []

    /// The colour of its images that is shown as transparent, or `nil` for none.
    public var transparentColor: ColorKey?

    /// Where its source says that it has something to show; `nil` where it does not say, and of features, which tell by
    /// themselves.
    ///
    /// Nothing is cut to it: a view that lies wholly outside is drawn all the same, with a warning.
    public var bounds: LayerBounds?

    /// Makes a layer.
    public init(
        name: String, content: Content, isVisible: Bool = true, opacity: Double = 1,
        minimumResolution: Resolution? = nil, maximumResolution: Resolution? = nil, attribution: String? = nil
    ) {
        self.name = name
        self.content = content
        self.isVisible = isVisible
        self.opacity = opacity
        self.minimumResolution = minimumResolution
        self.maximumResolution = maximumResolution
        self.attribution = attribution
    }

    /// Whether the layer is drawn at `resolution`.
    public func isDrawn(at resolution: Resolution) -> Bool {
        guard isVisible, opacity > 0 else { return false }
        if let minimumResolution, resolution < minimumResolution { return false }
        if let maximumResolution, resolution >= maximumResolution { return false }
        return true
    }
}
