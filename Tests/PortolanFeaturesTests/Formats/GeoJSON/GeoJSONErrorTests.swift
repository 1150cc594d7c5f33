import PortolanFeatures
import Testing

/// What is said about documents that cannot be read.
struct GeoJSONErrorTests {
    /// A document with `§` where the fault lies, and the kind of failure.
    static let faults: [(String, GeoJSONError.Code)] = [
        ("§", .truncated),
        ("  \n§", .truncated),
        ("§[]", .wrongType),
        ("§<html>", .syntax),
        ("§nonsense", .wrongType),
        ("§{}", .missingMember),
        (#"§{"coordinates":[1,2]}"#, .missingMember),
        (#"§{"type":"Topology","objects":{}}"#, .wrongType),
        (#"§{"type":"Circle","coordinates":[1,2]}"#, .wrongType),
        (#"{"type":§7}"#, .wrongType),
        (#"§{"type":"Point"}"#, .missingMember),
        (#"§{"type":"FeatureCollection"}"#, .missingMember),
        (#"{"type":"FeatureCollection","features":§{}}"#, .wrongType),
        (#"{"type":"FeatureCollection","features":[§1]}"#, .wrongType),
        (#"{"type":"FeatureCollection","features":[§{"geometry":null,"properties":{}}]}"#, .missingMember),
        (#"{"type":"FeatureCollection","features":[{"type":§"Point","coordinates":[1,2]}]}"#, .wrongType),
        (#"{"type":"Feature","geometry":§[],"properties":{}}"#, .wrongType),
        (#"{"type":"Feature","geometry":null,"properties":§[]}"#, .wrongType),
        (#"{"type":"Feature","geometry":null,"properties":{},"id":§true}"#, .wrongType),
        (#"{"type":"GeometryCollection","geometries":[§null]}"#, .wrongType),
        (#"{"type":"GeometryCollection","geometries":§{}}"#, .wrongType),
        (#"{"type":"Point","coordinates":§"1,2"}"#, .wrongType),
        (#"{"type":"Point","coordinates":§null}"#, .wrongType),
        (#"{"type":"Point","coordinates":[1§]}"#, .wrongNesting),
        (#"{"type":"Point","coordinates":[§[1,2]]}"#, .wrongNesting),
        (#"{"type":"LineString","coordinates":[§1,2]}"#, .wrongNesting),
        (#"{"type":"LineString","coordinates":[[1,2],[§[1,2]]]}"#, .wrongNesting),
        (#"{"type":"LineString","coordinates":[[1,2],[§]]}"#, .wrongNesting),
        (#"{"type":"Polygon","coordinates":[[§1,2],[3,4]]}"#, .wrongNesting),
        (#"{"type":"MultiPolygon","coordinates":[[[§1,2],[3,4]]]}"#, .wrongNesting),
        (#"{"type":"MultiPolygon","coordinates":[§1]}"#, .wrongNesting),
        (#"{"type":"Point","coordinates":[§null,2]}"#, .wrongType),
        (#"{"type":"Point","coordinates":[§NaN,2]}"#, .syntax),
        (#"{"type":"Point","coordinates":[§Infinity,2]}"#, .syntax),
        (#"{"type":"Point","coordinates":[§-Infinity,2]}"#, .invalidNumber),
        (#"{"type":"Point","coordinates":[§1e400,2]}"#, .invalidNumber),
        (#"{"type":"Point","coordinates":[§01,2]}"#, .invalidNumber),
        (#"{"type":"Point","coordinates":[§1.,2]}"#, .invalidNumber),
        (#"{"type":"Point","coordinates":[§1e,2]}"#, .invalidNumber),
        (#"{"type":"Point","coordinates":[§.5,2]}"#, .syntax),
        (#"{"type":"Point","coordinates":[§+1,2]}"#, .syntax),
        (#"{"type":"Point","coordinates":[1 §2]}"#, .syntax),
        (#"{"type":"Point","coordinates":[1,2§}"#, .syntax),
        (#"{"type":"Point","coordinates":[1,2],§}"#, .syntax),
        (#"{"type":"Point",§coordinates:[1,2]}"#, .syntax),
        (#"{"type"§,"coordinates":[1,2]}"#, .syntax),
        (#"{"type":"Point","coordinates":[1,2]}§x"#, .trailingContent),
        (#"{"type":"Point","coordinates":[1,2]} §{"type":"Point","coordinates":[1,2]}"#, .trailingContent),
        (#"{"type":"Point","coordinates":[1,2],§"type":"Point"}"#, .duplicateName),
        (#"{"type":"Feature","geometry":null,"properties":{"a":1,§"a":2}}"#, .duplicateName),
        (#"{"type":"Feature","geometry":null,"properties":{"a":1,§"\u0061":2}}"#, .duplicateName),
        (#"{"type":"Feature","geometry":null,"properties":{"a":§tru}}"#, .syntax),
        (#"{"type":"Feature","geometry":null,"properties":{"a":"§\x"}}"#, .syntax),
        (#"{"type":"Feature","geometry":null,"properties":{"a":"\u12§g4"}}"#, .syntax),
        (#"{"type":"Feature","geometry":null,"properties":{"a":"b§\ud800"}}"#, .invalidText),
        (#"{"type":"Feature","geometry":null,"properties":{"a":"b§\udc00\ud800"}}"#, .invalidText),
        ("{\"type\":\"Feature\",\n\n\"geometry\":null,\"properties\":{\"a\":\"b§\n\"}}", .syntax),
        (
            #"{"type":"Point","coordinates":[1,2],"crs":§{"type":"link","properties":{"href":"a.crs"}}}"#,
            .unsupportedCRS
        ),
        (#"{"type":"Point","coordinates":[1,2],"crs":§{"type":"name","properties":{"name":"x"}}}"#, .unsupportedCRS),
        (#"{"type":"Point","coordinates":[1,2],"crs":§{"type":"name"}}"#, .unsupportedCRS),
        (#"{"type":"Point","coordinates":[1,2],"crs":§{"type":"proj4"}}"#, .unsupportedCRS),
        (#"{"type":"Point","coordinates":[1,2],"crs":§"EPSG:4326"}"#, .wrongType),
    ]

    @Test(arguments: faults)
    func `a fault is told with its kind, byte and line`(marked: String, code: GeoJSONError.Code) throws {
        let parts = marked.split(separator: "§", omittingEmptySubsequences: false)
        let error = #expect(throws: GeoJSONError.self) { try read(parts.joined()) }
        #expect(error?.code == code)
        #expect(error?.byteOffset == parts[0].utf8.count)
        #expect(error?.line == parts[0].filter { $0 == "\n" }.count + 1)
        #expect(error?.detail.isEmpty == false)
        #expect(error?.description.hasPrefix("GeoJSON, line ") == true)
    }

    @Test(arguments: [
        ([0xC3, 0x28], 0), ([0x61, 0xFF], 1), ([0xED, 0xA0, 0x80], 0), ([0xC0, 0x80], 0),
        ([0xC3, 0xA9, 0xF5, 0x80], 2),
    ])
    func `text that is not UTF-8 is told with the place of the first bad byte`(bad: [Int], at: Int) throws {
        let start = Array(#"{"type":"Feature","geometry":null,"properties":{"a":""#.utf8)
        let bytes = start + bad.map { UInt8($0) } + Array(#""}}"#.utf8)
        let error = #expect(throws: GeoJSONError.self) { try GeoJSONReader.read(bytes: bytes) }
        #expect(error?.code == .invalidText)
        #expect(error?.byteOffset == start.count + at)
    }

    @Test
    func `UTF-16 is named as such`() throws {
        let error = #expect(throws: GeoJSONError.self) { try GeoJSONReader.read(bytes: [0xFF, 0xFE, 0x7B, 0x00]) }
        #expect(error?.detail.contains("UTF-16") == true)
    }

    @Test(arguments: [
        #"{"type":"Fea\nture\u001b[31m"}"#, #"{"type":"Feature","geometry":null,"properties":{"a\n":1,"a\n":2}}"#,
        #"{"type":"Point","coordinates":[1,2],"crs":{"type":"\u0007","properties":{}}}"#,
    ])
    func `words of the document do not break the line`(document: String) {
        let error = #expect(throws: GeoJSONError.self) { try GeoJSONReader.read(bytes: Array(document.utf8)) }
        #expect(error?.description.utf8.contains { $0 < 0x20 || $0 == 0x7F } == false)
    }
}
