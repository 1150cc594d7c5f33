/// How much of the map one pixel shows, in units of the coordinate reference system; finite and more than zero.
public struct Resolution: Hashable, Comparable, Sendable {
    /// The side of a standardized rendering pixel, 0.28 mm, in metres (OGC 06-042 7.2.4.6.9, OGC 17-083r4 6.1).
    public static let standardPixelSize = 0.00028

    /// Units of the CRS a pixel.
    public let unitsPerPixel: Double

    /// Makes a resolution, or `nil` when it is not finite and more than zero.
    public init?(unitsPerPixel: Double) {
        guard unitsPerPixel.isFinite, unitsPerPixel > 0 else { return nil }
        self.unitsPerPixel = unitsPerPixel
    }

    /// The resolution of a zoom level; fractions are allowed.
    ///
    /// Level 0 shows the length of the equator in 256 pixels and each level doubles it. `nil` when `zoom` is not between
    /// -30 and 60.
    public init?(zoom: Double, in crs: CRS) {
        guard zoom >= -30, zoom <= 60 else { return nil }
        self.init(unitsPerPixel: WebMercator.worldWidth / 256 / Libm.power2(zoom) / crs.metersPerUnit)
    }

    /// The resolution of a scale 1 : `scaleDenominator` on pixels of 0.28 mm, or `nil` when that is not more than zero.
    public init?(scaleDenominator: Double, in crs: CRS) {
        self.init(unitsPerPixel: scaleDenominator * Self.standardPixelSize / crs.metersPerUnit)
    }

    /// The zoom level (see ``Resolution/init(zoom:in:)``), with its fraction.
    public func zoom(in crs: CRS) -> Double {
        Libm.logarithm2(WebMercator.worldWidth / 256 / (unitsPerPixel * crs.metersPerUnit))
    }

    /// The scale denominator on pixels of 0.28 mm.
    public func scaleDenominator(in crs: CRS) -> Double {
        unitsPerPixel * crs.metersPerUnit / Self.standardPixelSize
    }

    /// Finer resolutions come first.
    public static func < (left: Resolution, right: Resolution) -> Bool { left.unitsPerPixel < right.unitsPerPixel }
}
