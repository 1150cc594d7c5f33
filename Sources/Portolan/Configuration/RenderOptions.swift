public import PortolanPaint
public import PortolanRaster

/// Options for one picture in addition to its view and layers.
///
/// ```swift
/// var options = RenderOptions()
/// options.title = "Harbour"
/// options.showsScaleBar = true
/// options.deadline = .seconds(30)
/// ```
public struct RenderOptions: Sendable {
    /// The attribution text of a picture.
    public enum Attribution: Hashable, Sendable {
        /// The attributions of all drawn layers.
        case automatic
        /// No attribution.
        case none
        /// A custom text.
        case text(String)
    }

    /// The colour under the lowest layer.
    ///
    /// Default: white.
    public var background = MapColor.white

    /// The colour of the earth's disc or sheet under the layers, such as that of the ocean, or `nil`.
    ///
    /// It fills the whole domain of the map's projection, whose outline is then drawn over the layers. With a transparent
    /// colour only the outline is drawn.
    public var sphere: MapColor?

    /// The margin around the view, in view pixels, that is requested but not shown.
    ///
    /// Default: 0.
    ///
    /// WMS images are requested with this margin on each side. Tiles in the margin are fetched after the picture has
    /// been drawn and speed up later pictures; a ``MapFacade`` does not wait for them.
    public var offScreenMargin = 0

    /// Whether images in memory are fetched again, for maps of changing data.
    ///
    /// Default: `false`.
    public var reloadsImages = false

    /// The attribution text.
    ///
    /// Default: the attributions of all drawn layers.
    public var attribution = Attribution.automatic

    /// The title at the top of the picture, or `nil`.
    public var title: String?

    /// A smaller line below the title, or `nil`.
    public var subtitle: String?

    /// The page around the map, with margins, a frame and a source line; `nil` for the map alone.
    ///
    /// It is part of encoded pictures and ``RenderResult/pageImage``. The size of the view is that of the map.
    public var page: PrintPage?

    /// Pictures of other extents of the same layers in the corners of the map.
    public var insets: [RenderOptions.Inset] = []

    /// The notice across the top of the picture, or `nil`.
    public var notice: Furniture.Notice?

    /// The bar at the bottom of the picture, or `nil`.
    public var infoBar: Furniture.InfoBar?

    /// The elevation profile along the bottom of the picture, above the bar, or `nil`.
    public var profile: Furniture.ProfilePanel?

    /// The panel of facts in the top left corner, or `nil`.
    public var panel: Furniture.FactsPanel?

    /// The colours of title, legend, scale bar, attribution and panels; `nil` for colours that suit the background of
    /// the map.
    public var theme: Furniture.Theme?

    /// Whether a north arrow is drawn in the top right corner.
    ///
    /// Default: `false`.
    public var showsNorthArrow = false

    /// Whether a scale bar is drawn at the bottom left.
    ///
    /// It is exact at the centre of the picture. Default: `false`.
    public var showsScaleBar = false

    /// The units of the scale bar.
    ///
    /// Default: kilometres and metres.
    public var scaleBarUnits = Furniture.LengthUnits.metric

    /// The grid of longitudes and latitudes, or `nil`.
    public var graticule: Furniture.Graticule?

    /// The corner of the legend.
    ///
    /// Default: the top right, unless a legend covers less of the layers in another corner. A ``MapFacade`` keeps it at the
    /// top right.
    public var legendCorner = RenderOptions.Inset.Corner.automatic

    /// Whether a legend is drawn: legend images of services and samples of feature styles.
    ///
    /// Default: `false`.
    ///
    /// If a legend image is unavailable, its title remains and the report has a warning. A picture that is too small
    /// for the panel omits it, and its report is not complete. If entries do not fit, the last line of the panel and a
    /// warning state their number.
    public var showsLegend = false

    /// The time limit for all resources of a picture, including retry delays that servers request; `nil` for no limit.
    ///
    /// Default: two minutes.
    ///
    /// When the limit expires, the resources received so far are drawn, with coarser tiles as a fallback. The rest is
    /// missing and listed in the report. Resources in memory or in the disk cache are drawn in any case.
    public var deadline: Duration? = .seconds(120)

    /// The fraction of needed resources that may be missing, 0 to 1.
    ///
    /// Default: 1. With 0, a missing resource is an error.
    public var maximumMissing = 1.0

    /// Labels with fixed positions, or `nil` to place the labels of each view.
    package var labels: PlacedLabels?

    /// Whether the furniture of one picture is where it is on the next one, wherever the layers have marks.
    package var hasSteadyFurniture = false

    /// Creates the default options.
    public init() {}
}

extension RenderOptions {
    /// The options of a moving picture, whose furniture stays where it is.
    package var steady: RenderOptions {
        var options = self
        options.hasSteadyFurniture = true
        return options
    }

    /// The height of the bar and the profile along the bottom, in view pixels.
    package var footHeight: Double { Furniture(infoBar: infoBar, profile: profile).footHeight }
}
