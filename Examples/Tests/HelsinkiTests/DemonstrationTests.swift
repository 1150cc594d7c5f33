import Foundation
import HelsinkiFixtures
import Portolan
import PortolanTesting
import Testing

@testable import Choropleth
@testable import HikeFilm
@testable import PositionTrack
@testable import RoutePlanner
@testable import StripAtlas

/// The pictures of the README.
///
/// `PORTOLAN_BLESS=1` writes them anew, and the tests still fail.
@Suite struct DemonstrationTests {
    static let examples = HelsinkiWalk.fixtures.appending(path: "../Examples").standardizedFileURL
    static let isBlessing = ProcessInfo.processInfo.environment["PORTOLAN_BLESS"] == "1"

    /// Compares a picture with the one that lies among the examples.
    static func expect(_ image: PixelBuffer, named name: String) throws {
        let golden = examples.appending(path: name)
        if isBlessing {
            try Data(PNGEncoder.encode(image)).write(to: golden)
            Issue.record("blessed \(golden.path); look at it")
            return
        }
        let expected = try ImageDecoders.standard.decode([UInt8](Data(contentsOf: golden)))
        let difference = try #require(PictureDifference(image, expected))
        if !difference.isNone {
            Attachment.record(try PNGEncoder.encode(image), named: "actual.png")
            Attachment.record(try PNGEncoder.encode(difference.picture), named: "difference.png")
        }
        #expect(difference.isNone, "\(difference)")
    }

    @Test func `the walk through Helsinki is drawn pixel for pixel as in the README`() async throws {
        let map = try await HelsinkiWalk.map()
        map.selectNext()
        let picture = try await map.refresh()
        #expect(picture.report.complete, "\(picture.report.layers.flatMap(\.failed))")
        try Self.expect(picture.image, named: "helsinki-walk.png")
    }

    @Test func `three services are mixed pixel for pixel as in the README`() async throws {
        let picture = try await HelsinkiMix.map().refresh()
        #expect(picture.report.complete, "\(picture.report.layers.flatMap(\.failed))")
        try Self.expect(picture.image, named: "layer-mix.png")
    }

    @Test func `a city with a complete style is drawn pixel for pixel as in the README`() async throws {
        let picture = try await HelsinkiCity.map().refresh()
        #expect(picture.report.complete && picture.report.warnings.isEmpty, "\(picture.report.warnings)")
        try Self.expect(picture.image, named: "city-map.png")
    }

    @Test func `a base map of vector tiles is drawn pixel for pixel as in the README`() async throws {
        let picture = try await HelsinkiBaseMap.map().refresh()
        #expect(picture.report.complete)
        try Self.expect(picture.image, named: "base-map.png")
    }

    @Test func `figures of countries are drawn pixel for pixel as in the README`() async throws {
        for (map, name) in [
            (try await DensityMap.map(language: "en"), "choropleth.png"),
            (try await BivariateMap.map(), "bivariate.png"),
        ] {
            let picture = try await map.refresh()
            #expect(picture.report.complete)
            try Self.expect(picture.pageImage, named: name)
        }
    }

    @Test func `eight errands are drawn in given and optimised order, as in the README`() async throws {
        let (given, best) = try await HelsinkiErrands.routes()
        // What the server itself found for the trip.
        #expect(abs(best.duration - 2936.4) < 0.05 && best.order?.isProven == true && given.duration > best.duration)
        try Self.expect(
            try await RoutePlannerExample.picture(given, best, isDemo: true), named: "route-planner.png")
    }

    /// Its pictures are not compared, but where each differs from the one before, and for how long it is shown.
    @Test func `a walk is replayed as in the README`() async throws {
        let golden = Self.examples.appending(path: "position-track.png")
        let file = FileManager.default.temporaryDirectory.appending(path: "\(UUID()).png")
        defer { try? FileManager.default.removeItem(at: file) }
        try await PositionTrack.parse(["--demo", "--output", Self.isBlessing ? golden.path : file.path]).run()
        try #require(!Self.isBlessing, "blessed \(golden.path); look at it")
        let expected = try Data(contentsOf: golden), actual = try Data(contentsOf: file)
        #expect(try Self.controls(actual) == Self.controls(expected))
        try Self.expect(ImageDecoders.standard.decode([UInt8](actual)), named: "position-track.png")
    }

    /// Its pictures are compared as those of the walk.
    @Test func `a hike is filmed as in the README`() async throws {
        let golden = Self.examples.appending(path: "hike-film.png")
        let file = FileManager.default.temporaryDirectory.appending(path: "\(UUID()).png")
        defer { try? FileManager.default.removeItem(at: file) }
        try await HikeFilm.parse(["--demo", "--output", Self.isBlessing ? golden.path : file.path]).run()
        try #require(!Self.isBlessing, "blessed \(golden.path); look at it")
        let expected = try Data(contentsOf: golden), actual = try Data(contentsOf: file)
        #expect(try Self.controls(actual) == Self.controls(expected))
        try Self.expect(ImageDecoders.standard.decode([UInt8](actual)), named: "hike-film.png")
    }

    @Test func `a strip atlas of thirty pages is written as in the README`() async throws {
        let folder = FileManager.default.temporaryDirectory.appending(path: "\(UUID())")
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
        defer { try? FileManager.default.removeItem(at: folder) }
        let pdf = folder.appending(path: "strip.pdf"), picture = folder.appending(path: "strip.png")
        try await StripAtlas.parse(["--demo", "--output", pdf.path, "--picture", picture.path]).run()
        // The overview and the pages, each with an entry of the outline.
        let document = String(decoding: try Data(contentsOf: pdf), as: UTF8.self)
        #expect(document.components(separatedBy: "/Type/Page/").count - 1 == 31)
        try Self.expect(
            ImageDecoders.standard.decode([UInt8](Data(contentsOf: picture))), named: "strip-atlas.png")
    }

    /// The chunks of an animated PNG that say where its pictures lie and how long they are shown.
    static func controls(_ file: Data) throws -> [Data] {
        var controls: [Data] = [], place = 8
        while place + 12 <= file.count {
            let count = file[place..<(place + 4)].reduce(0) { $0 << 8 | Int($1) }
            try #require(place + 12 + count <= file.count)
            if file[(place + 4)..<(place + 8)] == Data("fcTL".utf8) {
                controls.append(file.subdata(in: (place + 8)..<(place + 8 + count)))
            }
            place += 12 + count
        }
        try #require(controls.count > 5)
        return controls
    }
}
