import Foundation
import PortolanCodecs
import PortolanRaster
import Testing

/// Files of the folder Fixtures.
enum Fixtures {
    static func bytes(_ path: String) throws -> [UInt8] {
        let folder = URL(filePath: #filePath).deletingLastPathComponent().appending(path: "Fixtures")
        return [UInt8](try Data(contentsOf: folder.appending(path: path)))
    }

    static func value<Value: Decodable>(_ path: String, as type: Value.Type) throws -> Value {
        try JSONDecoder().decode(type, from: Data(try bytes(path)))
    }

    static func picture(_ path: String) throws -> PixelBuffer {
        try ImageDecoders.standard.decode(bytes(path))
    }
}
