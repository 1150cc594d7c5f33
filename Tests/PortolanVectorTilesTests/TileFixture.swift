import Foundation
import Testing

/// The packed fixtures of this target.
enum TileFixture {
    struct MVT: Decodable, Sendable, CustomTestStringConvertible {
        let name: String, description: String, bytes: Data
        let v1: Bool, v2: Bool
        let error: String?
        let layers: [JSONValue]
        var testDescription: String { "\(name) \(description.prefix(60))" }
    }

    struct MLT: Decodable, Sendable, CustomTestStringConvertible {
        let name: String, bytes: Data
        let features: [JSONValue]
        var testDescription: String { name }
    }

    struct Twins: Decodable, Sendable, CustomTestStringConvertible {
        let name: String, mvt: Data, mlt: Data
        var testDescription: String { name }
    }

    struct FastPFOR: Decodable, Sendable, CustomTestStringConvertible {
        let name: String
        let encoded: [UInt32], decoded: [UInt32]
        var testDescription: String { name }
    }

    static let mvt: [MVT] = read("mvt-fixtures")
    static let mlt: [MLT] = read("mlt-synthetic")
    static let twins: [Twins] = read("mlt-twins")
    static let fastPFOR: [FastPFOR] = read("fastpfor")

    private static func read<Case: Decodable>(_ name: String) -> [Case] {
        let folder = URL(filePath: #filePath).deletingLastPathComponent().appending(path: "Fixtures")
        guard let data = try? Data(contentsOf: folder.appending(path: name + ".json")) else { return [] }
        return (try? JSONDecoder().decode([Case].self, from: data)) ?? []
    }
}
