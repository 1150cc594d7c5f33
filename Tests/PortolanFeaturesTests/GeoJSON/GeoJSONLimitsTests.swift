import PortolanFeatures
import PortolanWeb
import TestHelpers
import Testing

/// Documents that are cut off, damaged or made to do harm.
struct FeatureLimitsTests {
    static let document = """
        {"type":"FeatureCollection","crs":{"type":"EPSG","properties":{"code":"4326"}},"bbox":[1,2,3,4],"features":[
        {"type":"Feature","id":"ä\\u00e4\\ud83d\\ude00","properties":{"a":[1,-2.5e-3,true,null,{"b":false}]},
        "geometry":{"coordinates":[[[0,0],[1.5,0],[1,1,7],[0,0]]],"type":"Polygon"}},
        {"type":"Feature","id":3,"properties":null,"geometry":{"type":"GeometryCollection","geometries":[
        {"type":"MultiPolygon","coordinates":[[[[0,0],[1,0],[1,1],[0,0]]]]},{"type":"Point","coordinates":[]}]}}]}
        """

    @Test
    func `a document truncated after any byte is an error at its end`() throws {
        let bytes = Array(Self.document.utf8)
        #expect(try GeoJSONReader.read(bytes).features.count == 2)
        for length in 0..<bytes.count {
            let error = #expect(throws: GeoJSONError.self) { try GeoJSONReader.read(Array(bytes[..<length])) }
            #expect(error?.code == .truncated || error?.code == .invalidText, "\(length)")
            #expect((error?.byteOffset ?? -1) <= length)
        }
    }

    @Test
    func `damaged bytes give an error or a collection, and never a crash`() {
        var generator = SeededGenerator(seed: 7)
        let bytes = Array(Self.document.utf8)
        let alphabet = Array("{}[]\",:0123456789.eE+-\\untf \u{0}".utf8) + [0x80, 0xC3, 0xFF]
        var failures = 0
        for _ in 0..<20_000 {
            var damaged = bytes
            for _ in 0..<Int.random(in: 1...4, using: &generator) {
                let place = Int.random(in: 0..<damaged.count, using: &generator)
                switch Int.random(in: 0..<4, using: &generator) {
                case 0: damaged[place] = alphabet.randomElement(using: &generator) ?? 0
                case 1: damaged.remove(at: place)
                case 2: damaged.insert(alphabet.randomElement(using: &generator) ?? 0, at: place)
                default: damaged[place] ^= 1 << UInt8.random(in: 0..<8, using: &generator)
                }
            }
            do {
                let collection = try GeoJSONReader.read(damaged)
                // What was understood can be written and read again.
                let again = try GeoJSONReader.read(GeoJSONWriter.write(collection))
                #expect(again.features.count == collection.features.count)
            } catch {
                failures += 1
                #expect(error.byteOffset >= 0)
                #expect(error.byteOffset <= damaged.count)
            }
        }
        #expect(failures > 5_000)
    }

    @Test(arguments: [
        ("[", "LineString", "coordinates"),
        (#"{"type":"GeometryCollection","geometries":["#, "GeometryCollection", "geometries"),
        ("[", "Point", "foreign"), (#"{"a":"#, "Point", "foreign"),
    ])
    func `a million opening brackets are rejected`(opening: String, type: String, member: String) throws {
        let text = #"{"type":"\#(type)","\#(member)":["# + String(repeating: opening, count: 1_000_000)
        let error = #expect(throws: GeoJSONError.self) { try read(text) }
        #expect([.limitExceeded, .wrongNesting].contains(error?.code))
    }

    @Test
    func `nesting is accepted up to the limit and not beyond`() throws {
        func nested(_ depth: Int) -> String {
            #"{"type":"Feature","geometry":null,"properties":{"a":"# + String(repeating: "[", count: depth)
                + String(repeating: "]", count: depth) + "}}"
        }
        #expect(try read(nested(62)).features.count == 1)
        let error = #expect(throws: GeoJSONError.self) { try read(nested(63)) }
        #expect(error?.code == .limitExceeded)
        let most = FeatureLimits(maximumDepth: 1_000_000)
        #expect(try read(nested(126), limits: most).features.count == 1)
        #expect(throws: GeoJSONError.self) { try read(nested(127), limits: most) }
        #expect(throws: GeoJSONError.self) { try read(nested(4), limits: FeatureLimits(maximumDepth: 5)) }
    }

    @Test(arguments: [
        FeatureLimits(maximumByteCount: 100), FeatureLimits(maximumDepth: 4), FeatureLimits(maximumFeatureCount: 1),
        FeatureLimits(maximumCoordinateCount: 7),
    ])
    func `each limit is enforced`(limits: FeatureLimits) throws {
        let error = #expect(throws: GeoJSONError.self) { try read(Self.document, limits: limits) }
        #expect(error?.code == .limitExceeded)
    }

    @Test(
        arguments: [
            (#"{"type":"FeatureCollection","features":[{"type":"Feature","geometry":null},"#, "null", "]}"),
            (#"{"type":"FeatureCollection","features":[{"type":"Feature","geometry":null},"#, "[]", "]}"),
            (
                #"{"type":"FeatureCollection","features":["#,
                #"{"type":"Feature","geometry":[],"properties":[],"id":{}}"#,
                "]}"
            ),
            (#"{"type":"Feature","geometry":null,"#, #""properties":[]"#, "}"),
            (#"{"type":"Feature","geometry":null,"properties":{"#, #""a":1"#, "}}"),
            (#"{"type":"LineString","coordinates":["#, #"["1","2"],[null,1],null"#, "]}"),
        ])
    func `a hundred thousand faults take linear time`(start: String, fault: String, end: String) throws {
        let faults = Array(repeating: fault, count: 100_000).joined(separator: ",\n")
        let collection = try read(start + faults + end)
        #expect(collection.warnings.count == 101 || fault.contains("null]"))
        #expect(collection.warnings.contains { $0.effect != .note })
    }

    @Test
    func `a hundred thousand members in one object are read, and a duplicate is found`() throws {
        let members = (0..<100_000).map { #""n\#($0)":\#($0)"# }.joined(separator: ",")
        let start = #"{"type":"Feature","geometry":null,"properties":{"#
        #expect(try read(start + members + "}}").features[0].properties.count == 100_000)
        let twice = try read(start + members + #","n99999":1}}"#)
        #expect(twice.features[0].properties.count == 100_000)
        #expect(twice.features[0].properties["n99999"] == 1)
        #expect(twice.warnings.map(\.subject.member) == ["n99999"])
    }
}
