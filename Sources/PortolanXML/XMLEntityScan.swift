#if !(Drivers && os(Linux))
/// Finds the document type declaration and entity references of a document, for a parser that receives it without them.
struct XMLEntityScan {
    private static let predefined: Set<String> = ["amp", "lt", "gt", "quot", "apos"]
    /// The sections that are not searched, by their start and end.
    private static let sections: [(open: [UInt8], close: [UInt8])] = [
        (Array("<!--".utf8), Array("-->".utf8)), (Array("<![CDATA[".utf8), Array("]]>".utf8)),
        (Array("<?".utf8), Array("?>".utf8)),
    ]

    private let bytes: ArraySlice<UInt8>
    private let firstLine: Int
    /// The range of the document type declaration, or `nil` if not present.
    private(set) var documentType: Range<Int>?
    /// The error of the declaration: it uses a parameter entity, or does not end.
    private var documentTypeFault: XMLError?

    init(_ input: XMLInput) {
        bytes = input.bytes[input.start...]
        firstLine = input.firstLine
        guard let start = Self.startOfDocumentType(in: bytes) else { return }
        readDocumentType(from: start)
    }

    /// The reason to refuse a document with a document type declaration: its error, or the first entity reference, or
    /// `nil`.
    var fault: XMLError? { documentTypeFault ?? (documentType == nil ? nil : firstUse) }

    /// The first reference to an entity not predefined in XML, as an error with its line, or `nil`.
    ///
    /// - Complexity: O(*n*) in the length of the document.
    var firstUse: XMLError? {
        var place = documentType?.upperBound ?? bytes.startIndex
        while let next = bytes[place...].firstIndex(where: { $0 == UInt8(ascii: "<") || $0 == UInt8(ascii: "&") }) {
            if bytes[next] == UInt8(ascii: "<") {
                place = Self.endOfSection(in: bytes, at: next) ?? next + 1
            } else {
                if let name = name(after: next), name.first != "#", !Self.predefined.contains(name) {
                    return error(name, at: next)
                }
                place = next + 1
            }
        }
        return nil
    }

    /// Throws if a comment after the document type declaration does not end, or contains two hyphens.
    ///
    /// - Complexity: O(*n*) in the length of the document.
    func checkComments() throws(XMLError) {
        var place = documentType?.upperBound ?? bytes.startIndex
        while let start = bytes[place...].firstIndex(of: UInt8(ascii: "<")) {
            guard let end = Self.endOfSection(in: bytes, at: start) else {
                place = start + 1
                continue
            }
            place = end
            guard bytes[start...].starts(with: "<!--".utf8) else { continue }
            // The first two hyphens must end it.
            let hyphens = bytes[(start + 4)...].firstRange(of: [UInt8(ascii: "-"), UInt8(ascii: "-")])
            guard let hyphens, bytes[hyphens.upperBound...].first == UInt8(ascii: ">") else {
                throw XMLError(
                    .notWellFormed("a comment contains '--' or is not closed"),
                    line: line(of: hyphens?.lowerBound ?? start))
            }
        }
    }

    private func error(_ name: String, at place: Int) -> XMLError { XMLError(.entity(name), line: line(of: place)) }

    private func line(of place: Int) -> Int { firstLine + bytes[..<place].count { $0 == 0x0A } }

    /// Returns the name of a reference, or `nil` if there is no reference at the index.
    private func name(after place: Int) -> String? {
        let text = bytes[(place + 1)...].prefix(200)
        guard let end = text.firstIndex(of: UInt8(ascii: ";")), end > place + 1 else { return nil }
        let name = text[..<end]
        let isName = name.allSatisfy { byte in byte > 0x20 && !"<>&\"'%".utf8.contains(byte) }
        return isName ? String(decoding: name, as: UTF8.self) : nil
    }

    /// Finds the end of the document type declaration, and its errors.
    private mutating func readDocumentType(from start: Int) {
        var place = start + 1, depth = 0
        while place < bytes.endIndex {
            switch bytes[place] {
            case UInt8(ascii: "\""), UInt8(ascii: "'"):
                place = bytes[(place + 1)...].firstIndex(of: bytes[place]) ?? bytes.endIndex
            case UInt8(ascii: "<"):
                if let end = Self.endOfSection(in: bytes, at: place) { place = end - 1 }
            case UInt8(ascii: "["): depth += 1
            case UInt8(ascii: "]"): depth -= 1
            case UInt8(ascii: ">") where depth <= 0:
                documentType = start..<(place + 1)
                return
            case UInt8(ascii: "%"):
                if let name = name(after: place) {
                    documentTypeFault = error("%" + name, at: place)
                    return
                }
            default: break
            }
            place += 1
        }
        documentTypeFault = XMLError(
            .notWellFormed("the document type declaration is not closed"), line: line(of: start))
    }

    /// Returns the start of the document type declaration, which precedes the root element among comments and
    /// instructions.
    private static func startOfDocumentType(in bytes: ArraySlice<UInt8>) -> Int? {
        var place = bytes.startIndex
        while let start = bytes[place...].firstIndex(of: UInt8(ascii: "<")) {
            if bytes[start...].starts(with: "<!DOCTYPE".utf8) { return start }
            guard let end = endOfSection(in: bytes, at: start) else { return nil }
            place = end
        }
        return nil
    }

    /// Returns the end of a comment, section or instruction that begins at an index, or `nil`; without an end it takes
    /// the rest.
    private static func endOfSection(in bytes: ArraySlice<UInt8>, at place: Int) -> Int? {
        let rest = bytes[place...]
        guard let section = sections.first(where: { rest.starts(with: $0.open) }) else { return nil }
        return rest.dropFirst(section.open.count).firstRange(of: section.close)?.upperBound ?? bytes.endIndex
    }
}
#endif
