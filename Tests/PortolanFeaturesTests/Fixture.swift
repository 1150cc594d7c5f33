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

/// Numbers that are the same in each run (SplitMix64, Steele and others 2014).
struct SeededGenerator: RandomNumberGenerator {
    private var state: UInt64

    init(seed: UInt64) { state = seed }

    mutating func next() -> UInt64 {
        state &+= 0x9E37_79B9_7F4A_7C15
        var z = state
        z = (z ^ (z >> 30)) &* 0xBF58_476D_1CE4_E5B9
        z = (z ^ (z >> 27)) &* 0x94D0_49BB_1331_11EB
        return z ^ (z >> 31)
    }
}

/// Reads a document written in a test.
func read(_ text: String, limits: GeoJSONLimits = GeoJSONLimits()) throws(GeoJSONError) -> FeatureCollection {
    try GeoJSONReader.read(bytes: Array(text.utf8), limits: limits)
}
