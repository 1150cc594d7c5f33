public import PortolanGeo

extension RenderOptions {
    /// A picture of another extent of the same layers in a corner of a map: a detail, or a locator map.
    ///
    /// ```swift
    /// options.insets = [RenderOptions.Inset(extent: harbour, corner: .topLeft), .locator()]
    /// ```
    public struct Inset: Hashable, Sendable {
        /// A corner of the map.
        public enum Corner: String, Hashable, Sendable, CaseIterable {
            case topLeft = "top-left"
            case topRight = "top-right"
            case bottomLeft = "bottom-left"
            case bottomRight = "bottom-right"
            /// The corner where it is moved least by other elements.
            case automatic = "auto"
        }

        /// The extent in units of ``crs``, or `nil` for that of all layers.
        public var extent: Extent?
        /// The CRS of the extent, or `nil` for that of the map.
        public var crs: CRS?
        /// The corner.
        public var corner: Corner
        /// The largest share of the map's width and height, more than 0 and at most 0.9.
        public var share: Double
        /// Whether a rectangle shows the extent of the map, without labels of the layers.
        public var isLocator: Bool
        /// The names of the shown layers, or `nil` for all layers, in a locator map without those that are only points.
        public var layers: [String]?

        /// Creates an inset.
        public init(
            extent: Extent? = nil, crs: CRS? = nil, corner: RenderOptions.Inset.Corner = .automatic,
            share: Double = 0.3,
            isLocator: Bool = false, layers: [String]? = nil
        ) {
            self.extent = extent
            self.crs = crs
            self.corner = corner
            self.share = share
            self.isLocator = isLocator
            self.layers = layers
        }

        /// Returns a small overview with a rectangle for the extent of the map, without layers of points unless they are
        /// named.
        public static func locator(
            extent: Extent? = nil, crs: CRS? = nil, corner: RenderOptions.Inset.Corner = .automatic,
            share: Double = 0.22, layers: [String]? = nil
        ) -> RenderOptions.Inset {
            RenderOptions.Inset(
                extent: extent, crs: crs, corner: corner, share: share, isLocator: true, layers: layers)
        }

        /// The values of ``share``.
        static let shares = 0.02...0.9
    }
}
