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

/// Pseudo-random numbers that are the same in each run (the generator of Steele, Lea and Flood, SplitMix64).
struct SeededGenerator: RandomNumberGenerator {
    var state: UInt64

    mutating func next() -> UInt64 {
        state &+= 0x9E37_79B9_7F4A_7C15
        var z = state
        z = (z ^ (z >> 30)) &* 0xBF58_476D_1CE4_E5B9
        z = (z ^ (z >> 27)) &* 0x94D0_49BB_1331_11EB
        return z ^ (z >> 31)
    }
}
