import PortolanGeo
import PortolanPlan
import PortolanRaster
import Testing

/// Short ways to make what the tests of this room look at.
enum View {
    /// A view in web mercator given as slippy maps give it: longitude, latitude and zoom.
    static func slippy(
        _ longitude: Double, _ latitude: Double, zoom: Double, width: Int = 256, height: Int = 256,
        rotation: Double = 0, pixelRatio: Double = 1
    ) throws -> Viewport {
        let transform = try CoordinateTransform(from: .crs84, to: .webMercator)
        return try Viewport(
            center: #require(transform(Coordinate(longitude: longitude, latitude: latitude))),
            resolution: #require(Resolution(zoom: zoom, in: .webMercator)), rotation: rotation,
            size: #require(ImageSize(width: width, height: height)), pixelRatio: pixelRatio)
    }

    static func resolution(_ unitsPerPixel: Double) throws -> Resolution {
        try #require(Resolution(unitsPerPixel: unitsPerPixel))
    }

    static func make(
        x: Double = 0, y: Double = 0, resolution: Double = 1, width: Int = 256, height: Int = 256,
        rotation: Double = 0, pixelRatio: Double = 1, crs: CRS = .webMercator
    ) throws -> Viewport {
        try Viewport(
            center: Coordinate(x: x, y: y), resolution: #require(Resolution(unitsPerPixel: resolution)),
            rotation: rotation, size: #require(ImageSize(width: width, height: height)), pixelRatio: pixelRatio,
            crs: crs)
    }
}
