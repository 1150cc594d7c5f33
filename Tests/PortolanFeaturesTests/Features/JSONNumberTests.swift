import Foundation
import PortolanFeatures
import PortolanGeo
import TestHelpers
import Testing

/// Numbers against the standard library's conversion and Foundation's.
struct JSONNumberTests {
    static func numbers(_ texts: [String]) throws -> [PropertyValue] {
        let list = texts.joined(separator: ",")
        let collection = try read(#"{"type":"Feature","geometry":null,"properties":{"n":[\#(list)]}}"#)
        return try #require(collection.features[0].properties["n"]?.arrayValue)
    }

    private static func expectExact(_ texts: [String]) throws {
        for (text, value) in zip(texts, try numbers(texts)) {
            let expected = try #require(Double(text))
            #expect(value.doubleValue?.bitPattern == expected.bitPattern, "\(text)")
        }
    }

    @Test(arguments: [
        "0", "-0", "0.0", "-0.0", "1", "9007199254740991", "9007199254740992", "9007199254740993", "9007199254740995",
        "18446744073709551615", "9999999999999999999", "123456789012345678901234567890", "0.1", "0.30000000000000004",
        "1.7976931348623157e308", "4.9e-324", "5e-324", "2.2250738585072014e-308", "2.2250738585072011e-308", "1e-400",
        "1e22", "1e23", "8.5e22", "1e-22", "1e-23", "0.000000000000000000000000000001", "1E+2", "12e-1",
        "9223372036854775807", "9223372036854775808", "-9223372036854775808", "0e999999999999", "0.0e-99999",
        "9007199254740992.5", "9007199254740993.0", "4503599627370496.5", "4503599627370497.5",
        "0.50000000000000011102",
        "24.93520000000000181", "60.16420000000000101", "1.00000000000000011102230246251565404236316680908203125",
        "1.00000000000000011102230246251565404236316680908203124",
    ])
    func `awkward numbers are rounded as by the standard library`(text: String) throws {
        try Self.expectExact([text])
    }

    @Test
    func `integers are exact up to the limits of Int`() throws {
        #expect(
            try Self.numbers(["0", "-7", "9223372036854775807", "-9223372036854775808", "9223372036854775808", "1e3"])
                == [
                    .integer(0), .integer(-7), .integer(.max), .integer(.min), .number(9_223_372_036_854_775_808),
                    .number(1000),
                ])
    }

    @Test
    func `random doubles in shortest form are parsed exactly`() throws {
        var generator = SeededGenerator(seed: 1)
        var texts: [String] = []
        while texts.count < 60_000 {
            let value = Double(bitPattern: generator.next())
            if value.isFinite { texts.append(value.description) }
        }
        try Self.expectExact(texts)
    }

    @Test
    func `random decimals of 1 to 22 digits are rounded as by the standard library`() throws {
        var generator = SeededGenerator(seed: 2)
        var texts: [String] = []
        for _ in 0..<120_000 {
            let count = Int.random(in: 1...22, using: &generator)
            var digits = (0..<count).map { _ in String(Int.random(in: 0...9, using: &generator)) }.joined()
            while digits.hasPrefix("0") && digits.count > 1 { digits.removeFirst() }
            let whole = Int.random(in: 1...digits.count, using: &generator)
            var text = String(digits.prefix(whole))
            if digits.count > whole { text += "." + digits.dropFirst(whole) }
            if text.hasPrefix("0"), text.count > 1, !text.hasPrefix("0.") { text = "0" }
            if Int.random(in: 0..<4, using: &generator) == 0 {
                text += "e\(Int.random(in: -30...30, using: &generator))"
            }
            texts.append(Bool.random(using: &generator) ? text : "-" + text)
        }
        try Self.expectExact(texts)
    }

    @Test
    func `ties between two doubles round to even, and one more digit decides`() throws {
        var generator = SeededGenerator(seed: 3)
        var texts: [String] = []
        for _ in 0..<20_000 {
            // An odd multiple of a half, with 54 bits: exactly between two doubles.
            let odd = (UInt64(1) << 53) | (generator.next() >> 11) | 1
            texts.append("\(odd / 2).\(odd % 2 == 0 ? 0 : 5)")
            texts.append("\(odd)")
            texts.append("\(odd).1")
            texts.append("\(odd / 2).51")
            texts.append("\(odd / 2).49")
        }
        try Self.expectExact(texts)
    }

    @Test
    func `the coordinates of a real file agree with Foundation's parser`() throws {
        let bytes = try Fixture.bytes("helsinki/streets.geojson")
        let object = try #require(JSONSerialization.jsonObject(with: Data(bytes)) as? [String: Any])
        let theirs = try #require(object["features"] as? [[String: Any]])
        let ours = try GeoJSONReader.read(bytes).features
        #expect(ours.count == theirs.count)
        for (feature, other) in zip(ours, theirs) {
            let geometry = try #require(other["geometry"] as? [String: Any])
            let lines: [[[Double]]] =
                geometry["type"] as? String == "LineString"
                ? [try #require(geometry["coordinates"] as? [[Double]])]
                : try #require(geometry["coordinates"] as? [[[Double]]])
            let expected = lines.map { $0.map { Coordinate(x: $0[0], y: $0[1]) } }
            #expect(feature.geometry?.parts.map(Array.init) == expected)
            let properties = try #require(other["properties"] as? [String: Any])
            #expect(Set(feature.properties.names) == Set(properties.keys))
            for case (let name, let text as String) in properties {
                #expect(feature.properties[name]?.stringValue == text)
            }
        }
    }
}
