import PortolanFeatures
import PortolanWeb
import Testing

@testable import PortolanFeatures

struct GeoJSONThreadsTests {
    private static let plain =
        #"{"type":"Feature","properties":{"name":"a","n":1},"geometry":{"type":"Point","coordinates":[1.5,2.25]}}"#

    /// Members of a list of features.
    private static let members: [String] = [
        plain, plain,
        #"{"type":"Feature","properties":{"list":[{"type":"Feature"},{"type":"Feature","x":"},{"}]},"geometry":null}"#,
        #"{"type":"Feature","properties":{"text":"},{\"type\":\"Feature\","},"geometry":null}"#,
        #"{"type":"Feature","id":7,"properties":{"n":1,"n":2,"\u006e":3},"geometry":null}"#,
        #"{"type":"Feature","properties":null,"geometry":{"type":"Polygon","coordinates":[[[0.5,0.5],[1.5,0.5],[1.5,1.5]]]}}"#,
        "null", #"{"type":"Circle","radius":3}"#, #"{"type":"Point","coordinates":[1,2]}"#, "17",
        #"{"type":"Feature","properties":{"deep":{"a":[1,{"type":"Feature"}]}},"geometry":{"type":"Point","coordinates":["1",null]}}"#,
        #" { "type" : "Feature" , "properties" : { } , "geometry" : null , "bbox" : [1,2,3,4], "more" : 1 } "#,
    ]

    private static func document(_ members: [String], end: String = "]}") -> [UInt8] {
        Array(("{\"type\":\"FeatureCollection\",\"features\":[" + members.joined(separator: ",\n") + end).utf8)
    }

    private static let documents: [[UInt8]] = [
        document(Array(repeating: plain, count: 60)), document((0..<8).flatMap { _ in members }),
        document((0..<90).map { members[$0 * 7 % members.count] }, end: "],\"name\":\"x\",\"features\":[]}"),
        document((0..<40).flatMap { _ in members }, end: "]"), document(Array(repeating: plain, count: 60), end: "}}"),
        document(Array(repeating: plain, count: 30) + ["{\"type\":\"Feature\",,"] + Array(repeating: plain, count: 30)),
        document(Array(repeating: "{\"type\":\"Circle\"}", count: 90)), document(Array(repeating: "17", count: 900)),
        document(["{\"a\":1,\"type\":\"Feature\",\"geometry\":null}"] + Array(repeating: plain, count: 50)),
    ]

    private static func read(
        _ bytes: [UInt8], _ limits: FeatureLimits, threads: Int, runLength: Int
    ) -> Result<
        FeatureCollection, GeoJSONError
    > {
        Result { () throws(GeoJSONError) in
            try GeoJSONReader.read(bytes, limits: limits, threads: threads, runLength: runLength)
        }
    }

    @Test(arguments: documents)
    func `several threads give the same features, warnings and errors as one`(_ bytes: [UInt8]) {
        let manyWarnings = FeatureLimits(maximumWarningCount: 1000)
        let limits = [
            manyWarnings, FeatureLimits(maximumWarningCount: 5),
            FeatureLimits(maximumFeatureCount: 41, maximumWarningCount: 1000),
            FeatureLimits(maximumCoordinateCount: 33),
            FeatureLimits(maximumDepth: 5),
        ]
        for limits in limits {
            let one = Self.read(bytes, limits, threads: 1, runLength: 1 << 20)
            for (threads, runLength) in [(2, 16), (2, 100), (3, 333), (5, 1000)] {
                let several = Self.read(bytes, limits, threads: threads, runLength: runLength)
                #expect(several == one, "\(threads) threads, \(runLength) bytes")
            }
        }
    }

    @Test func `feature numbers in warnings continue from one thread to the next`() throws {
        let bytes = Self.document(Array(repeating: Self.plain, count: 70) + ["17", "null"])
        let collection = try GeoJSONReader.read(bytes, threads: 2, runLength: 500)
        #expect(collection.features.count == 70)
        #expect(collection.warnings.map(\.subject.feature) == ["#71", "#72"])
    }

    @Test(arguments: [
        "0.5", "-0.0", "1234567.12345678", "-180.000001", "99.99999999", "0.00000001", "24.9384", "7.1",
    ])
    func `a plain decimal is parsed to the nearest double`(_ text: String) {
        let bytes = Array((text + ",[1,2],[3,4]").utf8)
        var index = 0
        let number = bytes.span.plainDecimal(at: &index)
        #expect(number?.bitPattern == Double(text)?.bitPattern)
        #expect(index == text.utf8.count)
    }

    @Test(arguments: [
        "12345678.5", "0.123456789", "01.5", "1.", ".5", "-.5", "1.5e3", "15", "--1.5", "1.5 ", "1.5", "", "-", "1,5",
    ])
    func `text other than a plain decimal is not consumed`(_ text: String) {
        let bytes = Array(text.utf8)
        var index = 0
        let number = bytes.span.plainDecimal(at: &index)
        #expect(number == nil)
        #expect(index == 0)
    }
}
