import Foundation
import HelsinkiFixtures
import Portolan
import PortolanTesting
import Testing

@Suite struct HelsinkiWalkTests {
    /// The picture of the README.
    ///
    /// `PORTOLAN_BLESS=1` writes it anew, and the test still fails.
    @Test func `the walk through Helsinki is drawn pixel for pixel as in the README`() async throws {
        let map = try await HelsinkiWalk.map()
        map.selectNext()
        let picture = try await map.refresh()
        #expect(picture.report.complete, "\(picture.report.layers.flatMap(\.failed))")

        let golden = HelsinkiWalk.fixtures.appending(path: "../Examples/helsinki-walk.png").standardizedFileURL
        if ProcessInfo.processInfo.environment["PORTOLAN_BLESS"] == "1" { try picture.writePNG(to: golden.path) }
        try #require(ProcessInfo.processInfo.environment["PORTOLAN_BLESS"] != "1", "blessed \(golden.path); look at it")
        let expected = try ImageDecoders.standard.decode([UInt8](Data(contentsOf: golden)))
        let difference = try #require(PictureDifference(picture.image, expected))
        if !difference.isNone {
            Attachment.record(try PNGEncoder.encode(picture.image), named: "actual.png")
            Attachment.record(try PNGEncoder.encode(difference.picture), named: "difference.png")
        }
        #expect(difference.isNone, "\(difference)")
    }

    @Test func `what was not recorded is missing, and the map is drawn all the same`() async throws {
        let map = try await HelsinkiWalk.map(width: 1000, height: 768)
        let report = try await map.refresh().report
        #expect(!report.complete)
        #expect(report.layers.filter { !$0.failed.isEmpty }.map(\.name) == ["transit"])
    }

    @Test func `the walk has a name, a length, a time and eight places`() async throws {
        let map = try await HelsinkiWalk.map()
        #expect(
            map.options.infoBar
                == InfoBar(title: "A walk through central Helsinki", facts: ["4.1 km", "49 min", "8 places"]))
    }
}
