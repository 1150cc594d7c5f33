import PortolanFeatures
import PortolanGeo
import PortolanPaint
import PortolanPlan
import PortolanRaster
import PortolanText
import Testing

/// Segments are straight where the features are, not where the map is (RFC 7946 section 3.1.1).
@Suite struct PixelProjectionTests {
    /// The 40th parallel from 20° west to 20° east, given by its two ends, on a map of UTM zone 30.
    ///
    /// At the central meridian its northing is 4 427 757.22 m (PROJ, `cs2cs`), lower than at its ends.
    @Test func `a parallel is curved on a UTM map`() throws {
        let crs = try CRS("EPSG:25830")
        let size = try #require(ImageSize(width: 300, height: 200))
        let resolution = try #require(Resolution(unitsPerPixel: 8000))
        let view = try Viewport(
            center: Coordinate(x: 500_000, y: 4_427_757), resolution: resolution, size: size, crs: crs)
        let parallel = Feature(
            geometry: .lineString([
                Coordinate(longitude: -20, latitude: 40), Coordinate(longitude: 20, latitude: 40),
            ]))
        var style = StyleDeclaration()
        style.strokeColor = .black
        style.strokeWidth = 3
        let layer = MapLayer(name: "l", source: FeatureSource(features: [parallel], style: style))
        let picture = try MapPainter(
            scene: MapPlanner(viewport: view).plan([layer]).scene, images: [:],
            fonts: FontBook(usesSystemFonts: false), furniture: Furniture()
        ).paint().image
        let transform = try CoordinateTransform(from: .crs84, to: crs)
        for longitude in stride(from: -15.0, through: 9, by: 3) {
            let place = try #require(transform(Coordinate(longitude: longitude, latitude: 40)))
            let pixel = view.pixel(of: place)
            #expect(picture[Int(pixel.x), Int(pixel.y)].red < 80, "at \(longitude)°")
        }
        // The chord between the ends would pass far above the middle.
        #expect(picture[150, 60].red == 255)
        #expect(picture[150, 100].red < 80)
    }

    @Test func `a parallel around the world is drawn within the CRS of the map`() throws {
        let crs = try CRS("EPSG:25830")
        let size = try #require(ImageSize(width: 100, height: 100))
        let resolution = try #require(Resolution(unitsPerPixel: 8000))
        let view = try Viewport(
            center: Coordinate(x: 500_000, y: 4_427_757), resolution: resolution, size: size, crs: crs)
        let parallel = Feature(
            geometry: .lineString([
                Coordinate(longitude: -180, latitude: 40), Coordinate(longitude: 180, latitude: 40),
            ]))
        let layer = MapLayer(name: "l", source: FeatureSource(features: [parallel]))
        let picture = try MapPainter(
            scene: MapPlanner(viewport: view).plan([layer]).scene, images: [:],
            fonts: FontBook(usesSystemFonts: false), furniture: Furniture()
        ).paint().image
        #expect(picture[50, 50] != Pixel(.white) || picture[50, 49] != Pixel(.white))
    }
}
