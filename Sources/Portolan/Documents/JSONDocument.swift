import PortolanFeatures
import PortolanWeb

/// Reads and writes JSON documents other than GeoJSON.
enum JSONDocument {
    /// Returns the members of the top-level object.
    ///
    /// The size limit is that of map documents.
    static func object(in bytes: [UInt8], from place: String) throws(DocumentError) -> Properties {
        let limit = MapDocument.maximumByteCount
        guard bytes.count <= limit else { throw DocumentError(.tooLarge(limit: limit), in: place) }
        func error(_ words: String, line: Int? = nil) -> DocumentError {
            DocumentError(.json(words, line: line), in: place)
        }
        let text = bytes.withoutByteOrderMark
        guard let first = text.first(where: { $0 > 0x20 }) else { throw error("the document is empty") }
        guard first == UInt8(ascii: "{") else { throw error("not a JSON object: it does not begin with '{'") }
        let read: PropertyValue
        do { read = try JSONReader.value(bytes: bytes) } catch let fault { throw error(fault.detail, line: fault.line) }
        guard let members = read.objectValue else { throw error("not a JSON object") }
        return members
    }

    /// Returns the members as JSON, with one line per member and per object in a list.
    static func bytes(of members: Properties) -> [UInt8] {
        func text(_ value: PropertyValue) -> String { String(decoding: GeoJSONWriter.json(value), as: UTF8.self) }
        let lines = members.map { member -> String in
            let name = text(.string(member.name))
            guard case .array(let list) = member.value, list.contains(where: { $0.objectValue != nil }) else {
                return "  \(name): \(text(member.value))"
            }
            return "  \(name): [\n    \(list.map(text).joined(separator: ",\n    "))\n  ]"
        }
        return Array((lines.isEmpty ? "{}\n" : "{\n" + lines.joined(separator: ",\n") + "\n}\n").utf8)
    }
}
