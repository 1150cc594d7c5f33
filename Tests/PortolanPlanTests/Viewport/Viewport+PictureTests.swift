import PortolanGeo
import PortolanPlan
import PortolanRaster
import Testing

@Suite struct ViewportPictureTests {
    @Test func `picture pixels are the pixel ratio times view pixels`() throws {
        let view = try View.make(x: 50, y: 60, resolution: 2, width: 100, height: 80, rotation: 270, pixelRatio: 2.5)
        let place = Coordinate(x: 58, y: 66)
        let pixel = view.pixel(of: place), picture = view.imagePixel(of: place)
        #expect(picture == Point(x: pixel.x * 2.5, y: pixel.y * 2.5))
        #expect(view.coordinate(atImagePixel: picture) == place)
    }

    @Test func `the axes of quarter turns are whole numbers`() throws {
        let axes = try [0.0, 90, 180, 270].map { try View.make(rotation: $0).upAxis }
        #expect(axes.map(\.cosine) == [1, 0, -1, 0])
        #expect(axes.map(\.sine) == [0, 1, 0, -1])
    }
}
