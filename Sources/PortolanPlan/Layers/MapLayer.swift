public import PortolanGeo
public import PortolanRaster
package import PortolanServices
package import PortolanWeb

/// A layer of a map: its name, its display settings and its source.
///
/// ```swift
/// var stops = MapLayer(name: "stops", source: FeatureSource(features: features))
/// stops.opacity = 0.8
/// stops.attribution = "© HSL"
/// ```
public struct MapLayer: Equatable, Sendable {
    /// The name of the layer, unique on its map.
    public var name: String

    /// The source of its content.
    public var source: any LayerSource { didSet { madeOf = nil } }

    /// The description from which its source was made, or `nil`.
    ///
    /// Setting another source clears it.
    package var madeOf: (any Sendable)?

    /// The colour assigned to features that do not state one, or `nil`.
    package var layerColor: MapColor?

    /// Whether it is drawn.
    public var isVisible: Bool

    /// The opacity, 0 to 1.
    public var opacity: Double

    /// The finest resolution at which it is drawn, in units of the map's CRS per view pixel, or `nil` for no limit.
    public var minimumResolution: Resolution?

    /// The resolution from which on it is not drawn, because it is too coarse, or `nil` for no limit.
    public var maximumResolution: Resolution?

    /// Whether the legend includes it.
    ///
    /// `nil` includes it, unless it is a whole style, or areas or lines of one style without a stated name, below other
    /// layers with a legend.
    public var isInLegend: Bool?

    /// Whether its name is that of its source, as none is stated.
    package var isNameDerived = false

    /// The title in the legend if it is not the name.
    package var legendTitle: String?

    /// The title that the document of its features states, or `nil`.
    package var documentTitle: String?

    /// The group with which it is shown, hidden and faded, or `nil`.
    public var group: Group?

    /// The attribution text on the picture, or `nil`.
    public var attribution: String?

    /// The parts of the attribution that lead to pages.
    package var attributionLinks: [AttributionLink] = []

    /// How the layer's service is queried for the features at a pixel, or `nil` if it cannot be queried.
    package var featureInfo: FeatureInfoSource?

    /// The dimensions of its service in addition to the two of the map, such as time.
    package var dimensions: [LayerDimension] = []

    /// The legends of the service's layers that this one consists of, bottom first.
    ///
    /// The legends of features are drawn by this package.
    package var legends: [WMSLegend] = []

    /// The texts of samples in the legend that replace others, such as identifiers of kinds.
    package var legendTexts: [String: String] = [:]

    /// The image colour that is made transparent, or `nil`.
    public var transparentColor: MapColor.Key?

    /// The extent that its service states, or `nil` if only the source knows it.
    ///
    /// Drawing is not clipped to it. A view completely outside is drawn anyway, with a warning.
    public var bounds: LayerBounds?

    /// Creates a layer.
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

    /// Limits the layer to the scales from 1 : `range.upperBound` to 1 : `range.lowerBound`, on pixels of 0.28 mm.
    ///
    /// - Parameter crs: the map's CRS.
    /// - Returns: `false`, without a change, if a bound is not above zero.
    @discardableResult
    public mutating func setScales(_ range: ClosedRange<Double>, in crs: CRS) -> Bool {
        guard let finest = Resolution(scaleDenominator: range.lowerBound, in: crs),
            let coarsest = Resolution(scaleDenominator: range.upperBound.nextUp, in: crs)
        else { return false }
        minimumResolution = finest
        maximumResolution = coarsest
        return true
    }

    /// Returns whether two layers draw the same.
    public static func == (left: MapLayer, right: MapLayer) -> Bool {
        left.name == right.name && left.isVisible == right.isVisible && left.opacity == right.opacity
            && left.minimumResolution == right.minimumResolution && left.maximumResolution == right.maximumResolution
            && left.group == right.group && left.attribution == right.attribution
            && left.featureInfo == right.featureInfo
            && left.legends == right.legends && left.isInLegend == right.isInLegend
            && left.isNameDerived == right.isNameDerived && left.legendTitle == right.legendTitle
            && left.legendTexts == right.legendTexts
            && left.transparentColor == right.transparentColor
            && left.bounds == right.bounds && left.source.isEqual(to: right.source)
    }
}

extension MapLayer {
    /// Layers that are shown, hidden and faded as one.
    ///
    /// Consecutive layers of a group are composited first and then faded together, so that none shows through another.
    public struct Group: Hashable, Sendable {
        /// The name of the group.
        ///
        /// Layers with the same name belong together.
        public var name: String
        /// Whether its layers are drawn.
        ///
        /// Each layer can still be hidden individually.
        public var isVisible: Bool
        /// The opacity of the whole group, 0 to 1.
        public var opacity: Double

        /// Creates a group.
        public init(_ name: String, isVisible: Bool = true, opacity: Double = 1) {
            self.name = name
            self.isVisible = isVisible
            self.opacity = opacity
        }
    }
}

/// The query for the features at a pixel.
package enum FeatureInfoSource: Hashable, Sendable {
    /// GetFeatureInfo of a WMS.
    case wms(WMSFeatureInfoTemplate)
    /// GetFeatureInfo of a WMTS.
    case wmts(WMTSFeatureInfoTemplate)
}
