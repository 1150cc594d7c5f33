package import PortolanGeo
package import PortolanRaster

extension Viewport {
    /// The picture pixel that shows `coordinate`.
    package func imagePixel(of coordinate: Coordinate) -> Point {
        let pixel = pixel(of: coordinate)
        return Point(x: pixel.x * pixelRatio, y: pixel.y * pixelRatio)
    }

    /// The coordinate shown at a picture pixel.
    package func coordinate(atImagePixel pixel: Point) -> Coordinate {
        coordinate(at: Point(x: pixel.x / pixelRatio, y: pixel.y / pixelRatio))
    }

    /// The cosine and sine of the rotation, exact for quarter turns.
    package var upAxis: (cosine: Double, sine: Double) { (cosine, sine) }
}
