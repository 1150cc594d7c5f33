import PortolanFeatures
import PortolanGeo
import PortolanPlan
import PortolanRaster
import PortolanWeb
import TestHelpers
import Testing

@testable import Portolan

/// Keys of a layer whose features state their own style.
@Suite struct OverriddenKeysTests {
    private static func line(_ properties: String) -> String {
        #"{"type": "Feature", "properties": {\#(properties)}, "geometry": {"type": "LineString", "#
            + #""coordinates": [[0, 0], [1, 1]]}}"#
    }

    /// The warnings of a layer about keys, and the colour of its first line.
    private func made(
        _ keys: String, _ features: [String]
    ) async throws -> (ignored: [String], stroke: MapColor?) {
        let document = #"{"type": "FeatureCollection", "features": [\#(features.joined(separator: ","))]}"#
        let client = ServiceClient(configuration: World.configuration(fonts: false))
        let builder = LayerBuilder(client: client, mapCRS: .crs84, standardInput: Array(document.utf8))
        let built = try #require(try await builder.build([LayerSpecification("-;\(keys)")]).first)
        if let failure = built.failure { throw failure }
        let source = try #require(built.layer?.features)
        let look = source.looks.styles[Int(source.looks.numbers[0])]
        return (built.warnings.compactMap(\.subject.member), look.default.stroke?.color)
    }

    @Test(arguments: [
        ("stroke=#c00", [#""stroke": "00f""#], ["stroke"]),
        ("stroke=#c00", [#""stroke": "00f""#, #""name": "a""#], []), ("marker-color=#c00", [#""stroke": "00f""#], []),
        ("stroke=#c00;stroke-width=5", [#""stroke": "00f""#], ["stroke"]),
        ("stroke=#c00;stroke-width=5", [#""stroke": "00f", "stroke-width": 3"#], ["stroke", "stroke-width"]),
        ("stroke=#c00", [#""style": {"default": {"strokeColor": "lime"}}"#], ["stroke"]),
        ("stroke=#c00;feature-styles=false", [#""stroke": "00f""#], []),
        ("stroke=#c00", [#""name": "a""#], []),
    ])
    func `a key that no feature takes is said to have no effect`(
        keys: String, features: [String], ignored: [String]
    ) async throws {
        #expect(try await made(keys, features.map(Self.line)).ignored == ignored)
    }

    @Test func `the keys decide if features may not state their own style`() async throws {
        let own = [Self.line(#""stroke": "0000ff""#)], red = MapColor(red: 0xCC, green: 0, blue: 0)
        #expect(try await made("stroke=#c00", own).stroke == MapColor(red: 0, green: 0, blue: 255))
        #expect(try await made("stroke=#c00;feature-styles=false", own).stroke == red)
    }
}
