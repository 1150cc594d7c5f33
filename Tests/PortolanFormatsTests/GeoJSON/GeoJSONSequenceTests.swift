import PortolanFeatures
import PortolanFormats
import PortolanGeo
import PortolanWeb
import Testing

/// Documents of several GeoJSON objects: sequences of RFC 8142, and lines.
struct GeoJSONSequenceTests {
    private static func point(_ number: Int, _ space: String = "") -> String {
        #"{"type":"Feature","id":\#(number),"#
            + #"\#(space)"geometry":{"type":"Point","coordinates":[\#(number),60]},"properties":null}"#
    }
    private static let long =
        #"{"type":"Feature","geometry":null,"properties":{"a":""#
        + String(repeating: "x", count: 3000) + #""}}"#

    /// Documents and the formats that read them.
    static let documents: [(String, String, Int)] = [
        ("\u{1E}\(point(1))\n\u{1E}\(point(2, "\n"))\n", "GeoJSON text sequence", 2),
        (" \u{1E}\u{1E}\(point(1))\u{1E}\(point(2))", "GeoJSON text sequence", 2),
        ("\(point(1))\n\(point(2))\n", "newline-delimited GeoJSON", 2),
        ("\u{FEFF}\(point(1))\r\n\r\n\(point(2))", "newline-delimited GeoJSON", 2),
        ("\(long)\n\(point(2))", "newline-delimited GeoJSON", 2),
        (
            #"{"type":"FeatureCollection","features":[\#(point(1))]}"# + "\n"
                + #"{"type":"Point","coordinates":[1,2]}"#,
            "newline-delimited GeoJSON", 2
        ),
        // One feature on a long line, or with a line end in it, is the same in both.
        ("\(long)\n", "newline-delimited GeoJSON", 1),
        (long.replacing("}}", with: "}\n}"), "newline-delimited GeoJSON", 1),
        (point(1), "GeoJSON", 1), (point(1, "\n"), "GeoJSON", 1),
        ("{\n\"type\":\"Point\",\"coordinates\":[1,2]}", "GeoJSON", 1),
        (#"{"type":"FeatureCollection","features":[\#(long)]}"#, "GeoJSON", 1),
        (#"{"name":"type","features":[\#(long)],"type":"FeatureCollection"}"#, "GeoJSON", 1),
    ]

    @Test(arguments: documents)
    func `a sequence is recognised by its first bytes and read`(document: String, format: String, count: Int) throws {
        let bytes = Array(document.utf8)
        #expect(FeatureFormats.standard.format(recognizing: bytes)?.name == format)
        let collection = try FeatureFormats.standard.read(bytes)
        #expect(collection.features.count == count)
        #expect(collection.warnings.isEmpty)
    }

    @Test(arguments: [("\u{1E}", GeoJSONFormat.TextSequence() as any FeatureFormat), ("\n", GeoJSONFormat.Lines())])
    func `an unreadable object is left out with a warning, and the rest is read`(
        separator: String, format: any FeatureFormat
    ) throws {
        for bad in [
            #"{"type":"Feat"#, "§", "{}", #"{"type":"Point","coordinates":[1,2]} x"#, #"{"type":"Feature","a":[{"b":"#,
        ] {
            let document = [Self.point(1), bad, Self.point(3)].map { separator + $0 }.joined()
            let collection = try format.read(Array(document.utf8), limits: FeatureLimits())
            #expect(collection.features.map(\.id) == [1, 3], "\(bad)")
            let warning = try #require(collection.warnings.first)
            #expect(warning.effect == .omitted)
            #expect(warning.subject.feature == "#2")
            let place = (separator + Self.point(1) + separator).utf8.count
            #expect((place...(place + bad.utf8.count)).contains(warning.place?.byteOffset ?? -1))
        }
    }

    @Test
    func `a sequence of faults alone is an error with line and byte`() {
        let error = #expect(throws: GeoJSONError.self) {
            try FeatureFormats.standard.read(Array("\u{1E}\n\u{1E}{\"type\":7}\n\u{1E}x".utf8))
        }
        #expect(error?.code == .wrongType)
        #expect(error?.line == 2)
        #expect(error?.byteOffset == 11)
    }

    @Test
    func `limits apply to all objects together`() {
        let document = Array((1...20).map { "\u{1E}" + Self.point($0) }.joined().utf8)
        for limits in [
            FeatureLimits(maximumByteCount: 100), FeatureLimits(maximumFeatureCount: 19),
            FeatureLimits(maximumCoordinateCount: 19),
        ] {
            let error = #expect(throws: GeoJSONError.self) {
                try GeoJSONFormat.TextSequence().read(document, limits: limits)
            }
            #expect(error?.code == .limitExceeded)
        }
    }

    @Test(arguments: [#"{"a":["#, "{", #"{"type":"#, "null"])
    func `a hundred thousand broken lines take linear time`(line: String) throws {
        let document = Self.point(1) + "\n" + Array(repeating: line, count: 100_000).joined(separator: "\n")
        let collection = try GeoJSONFormat.Lines().read(Array(document.utf8), limits: FeatureLimits())
        #expect(collection.features.count == 1)
        #expect(collection.warnings.count == 101)
    }
}
