/// The ground size of a pixel in units of the coordinate reference system; finite and positive.
public struct Resolution: Hashable, Comparable, Sendable {
    /// The side of a standardized rendering pixel, 0.28 mm, in metres (OGC 06-042 7.2.4.6.9, OGC 17-083r4 6.1).
    public static let standardPixelSize = 0.00028

    /// The units of the CRS per pixel.
    public let unitsPerPixel: Double

    /// Creates a resolution, or returns `nil` if it is not finite and positive.
    public init?(unitsPerPixel: Double) {
        guard unitsPerPixel.isFinite, unitsPerPixel > 0 else { return nil }
        self.unitsPerPixel = unitsPerPixel
    }

    /// Creates the resolution of a zoom level, which may be fractional.
    ///
    /// Level 0 shows the length of the equator in 256 pixels, and each level doubles it. The result is `nil` if `zoom`
    /// is not between -30 and 60.
    public init?(zoom: Double, in crs: CRS) {
        guard zoom >= -30, zoom <= 60 else { return nil }
        self.init(unitsPerPixel: WebMercator.worldWidth / 256 / Libm.power2(zoom) / crs.metersPerUnit)
    }

    /// Creates the resolution of a scale 1 : `scaleDenominator` for pixels of 0.28 mm, or returns `nil` if that is not
    /// positive.
    public init?(scaleDenominator: Double, in crs: CRS) {
        self.init(unitsPerPixel: scaleDenominator * Self.standardPixelSize / crs.metersPerUnit)
    }

    /// Returns the zoom level (see ``Resolution/init(zoom:in:)``), with its fraction.
    public func zoom(in crs: CRS) -> Double {
        Libm.logarithm2(WebMercator.worldWidth / 256 / (unitsPerPixel * crs.metersPerUnit))
    }

    /// Returns the scale denominator for pixels of 0.28 mm.
    public func scaleDenominator(in crs: CRS) -> Double {
        unitsPerPixel * crs.metersPerUnit / Self.standardPixelSize
    }

    /// Returns whether the first resolution is finer.
    public static func < (left: Resolution, right: Resolution) -> Bool { left.unitsPerPixel < right.unitsPerPixel }
}
