internal import PortolanGeo

/// Writes GeoJSON as RFC 7946 has it: outer rings counter-clockwise, holes clockwise, numbers in shortest decimals.
///
/// Properties and foreign members are written in their order. A `crs` member in the form of 2008 is written only when the
/// coordinates are not longitude and latitude on WGS 84. Coordinates that are not finite are left out, and numbers of
/// properties that are not finite become `null`, since JSON cannot hold them.
public enum GeoJSONWriter {
    /// The document of a collection, in UTF-8 on one line.
    public static func write(_ collection: FeatureCollection) -> [UInt8] {
        var output = GeoJSONOutput()
        output.add("{\"type\":\"FeatureCollection\"")
        if let crs = collection.crs, crs != .crs84, crs != .epsg4326 {
            let parts = crs.name.split(separator: ":")
            output.add(",\"crs\":{\"type\":\"name\",\"properties\":{\"name\":")
            output.string(parts.count == 2 ? "urn:ogc:def:crs:\(parts[0])::\(parts[1])" : crs.name)
            output.add("}}")
        }
        output.bounds(collection.declaredBounds)
        output.members(collection.foreignMembers, except: ["type", "crs", "bbox", "features"])
        output.add(",\"features\":[")
        for (index, feature) in collection.features.enumerated() {
            if index > 0 { output.add(",") }
            output.feature(feature)
        }
        output.add("]}")
        return output.bytes
    }

    /// The document of one feature, in UTF-8 on one line.
    public static func write(_ feature: Feature) -> [UInt8] {
        var output = GeoJSONOutput()
        output.feature(feature)
        return output.bytes
    }

    /// The document of a bare geometry, in UTF-8 on one line.
    public static func write(_ geometry: Geometry) -> [UInt8] {
        var output = GeoJSONOutput()
        output.geometry(geometry)
        return output.bytes
    }
}
