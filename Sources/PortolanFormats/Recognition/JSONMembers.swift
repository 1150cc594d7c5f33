import PortolanFeatures

/// The top-level members at the start of a JSON document: names, and text values.
struct JSONMembers {
    /// The names, in order.
    private(set) var names: [String] = []
    private var texts: [String: String] = [:]

    /// The maximum number of names.
    private static let mostNames = 100

    /// Scans the start of a document, which may be truncated.
    ///
    /// - Complexity: linear in the bytes.
    init(_ head: ArraySlice<UInt8>) {
        var depth = 0, isName = false, name: String?
        var index = head.startIndex
        while index < head.endIndex, names.count < Self.mostNames {
            let byte = head[index]
            index += 1
            switch byte {
            case UInt8(ascii: "\""):
                let start = index
                while index < head.endIndex, head[index] != UInt8(ascii: "\"") {
                    index += head[index] == UInt8(ascii: "\\") ? 2 : 1
                }
                guard index < head.endIndex else { return }
                let text = head[start..<index]
                index += 1
                guard depth == 1 else { continue }
                if isName {
                    name = String(decoding: text.prefix(100), as: UTF8.self)
                    names.append(name ?? "")
                } else if let name, texts[name] == nil {
                    texts[name] = String(decoding: text.prefix(200), as: UTF8.self)
                }
                isName = false
            case UInt8(ascii: "{"):
                depth += 1
                if depth == 1 { isName = true }
            case UInt8(ascii: "["):
                // A top-level array has no members.
                if depth == 0 { return }
                depth += 1
            case UInt8(ascii: "}"), UInt8(ascii: "]"):
                depth -= 1
                if depth == 0 { return }
            case UInt8(ascii: ","): if depth == 1 { isName = true }
            default: break
            }
        }
    }

    /// Returns whether a member exists.
    func has(_ name: String) -> Bool { names.contains(name) }

    /// Returns the text value of a member, or `nil`.
    subscript(_ name: String) -> String? { texts[name] }
}
