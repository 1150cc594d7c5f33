package import PortolanGeo
import PortolanRaster

extension Viewport {
    /// How many metres of the ground a picture pixel shows at the picture's centre, across; `nil` where the map's CRS has
    /// no built-in projection.
    package var metersPerImagePixel: Double? {
        guard let toDegrees = try? CoordinateTransform(from: crs, to: .crs84) else { return nil }
        let x = Double(imageSize.width) / 2, y = Double(imageSize.height) / 2
        guard let left = toDegrees(coordinate(atImagePixel: Point(x: x - 0.5, y: y))),
            let right = toDegrees(coordinate(atImagePixel: Point(x: x + 0.5, y: y)))
        else { return nil }
        let meters = GroundDistance.meters(from: left, to: right)
        return meters > 0 && meters.isFinite ? meters : nil
    }

    /// The smallest extent in longitude and latitude that holds what is seen, or `nil` where that is not known.
    package var geographicExtent: Extent? {
        (try? ViewInSource(viewport: self, margin: 0, sourceCRS: .crs84))?.shown
    }
}
