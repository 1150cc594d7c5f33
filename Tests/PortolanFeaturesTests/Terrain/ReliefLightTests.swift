import Foundation
import TestHelpers
import Testing

@testable import PortolanFeatures

@Suite struct ReliefLightTests {
    /// Colours worked out from the shaders of MapLibre; see `Fixtures/relief/make-maplibre`.
    struct Document: Decodable {
        struct Case: Decodable {
            let method: String
            let zoom, latitude, east, south, azimuth, altitude, exaggeration: Double
            let color: [Double]
        }

        let shadow, highlight, accent, shadow2, highlight2: [Double]
        let cases: [Case]
    }

    @Test func `the methods give the colours of MapLibre`() throws {
        let document = try JSONDecoder().decode(Document.self, from: Data(Fixture.bytes("relief/maplibre.json")))
        func color(_ list: [Double]) -> SIMD4<Double> { SIMD4(list[0], list[1], list[2], list[3]) }
        #expect(document.cases.count == 450)
        for one in document.cases {
            let method = try #require(ReliefLight.Method(rawValue: one.method))
            let first = ReliefLight.Source(
                azimuth: one.azimuth * .pi / 180, altitude: one.altitude * .pi / 180, shadow: color(document.shadow),
                highlight: color(document.highlight))
            let second = ReliefLight.Source(
                azimuth: first.azimuth + .pi / 2, altitude: first.altitude / 2, shadow: color(document.shadow2),
                highlight: color(document.highlight2))
            let light = ReliefLight(
                method: method, sources: [first, second], accent: color(document.accent),
                exaggeration: one.exaggeration)
            let factor = ReliefLight.factor(atZoom: one.zoom)
            let found = light.color(
                east: one.east * factor, north: -one.south * factor, scale: cos(one.latitude * .pi / 180))
            let difference = found - color(one.color)
            #expect(
                (difference * difference).sum() < 1e-10,
                "\(one.method) at \(one.zoom), \(one.east), \(one.south): \(found), not \(one.color)")
        }
    }
}
