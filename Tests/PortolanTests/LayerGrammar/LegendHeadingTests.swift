import PortolanFeatures
import TestHelpers
import Testing

@testable import Portolan

@Suite struct LegendHeadingTests {
    @Test(arguments: [
        ("cities", "Cities"), ("helsinki-walk", "Helsinki walk"), ("ne_110m_lakes", "Ne 110m lakes"),
        ("Sankt-Peter", "Sankt-Peter"), ("bike paths", "bike paths"), ("-", "-"), ("", ""),
    ])
    func `a file name becomes a heading`(name: String, heading: String) {
        #expect(LegendHeading.readable(name) == heading)
    }

    @Test(
        arguments: [
            (#"{"type":"FeatureCollection","name":"Old wells","features":[]}"#, [:], "Old wells"),
            (#"{"type":"FeatureCollection","name":"old_wells","features":[]}"#, [:], "Old wells"),
            (#"{"type":"FeatureCollection","features":[]}"#, [:], "All wells"),
            (#"{"type":"FeatureCollection","name":"Old wells","features":[]}"#, ["name": "mine"], nil),
            (
                #"<gpx version="1.1" creator="x" xmlns="http://www.topografix.com/GPX/1/1"><metadata><name>A hike</name>"#
                    + #"</metadata><wpt lat="1" lon="2"/></gpx>"#, [:], "A hike"
            ),
            (
                #"<kml xmlns="http://www.opengis.net/kml/2.2"><Document><name>Huts</name><Placemark><Point>"#
                    + #"<coordinates>1,2</coordinates></Point></Placemark></Document></kml>"#, [:], "Huts"
            ),
        ] as [(String, [String: String], String?)])
    func `the heading of a layer is the title of its document, or its file name`(
        document: String, keys: [String: String], title: String?
    ) async throws {
        let folder = try TemporaryFolder()
        try folder.write(Array(document.utf8), to: "all-wells.data")
        let renderer = try World.renderer(World.transport())
        let specification = try LayerSpecification(
            kind: .features, source: folder.path + "/all-wells.data", values: keys)
        #expect(
            try await LayerBuilder(client: renderer.services).build([specification]).first?.layer?.legendTitle == title)
    }
}
