import Foundation

/// Writes a value as JSON for people and scripts: sorted keys, indented, a line end at the end.
enum JSONText {
    static func bytes(_ value: some Encodable) throws(CommandFailure) -> [UInt8] {
        let encoder = JSONEncoder()
        encoder.outputFormatting = [.prettyPrinted, .sortedKeys, .withoutEscapingSlashes]
        do { return [UInt8](try encoder.encode(value)) + [UInt8(ascii: "\n")] } catch {
            throw CommandFailure(.cannotCreate, "the result cannot be written as JSON: \(error)")
        }
    }
}
