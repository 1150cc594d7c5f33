extension Geometry.Kind {
    /// The kind that RFC 7946 calls `geoJSONName`, or `nil` when it is none of the seven.
    init?(geoJSONName: String) {
        guard let kind = Self.allCases.first(where: { $0.geoJSONName == geoJSONName }) else { return nil }
        self = kind
    }

    /// The value of a geometry's `type` member.
    var geoJSONName: String {
        switch self {
        case .point: "Point"
        case .multiPoint: "MultiPoint"
        case .lineString: "LineString"
        case .multiLineString: "MultiLineString"
        case .polygon: "Polygon"
        case .multiPolygon: "MultiPolygon"
        case .collection: "GeometryCollection"
        }
    }
}
