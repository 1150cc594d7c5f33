import PortolanFeatures
import PortolanGeo
import PortolanWeb
import Testing

/// Files of which one feature is JSON, but not GeoJSON.
struct GeoJSONOddFeaturesTests {
    /// An odd feature with `§` where it is odd, how many features are left beside the sound one, and what became of it.
    static let oddities: [(String, Int, MapWarning.Effect)] = [
        (#"{"type":"Feature","geometry":null,"properties":§[]}"#, 1, .omitted),
        (#"{"type":"Feature","geometry":null,"properties":§"text"}"#, 1, .omitted),
        (#"{"type":"Feature","geometry":§{},"properties":{}}"#, 1, .omitted),
        (#"{"type":"Feature","geometry":§[],"properties":{}}"#, 1, .omitted),
        (#"{"type":"Feature","geometry":§{"type":"Circle","coordinates":[1,2]},"properties":{}}"#, 1, .omitted),
        (#"{"type":"Feature","geometry":§{"type":"Point"},"properties":{}}"#, 1, .omitted),
        (#"{"type":"Feature","geometry":{"type":"Polygon","coordinates":[[§1,2]]},"properties":{}}"#, 1, .omitted),
        (#"{"type":"Feature","geometry":{"type":"Point","coordinates":§null},"properties":{}}"#, 1, .omitted),
        (#"{"type":"Feature","id":§{"a":1},"geometry":null,"properties":{}}"#, 1, .omitted),
        (#"{"type":"Feature","id":§true,"geometry":null,"properties":{}}"#, 1, .omitted),
        ("§null", 0, .omitted), ("§7", 0, .omitted), ("§[[1,2]]", 0, .omitted), (#"§"a""#, 0, .omitted),
        ("§{}", 0, .omitted), (#"{"type":§"Placemark"}"#, 0, .omitted), (#"{"type":§7,"geometry":null}"#, 0, .omitted),
        (#"§{"type":"Point","coordinates":[1,2]}"#, 1, .repaired),
        (#"§{"geometry":{"type":"Point","coordinates":[1,2]},"properties":{}}"#, 1, .repaired),
        (#"{"type":"Feature","geometry":null,"properties":{"a":1,§"a":2}}"#, 1, .repaired),
        (#"{"type":"Feature","geometry":null,§"geometry":null,"properties":{}}"#, 1, .repaired),
        (#"{"type":"Feature","geometry":{"type":"Point","coordinates":[§"1","2"]},"properties":{}}"#, 1, .repaired),
        (#"{"type":"Feature","geometry":{"type":"Point","coordinates":§[null,null]},"properties":{}}"#, 1, .repaired),
        (#"{"type":"Feature","geometry":{"type":"Point","coordinates":§[NaN,NaN]},"properties":{}}"#, 1, .repaired),
        (
            #"{"type":"Feature","geometry":{"type":"Point","coordinates":§[Infinity,-Infinity]},"properties":{}}"#, 1,
            .omitted
        ),
        (#"{"type":"Feature","geometry":null,"properties":{"a":§NaN}}"#, 1, .repaired),
        (#"{"type":"Feature","geometry":null,"properties":{"a":[§-Infinity]}}"#, 1, .repaired),
        (
            #"{"type":"Feature","geometry":{"type":"LineString","coordinates":[[1,2],§null,[3,4]]},"properties":{}}"#,
            1, .omitted
        ),
    ]

    private static let sound = #"{"type":"Feature","geometry":{"type":"Point","coordinates":[24,60]},"properties":{}}"#

    @Test(arguments: oddities)
    func `an invalid feature does not reject the file, and a warning names it and its byte`(
        marked: String, left: Int, kind: MapWarning.Effect
    ) throws {
        let document =
            #"{"type":"FeatureCollection","features":["# + Self.sound + ",\n" + marked + "," + Self.sound + "]}"
        let parts = document.split(separator: "§", omittingEmptySubsequences: false)
        let collection = try read(parts.joined())
        #expect(collection.features.count == 2 + left)
        #expect(collection.features.last?.geometry == .point(Coordinate(x: 24, y: 60)))
        let warning = try #require(collection.warnings.first)
        #expect(collection.warnings.count == 1)
        #expect(warning.effect == kind)
        #expect(warning.subject.feature == "#2")
        #expect(warning.place?.byteOffset == parts[0].utf8.count)
    }

    @Test(arguments: [
        (#""properties":[]"#, #"{}"#), (#""properties":{"a":1,"b":3,"a":2}"#, #"{"a":2,"b":3}"#),
    ])
    func `a document of one unusual feature is read with a warning`(member: String, expected: String) throws {
        let collection = try read(#"{"type":"Feature","geometry":null,\#(member)}"#)
        let other = try read(#"{"type":"Feature","geometry":null,"properties":\#(expected)}"#)
        #expect(collection.features == other.features)
        #expect(collection.warnings.count == 1)
    }

    @Test
    func `numbers in quotes are parsed, and positions without numbers are left out`() throws {
        let line = try #require(
            read(#"{"type":"LineString","coordinates":[["1","2.5"],[null,3],[4," 5 ",null],null,[6,7,8]]}"#).features
                .first)
        #expect(line.geometry?.coordinates == [(1, 2.5), (4, 5), (6, 7)].map { Coordinate(x: $0, y: $1) })
        #expect(line.geometry?.altitudes == [nil, nil, 8])
    }

    @Test(arguments: [
        (#""urn:ogc:def:crs:EPSG::3857""#, CRS.webMercator, MapWarning.Effect.repaired), (#"7"#, .crs84, .omitted),
        (#"{"type":"link","properties":{"href":"a.crs"}}"#, .crs84, .omitted),
        (#"{"type":"name"}"#, .crs84, .omitted), (#"{"type":"name","properties":[]}"#, .crs84, .omitted),
    ])
    func `an unusual crs member is read, or left out with a warning`(
        crs: String, expected: CRS, kind: MapWarning.Effect
    ) throws {
        let collection = try read(#"{"type":"Point","coordinates":[1,2],"crs":\#(crs)}"#)
        #expect(collection.effectiveCRS == expected)
        #expect(collection.warnings.map(\.effect) == [kind])
        #expect(collection.warnings.map(\.subject.member) == ["crs"])
    }

    @Test func `a JSON-FG place is left out with a warning`() throws {
        let collection = try read(
            #"{"type":"Feature","geometry":null,"properties":{},"place":{"type":"Point","coordinates":[1,2]}}"#)
        #expect(
            collection.warnings.map(\.subject.member) == ["place"] && collection.warnings.map(\.effect) == [.omitted])
    }

    @Test
    func `a warning over the limit still reports that something was left out`() throws {
        let sound = Array(repeating: #"{"type":"Feature","geometry":null}"#, count: 200).joined(separator: ",")
        let collection = try read(#"{"type":"FeatureCollection","features":[\#(sound),null]}"#)
        #expect(collection.warnings.map(\.effect) == Array(repeating: .note, count: 100) + [.omitted])
    }
}
