import PortolanFeatures
import PortolanFormats
import PortolanGeo
import TestHelpers
import Testing

@Suite struct EncodedPolylineTests {
    /// The example of Google's page about the format.
    private static let example = "_p~iF~ps|U_ulLnnqC_mqNvxq`@"
    private static let places = [
        Coordinate(x: -120.2, y: 38.5), Coordinate(x: -120.95, y: 40.7), Coordinate(x: -126.453, y: 43.252),
    ]

    @Test func `the example in the format's documentation is read and written`() throws {
        #expect(try EncodedPolyline.read(Self.example) == Self.places)
        #expect(EncodedPolyline.write(Self.places) == Self.example)
    }

    @Test(arguments: 0...10) func `coordinates survive with the given decimals`(_ decimals: Int) throws {
        var random = SeededGenerator(seed: 3), scale = 1.0
        for _ in 0..<decimals { scale *= 10 }
        let places = (0..<100).map { _ in
            Coordinate(
                x: Double((Double.random(in: -90...90, using: &random) * scale).rounded()) / scale,
                y: Double((Double.random(in: -90...90, using: &random) * scale).rounded()) / scale)
        }
        #expect(
            try EncodedPolyline.read(EncodedPolyline.write(places, decimals: decimals), decimals: decimals) == places)
    }

    @Test(arguments: [("_p~iF", 5), ("_", 1), ("_p~iF ~ps|U", 5), ("~~~~~~~~~~~~~~~~?", 12), ("_p~iFä", 5)])
    func `invalid characters and unterminated numbers are rejected at their byte`(_ text: String, _ byte: Int) {
        let error = #expect(throws: FeatureFileError.self) { try EncodedPolyline.read(text) }
        #expect(error?.place == .byte(byte))
        #expect(error?.code == .malformed)
    }

    @Test func `too few decimals are detected by a latitude beyond the pole`() {
        let six = EncodedPolyline.write([Coordinate(x: 24.9, y: 60.2)], decimals: 6)
        #expect(throws: FeatureFileError.self) { try EncodedPolyline.read(six) }
    }

    @Test func `a document has one polyline on each line`() throws {
        let format = EncodedPolyline.Format()
        let document = Array("\(Self.example)\r\n\n_p~iF~ps|U\n".utf8)
        let collection = try format.read(document, limits: FeatureLimits())
        #expect(collection.features.map { $0.geometry?.kind } == [.lineString, .point])
        #expect(format.write(collection) == Array("\(Self.example)\n_p~iF~ps|U\n".utf8))
        let error = #expect(throws: FeatureFileError.self) {
            try format.read(Array("\n_\n".utf8), limits: FeatureLimits())
        }
        #expect(error?.place == .line(2))
        #expect(!format.recognizes(Array(Self.example.utf8)[...]))
    }
}
