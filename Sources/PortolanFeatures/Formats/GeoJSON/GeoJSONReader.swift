/// Reads GeoJSON: RFC 7946, and of its forerunner from 2008 the `crs` member.
///
/// The document may be a feature collection, one feature or a bare geometry; the latter two become a collection of one
/// feature. Members may stand in any order. Old files' faults that leave no doubt are mended with a warning: rings that
/// are not closed, a feature without `properties` or `geometry`, a `bbox` that is none. Coordinates are x east, y north whatever the
/// `crs` says; a `crs` that Portolan does not know is an error, since the features would land in the wrong place.
public enum GeoJSONReader {
    /// Reads a whole document in one pass.
    ///
    /// - Throws: ``GeoJSONError`` with the byte and line of the first fault.
    /// - Complexity: O(*n*) in the bytes; an object whose `type` follows its content is scanned twice.
    public static func read(
        bytes: [UInt8], limits: FeatureLimits = FeatureLimits()
    ) throws(GeoJSONError)
        -> FeatureCollection
    {
        var parser = GeoJSONParser(bytes: bytes, limits: limits)
        return try parser.document(bytes.span)
    }
}
