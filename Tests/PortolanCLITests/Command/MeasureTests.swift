import Foundation
import TestHelpers
import Testing

/// `portolan measure`.
@Suite struct MeasureTests {
    private let portolan: BuiltCommand
    /// A square of a degree at the equator.
    private static let squareArea = 12_308_778_361.469
    private static let tolerance = MeasuringTolerance.squareMeters(of: squareArea)

    init() throws { portolan = try BuiltCommand() }

    private func json(_ ended: BuiltCommand.Ended) throws -> [String: Any] {
        try #require(try JSONSerialization.jsonObject(with: Data(ended.output)) as? [String: Any])
    }

    @Test func `the distance and direction between two positions are printed as text`() async throws {
        let ended = try await portolan.run(["measure", "24.9414,60.1713", "24.7453,59.4370"])
        #expect(ended.status == 0 && ended.errors.isEmpty, "\(ended.testDescription)")
        #expect(
            String(decoding: ended.output, as: UTF8.self)
                == "24.9414,60.1713 -> 24.7453,59.437  82.5 km, 188° S\n")
    }

    /// Lengths by GeodSolve; area and perimeter by Planimeter.
    @Test func `several positions have legs, a perimeter and an area, in the west and south as well`() async throws {
        let ended = try await portolan.run(["measure", "0,0", "-1,0", "-1,-1", "0,-1", "--json"])
        let way = try json(ended), legs = try #require(way["legs"] as? [[String: Any]])
        #expect(legs.count == 3 && ended.status == 0, "\(ended.testDescription)")
        #expect(abs(try #require(legs[0]["meters"] as? Double) - 111_319.490793) < MeasuringTolerance.meters)
        #expect(legs[0]["bearing"] as? Double == 270)
        #expect(abs(try #require(way["perimeter"] as? Double) - 443_770.91724830) < MeasuringTolerance.meters)
        #expect(abs(try #require(way["squareMeters"] as? Double) - Self.squareArea) < Self.tolerance)
    }

    @Test func `the end point for a bearing and a distance is printed`() async throws {
        let ended = try await portolan.run([
            "measure", "24.94,60.17", "--bearing", "37.5", "--distance", "1000", "--json",
        ])
        let legs = try #require(try json(ended)["legs"] as? [[String: Any]])
        let end = try #require(legs.first?["to"] as? [Double])
        // By geod of PROJ.
        #expect(abs(end[0] - 24.950968385476) < 1e-9 && abs(end[1] - 60.177120236397) < 1e-9)
    }

    @Test func `the features of a file are measured one by one and in total`() async throws {
        try portolan.write(
            #"""
            {"type":"FeatureCollection","features":[
            {"type":"Feature","id":7,"properties":{"name":"Walk"},"geometry":{"type":"LineString","coordinates":[[0,0],[1,0]]}},
            {"type":"Feature","properties":{},"geometry":{"type":"Polygon","coordinates":[[[0,0],[1,0],[1,1],[0,1],[0,0]]]}},
            {"type":"Feature","properties":{"name":"Inn"},"geometry":{"type":"Point","coordinates":[3,4]}}]}
            """#, to: "some.geojson")
        let words = try await portolan.run(["measure", "some.geojson"])
        #expect(
            String(decoding: words.output, as: UTF8.self).split(separator: "\n").map {
                $0.split(separator: " ").joined(separator: " ")
            }
                == [
                    "Walk 111 km", "Polygon 444 km around 12309 km²", "Inn nothing to measure",
                    "3 in total 111 km, 444 km around 12309 km²",
                ], "\(words.testDescription)")
        let measured = try json(try await portolan.run(["measure", "some.geojson", "--json"]))
        let features = try #require(measured["features"] as? [[String: Any]])
        #expect(features.map { $0["labelPoint"] as? [Double] } == [[0.5, 0], [0.5, 0.5], [3, 4]])
        #expect(abs(try #require(measured["squareMeters"] as? Double) - Self.squareArea) < Self.tolerance)
    }

    @Test func `features are named by the given property, or by their name property in any case`() async throws {
        try portolan.write(
            #"""
            {"type":"Feature","properties":{"NAME":"Lake","code":12},"geometry":{"type":"Point","coordinates":[3,4]}}
            """#, to: "lake.geojson")
        func title(_ arguments: String...) async throws -> String? {
            let measured = try json(try await portolan.run(["measure", "lake.geojson", "--json"] + arguments))
            return (measured["features"] as? [[String: Any]])?.first?["name"] as? String
        }
        #expect(try await title() == "Lake")
        #expect(try await title("--name", "code") == "12")
        #expect(try await title("--name", "other") == nil)
    }

    @Test(arguments: [
        (["24,60"], 64), (["24,60", "nowhere"], 64), (["24,60", "24,95"], 64), (["none.geojson"], 66),
        (["24,60", "25,60", "--bearing", "4"], 64), (["24,60", "--distance", "4"], 64), ([], 64),
        (["some.txt", "--bearing", "4"], 64),
    ])
    func `impossible measurements are rejected with an exit code`(arguments: [String], status: Int) async throws {
        let ended = try await portolan.run(["measure"] + arguments)
        #expect(Int(ended.status) == status && ended.errors.hasPrefix("portolan: "), "\(ended.testDescription)")
    }
}
