import PortolanFeatures
import TestHelpers

extension Fixture {
    static func collection(_ path: String) throws -> FeatureCollection {
        try GeoJSONReader.read(bytes(path))
    }
}

/// Reads a document written in a test.
func read(_ text: String, limits: FeatureLimits = FeatureLimits()) throws(GeoJSONError) -> FeatureCollection {
    try GeoJSONReader.read(Array(text.utf8), limits: limits)
}
