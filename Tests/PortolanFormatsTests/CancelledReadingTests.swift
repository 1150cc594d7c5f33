import PortolanFeatures
import PortolanFormats
import PortolanGeo
import Testing

@Suite struct CancelledReadingTests {
    private static let formats: [any FeatureFormat] = [
        GeoJSONFormat(), GeoJSONFormat.Lines(), KMLFormat(), GPXFormat(), WKT.Format(),
    ]

    @Test(arguments: formats.map(\.name))
    func `reading features is cancelled with its task`(name: String) async throws {
        let format = try #require(Self.formats.first { $0.name == name })
        let point = Feature(geometry: .point(Coordinate(x: 1, y: 2)), properties: ["name": .string("a")])
        let all = FeatureCollection(features: Array(repeating: point, count: 2000))
        let document: [UInt8]
        if format is GeoJSONFormat.Lines {
            document = all.features.flatMap { GeoJSONWriter.write($0, in: .crs84) + [0x0A] }
        } else {
            document = try #require(format.write(all))
        }
        #expect(try format.read(document, limits: FeatureLimits()).features.count == 2000)
        let work = Task { _ = try format.read(document, limits: FeatureLimits()) }
        work.cancel()
        do {
            try await work.value
            Issue.record("it was read to its end")
        } catch let error as FeatureFileError { #expect(error.code == .cancelled) } catch let error as GeoJSONError {
            #expect(error.code == .cancelled)
        }
    }
}
