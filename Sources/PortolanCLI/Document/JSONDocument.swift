import Portolan
import PortolanWeb

/// Reads JSON documents other than GeoJSON with the reader of GeoJSON, which tells the line of a fault.
enum JSONDocument {
    /// A feature whose properties are the document: of these, any JSON is allowed.
    private static let head = #"{"type":"Feature","geometry":null,"properties":"#

    /// The members of the object that the document is.
    static func object(in bytes: [UInt8], from path: String) throws(CommandFailure) -> Properties {
        let text = bytes.withoutByteOrderMark
        guard let first = text.first(where: { $0 > 0x20 }) else {
            throw CommandFailure(.badData, "\(path): the document is empty")
        }
        guard first == UInt8(ascii: "{") else {
            throw CommandFailure(.badData, "\(path): this is no JSON object; it does not begin with '{'")
        }
        do {
            let read = try GeoJSONReader.read(bytes: Array(head.utf8) + text + [UInt8(ascii: "}")])
            guard let feature = read.features.first, feature.id == nil, feature.foreignMembers.isEmpty else {
                throw CommandFailure(.badData, "\(path): something follows the end of the document")
            }
            return feature.properties
        } catch let error as GeoJSONError {
            throw CommandFailure(.badData, "\(path): line \(error.line): \(error.detail)")
        } catch let failure as CommandFailure { throw failure } catch {
            throw CommandFailure(.badData, "\(path): \(error)")
        }
    }
}

extension PropertyValue {
    /// The value as an option's text, lists with commas; `nil` for objects, null and lists of them.
    var optionText: String? {
        switch self {
        case .array(let values):
            let texts = values.compactMap(\.optionText)
            return texts.count == values.count ? texts.joined(separator: ",") : nil
        default: return displayText
        }
    }
}
