import PortolanGeo
import PortolanPlan
import PortolanRaster
import Testing

@Suite struct ViewportErrorTests {
    @Test(arguments: [
        (Double.nan, 0.0), (0, .infinity), (1e12, 0), (0, -1e12), (.greatestFiniteMagnitude, 0),
    ])
    func `a centre nowhere is refused`(x: Double, y: Double) {
        #expect(throws: ViewportError.centerOutOfRange) { try View.make(x: x, y: y, resolution: 1e6) }
    }

    /// At 2²⁴ a unit in the last place is 2⁻²⁸; sixteen of them are 2⁻²⁴.
    @Test func `a resolution too fine for the place is refused`() throws {
        let far = 16_777_216.0, finest = 1.0 / 16_777_216
        #expect(throws: ViewportError.resolutionOutOfRange) { try View.make(x: far, resolution: finest) }
        #expect(throws: ViewportError.resolutionOutOfRange) { try View.make(y: -far, resolution: finest) }
        let view = try View.make(x: far, resolution: finest.nextUp)
        #expect(view.coordinate(at: Point(x: 1, y: 0)) != view.coordinate(at: Point(x: 2, y: 0)))
        #expect(throws: ViewportError.resolutionOutOfRange) { try View.make(resolution: 1e12) }
    }

    @Test func `a rotation without a value is refused`() {
        #expect(throws: ViewportError.rotationNotFinite) { try View.make(rotation: .nan) }
        #expect(throws: ViewportError.rotationNotFinite) { try View.make(rotation: -.infinity) }
    }

    @Test(arguments: [0.0, -1, 0.0999, 16.001, .infinity])
    func `a pixel ratio out of range is refused`(ratio: Double) {
        #expect(throws: ViewportError.pixelRatioOutOfRange(ratio)) { try View.make(pixelRatio: ratio) }
    }

    @Test func `a pixel ratio that is no number is refused`() {
        #expect(throws: ViewportError.self) { try View.make(pixelRatio: .nan) }
    }

    @Test func `a picture that is too large or has no pixels is refused`() throws {
        #expect(throws: ViewportError.pictureTooLarge(width: 40000, height: 10, pixelRatio: 2)) {
            try View.make(width: 40000, height: 10, pixelRatio: 2)
        }
        #expect(throws: ViewportError.pictureTooLarge(width: 16384, height: 16384, pixelRatio: 1.01)) {
            try View.make(width: 16384, height: 16384, pixelRatio: 1.01)
        }
        #expect(throws: ViewportError.pictureTooLarge(width: 4, height: 4, pixelRatio: 0.1)) {
            try View.make(width: 4, height: 4, pixelRatio: 0.1)
        }
    }

    @Test(arguments: [-1.0, 31.6, 32, 1e300, .infinity])
    func `a padding that leaves nothing is refused`(padding: Double) throws {
        let box = try #require(BoundingBox(minX: 0, minY: 0, maxX: 1, maxY: 1))
        let size = try #require(ImageSize(width: 64, height: 64))
        #expect(throws: ViewportError.paddingTooLarge(padding)) {
            try Viewport.fitting(box, padding: padding, size: size)
        }
    }

    @Test func `every error says what is wrong`() throws {
        let errors: [ViewportError] = [
            .centerOutOfRange, .resolutionOutOfRange, .rotationNotFinite, .pixelRatioOutOfRange(17),
            .pictureTooLarge(width: 10, height: 10, pixelRatio: 3), .paddingTooLarge(7),
        ]
        #expect(Set(errors.map(\.description)).count == errors.count)
        #expect(errors[3].description.contains("17"))
        #expect(errors[4].description.contains("10x10"))
        #expect(errors[5].description.contains("7"))
    }
}
