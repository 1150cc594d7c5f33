import PortolanFeatures
import PortolanGeo
import Testing

@testable import PortolanStyles

@Suite struct GeometryOperatorTests {
    private static let square = #"{"type": "Polygon", "coordinates": [[[0, 0], [0, 5], [5, 5], [5, 0], [0, 0]]]}"#
    private static let ring =
        #"{"type": "Polygon", "coordinates": [[[0, 0], [9, 0], [9, 9], [0, 9], [0, 0]], [[3, 3], [3, 6], [6, 6], [6, 3], [3, 3]]]}"#

    private static func value(of text: String, for shape: String) throws -> ExpressionValue {
        let feature = try #require(try GeoJSONReader.read(Array(shape.utf8)).features.first)
        let expression = try StyleExpression(try json(text), for: PropertySpecification(.any))
        #expect(!expression.isFeatureConstant)
        return try expression.evaluate(ExpressionContext(zoom: 3, feature: feature))
    }

    @Test(arguments: [
        (#"{"type": "Point", "coordinates": [2, 2]}"#, square, true),
        (#"{"type": "Point", "coordinates": [6, 2]}"#, square, false),
        (#"{"type": "Point", "coordinates": [5, 2]}"#, square, false),
        (#"{"type": "MultiPoint", "coordinates": [[2, 2], [6, 2]]}"#, square, false),
        (#"{"type": "LineString", "coordinates": [[1, 1], [4, 4]]}"#, square, true),
        (#"{"type": "LineString", "coordinates": [[1, 1], [6, 4]]}"#, square, false),
        (#"{"type": "LineString", "coordinates": [[1, 4], [8, 4]]}"#, ring, false),
        (#"{"type": "Point", "coordinates": [4, 4]}"#, ring, false),
        (#"{"type": "Point", "coordinates": [362, 2]}"#, square, true),
        (square, ring, false),
    ])
    func `'within' is true strictly inside the area, not on its border`(
        _ shape: String, _ area: String, _ wanted: Bool
    ) throws {
        #expect(try Self.value(of: #"["within", \#(area)]"#, for: shape) == .boolean(wanted))
    }

    /// By the lengths of a degree at latitude 60 on the WGS 84 ellipsoid: 55,800 m of longitude, 111,412 m of latitude.
    @Test(arguments: [
        (#"{"type": "Point", "coordinates": [25, 60]}"#, #"{"type": "Point", "coordinates": [25.01, 60]}"#, 558.0),
        (#"{"type": "Point", "coordinates": [25, 60]}"#, #"{"type": "Point", "coordinates": [25, 60.01]}"#, 1114.1),
        (
            #"{"type": "LineString", "coordinates": [[24, 60], [26, 60]]}"#,
            #"{"type": "Point", "coordinates": [25, 60.01]}"#, 1114.1
        ),
        (
            #"{"type": "LineString", "coordinates": [[24, 60], [26, 60]]}"#,
            #"{"type": "LineString", "coordinates": [[25, 59], [25, 61]]}"#, 0
        ),
        (#"{"type": "Point", "coordinates": [2, 2]}"#, square, 0),
        (#"{"type": "Point", "coordinates": [1, 1]}"#, ring, 0),
        (
            #"{"type": "Point", "coordinates": [179.995, 60]}"#, #"{"type": "Point", "coordinates": [-179.995, 60]}"#,
            558.0
        ),
    ])
    func `'distance' is in metres on the ellipsoid`(_ shape: String, _ other: String, _ wanted: Double) throws {
        let found = try #require(try Self.value(of: #"["distance", \#(other)]"#, for: shape).numberValue)
        #expect(abs(found - wanted) <= wanted * 0.001)
    }

    @Test(arguments: [
        #"["within", {"type": "Point", "coordinates": [1, 2]}]"#, #"["within", 5]"#, #"["within"]"#,
        #"["distance", {"type": "Feature"}]"#, #"["distance", {"type": "Nothing"}]"#, #"["distance", "a"]"#,
    ])
    func `invalid geometries are refused`(_ text: String) throws {
        #expect(try faults(of: text) == ["whole"])
    }
}
