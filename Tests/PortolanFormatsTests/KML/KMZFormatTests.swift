import PortolanFeatures
import PortolanFormats
import PortolanGeo
import TestHelpers
import Testing

@Suite struct KMZFormatTests {
    @Test func `the first document of the archive is read, with the icons of its styles`() throws {
        let collection = try FeatureFormats.standard.read(ZipSample.archive)
        let inn = try #require(collection.features.first)
        #expect(collection.features.count == 1)
        #expect(inn.geometry == .point(Coordinate(x: 24.9, y: 60.1)))
        let address = inn.properties["style"]?.objectValue?["default"]?.objectValue?["externalGraphic"]?.stringValue
        #expect(address?.hasPrefix("data:application/octet-stream;base64,iVBORw0KGgoAAAANSUhEUg") == true)
    }

    @Test(arguments: [
        ("a.png", "dir/a.png"), ("../a.png", "a.png"), ("./x/./a.png", "dir/x/a.png"), ("x\\a.png", "dir/x/a.png"),
        ("../../a.png", nil), ("/a.png", nil), ("https://example.org/a.png", nil), ("C:\\a.png", nil),
    ])
    func `paths cannot lead out of the archive`(_ address: String, _ path: String?) {
        #expect(KMLFormat.KMZ.path(address, from: ["dir"]) == path)
    }

    @Test func `an archive without a KML document is rejected`() throws {
        var bytes = ZipSample.archive
        for place in bytes.indices.dropLast(4) where bytes[place..<(place + 4)].elementsEqual(Array(".kml".utf8)) {
            bytes[place + 1] = UInt8(ascii: "x")
        }
        let error = #expect(throws: FeatureFileError.self) { try FeatureFormats.standard.read(bytes) }
        #expect(error?.code == .otherFormat)
        #expect(error?.format == "KMZ")
        let short = #expect(throws: FeatureFileError.self) {
            try FeatureFormats.standard.read(Array(bytes.prefix(100)))
        }
        #expect(short?.code == .malformed)
        #expect(short?.place != nil)
    }
}
