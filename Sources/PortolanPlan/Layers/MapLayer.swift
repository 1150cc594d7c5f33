public import PortolanGeo
public import PortolanRaster
package import PortolanServices

/// One layer of a map: a name, how it is shown, and where its content comes from.
public struct MapLayer: Equatable, Sendable {
    /// The name of the layer, unique on its map.
    public var name: String

    /// Where its content comes from.
    public var source: any LayerSource { didSet { madeOf = nil } }

    /// The words that its source was made of, or `nil`; they go with another source.
    package var madeOf: (any Sendable)?

    /// The colour that it was given for features of which nobody says the colour, or `nil`.
    package var layerColor: MapColor?

    /// Whether it is drawn.
    public var isVisible: Bool

    /// The opacity, 0 to 1.
    public var opacity: Double

    /// The finest resolution it is drawn at, in units of the map's CRS a view pixel, or `nil` for no limit.
    public var minimumResolution: Resolution?

    /// The resolution from which on it is too coarse to be drawn, or `nil` for no limit.
    public var maximumResolution: Resolution?

    /// Whether a legend explains it; `nil` for yes, but for a whole style that lies beneath other layers that a legend explains.
    public var isInLegend: Bool?

    /// The layers with which it is shown, hidden and faded as one, or `nil` for none.
    public var group: Group?

    /// Who is to be named on the picture, or `nil`.
    public var attribution: String?

    /// How the layer's service is asked about the features at a place, or `nil` when it cannot be.
    package var featureInfo: FeatureInfoSource?

    /// The legends of the service's layers that this one is made of, bottom first; of features legends are drawn here.
    package var legends: [WMSLegend] = []

    /// The colour of its images that is shown as transparent, or `nil` for none.
    public var transparentColor: MapColor.Key?

    /// Where its service says that it has something to show, or `nil` where the source alone knows.
    ///
    /// Nothing is cut to it: a view that lies wholly outside is drawn all the same, with a warning.
    public var bounds: LayerBounds?

    /// Makes a layer.
    public init(
        name: String, source: any LayerSource, isVisible: Bool = true, opacity: Double = 1,
        minimumResolution: Resolution? = nil, maximumResolution: Resolution? = nil, attribution: String? = nil
    ) {
        self.name = name
        self.source = source
        self.isVisible = isVisible
        self.opacity = opacity
        self.minimumResolution = minimumResolution
        self.maximumResolution = maximumResolution
        self.attribution = attribution
    }

    /// Whether the layer is drawn at `resolution`.
    public func isDrawn(at resolution: Resolution) -> Bool {
        guard isVisible, opacity > 0, group.map({ $0.isVisible && $0.opacity > 0 }) ?? true else { return false }
        if let minimumResolution, resolution < minimumResolution { return false }
        if let maximumResolution, resolution >= maximumResolution { return false }
        return true
    }

    /// Has the layer drawn at the scales from 1 : `range.upperBound` to 1 : `range.lowerBound`, on pixels of 0.28 mm.
    ///
    /// - Parameter crs: the map's system.
    /// - Returns: `false`, and no change, where a bound is not above zero.
    @discardableResult
    public mutating func setScales(_ range: ClosedRange<Double>, in crs: CRS) -> Bool {
        guard let finest = Resolution(scaleDenominator: range.lowerBound, in: crs),
            let coarsest = Resolution(scaleDenominator: range.upperBound.nextUp, in: crs)
        else { return false }
        minimumResolution = finest
        maximumResolution = coarsest
        return true
    }

    /// Whether two layers draw the same.
    public static func == (left: MapLayer, right: MapLayer) -> Bool {
        left.name == right.name && left.isVisible == right.isVisible && left.opacity == right.opacity
            && left.minimumResolution == right.minimumResolution && left.maximumResolution == right.maximumResolution
            && left.group == right.group && left.attribution == right.attribution
            && left.featureInfo == right.featureInfo
            && left.legends == right.legends && left.isInLegend == right.isInLegend
            && left.transparentColor == right.transparentColor
            && left.bounds == right.bounds && left.source.isEqual(to: right.source)
    }
}

extension MapLayer {
    /// Layers that are shown, hidden and faded as one.
    ///
    /// Layers of a group that follow one another are laid over one another first and then faded together, so that none shows
    /// through another.
    public struct Group: Hashable, Sendable {
        /// The name of the group; layers with the same belong together.
        public var name: String
        /// Whether its layers are drawn; each may still be hidden by itself.
        public var isVisible: Bool
        /// The opacity of all together, 0 to 1.
        public var opacity: Double

        /// Makes a group.
        public init(_ name: String, isVisible: Bool = true, opacity: Double = 1) {
            self.name = name
            self.isVisible = isVisible
            self.opacity = opacity
        }
    }
}

/// How a layer's service is asked about the features at a place.
package enum FeatureInfoSource: Hashable, Sendable {
    /// By GetFeatureInfo of a WMS.
    case wms(WMSFeatureInfoTemplate)
    /// By GetFeatureInfo of a WMTS.
    case wmts(WMTSFeatureInfoTemplate)
}
