import Foundation
import PortolanFeatures

/// Files of the project's `Fixtures` that tests read.
enum Fixture {
    static func bytes(_ path: String) throws -> [UInt8] {
        let root = URL(filePath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
            .deletingLastPathComponent()
        return try Array(Data(contentsOf: root.appending(path: "Fixtures/\(path)")))
    }

    static func collection(_ path: String) throws -> FeatureCollection {
        try GeoJSONReader.read(bytes: bytes(path))
    }
}

/// Reads a document written in a test.
func read(_ text: String, limits: FeatureLimits = FeatureLimits()) throws(GeoJSONError) -> FeatureCollection {
    try GeoJSONReader.read(bytes: Array(text.utf8), limits: limits)
}
