public import PortolanPaint
public import PortolanRaster

/// What one picture is to look like, beside its view and its layers.
public struct RenderOptions: Sendable {
    /// What to write of the layers' attributions.
    public enum Attribution: Hashable, Sendable {
        /// Those of all layers that are drawn.
        case automatic
        /// Nothing.
        case none
        /// This text.
        case text(String)
    }

    /// The colour under the bottommost layer; white.
    public var background = Color.white

    /// View pixels around the view that are requested but not shown; 0.
    ///
    /// An image of a WMS becomes that much larger on each side. The tiles that the margin touches are fetched after the
    /// picture has been drawn, so that they are there for the next one; a ``MapFacade`` does not wait for them.
    public var offScreenMargin = 0

    /// Whether images are fetched although they are in memory, as a map of what changes wants it; no.
    public var reloadsImages = false

    /// What to write of the layers' attributions; those of all layers.
    public var attribution = Attribution.automatic

    /// A title on top of the picture, or `nil`.
    public var title: String?

    /// A notice across the top of the picture, or `nil`.
    public var notice: Notice?

    /// A bar at the foot of the picture, or `nil`.
    public var infoBar: InfoBar?

    /// A panel of facts in the top left corner, or `nil`.
    public var panel: FactsPanel?

    /// The colours of title, legend, scale bar, attribution and panels; `nil` for those that suit the ground of the map.
    public var theme: FurnitureTheme?

    /// Whether an arrow points north, in the top right corner; no.
    public var showsNorthArrow = false

    /// Whether a bar at the bottom left shows a round length on the ground, true at the picture's centre; no.
    public var showsScaleBar = false

    /// Lines of longitude and latitude over the map; none.
    public var graticule: Graticule?

    /// Whether a panel at the right explains the layers: services' legend images, and samples of how features are drawn;
    /// no.
    ///
    /// An image that cannot be had leaves its title, and a line in the report. A picture without room for the panel has
    /// none, and its report is not complete; what of it has no room is counted in a last line of the panel, and in a warning.
    public var showsLegend = false

    /// The time for all that a picture needs to come, the waits that servers ask for among it; `nil` for as long as it takes.
    ///
    /// What has come by then is drawn, from coarser tiles too; the rest is missing and told. What is in memory or in the cache on
    /// disk is drawn whatever the time. Two minutes by default, as nobody waits for longer.
    public var deadline: Duration? = .seconds(120)

    /// The share of the needed resources that may be missing, 0 to 1: with 0 a picture is whole or an error; 1.
    public var maximumMissing = 1.0

    /// Labels that have their places already; `nil` for those that the view itself has room for.
    package var labels: PlacedLabels?

    /// Makes the default options.
    public init() {}
}
