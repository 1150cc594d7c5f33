import PortolanWeb
import PortolanXML

/// Reads error responses in place of images.
///
/// Supported are the four forms of exceptions (OGC 06-042 annex E.2, OGC 01-068r3 annex A.3, OGC 00-028, OGC 06-121r9
/// clause 8) with any namespace, prefix, encoding and content type, HTML pages, and plain text. The status and content
/// type are ignored in favour of the first bytes.
package enum ServiceExceptionReader {
    /// The maximum number of examined bytes.
    private static let bodyLimit = 1 << 20
    /// The maximum length of a message.
    private static let textLimit = 2000

    /// Returns the exception in `body`, or `nil` if it is an image.
    ///
    /// - Parameter contentType: the declared type, which is named in the message for an unreadable body.
    /// - Complexity: linear in the length of the body, up to 1 MiB.
    package static func read(_ body: [UInt8], contentType: String? = nil) -> ServiceException? {
        if ContentKind(recognizing: body)?.isRaster == true { return nil }
        let bytes = withoutHeader(body.count > bodyLimit ? Array(body.prefix(bodyLimit)) : body)
        guard bytes.contains(where: { $0 > 0x20 }) else {
            return ServiceException(shape: .text, entries: [.init(code: nil, text: "the response is empty")])
        }
        let reader = XMLReader(limits: XMLLimits(byteCount: 4 * bodyLimit, depth: 100, elementCount: 100_000))
        // Anything that is not well-formed is treated as a page or text, without loss.
        if let root = (try? reader.wellFormedTree(of: bytes))?.root {
            if root.name.lowercased() == "svg" { return nil }
            if root.name.lowercased() != "html" {
                let found = exception(from: root)
                return found.hasWords ? found : found.adding(reasonInComment(of: bytes))
            }
        }
        return words(in: bytes, contentType: contentType)
    }

    /// Returns the exception in place of a document, recognized as a standard report by its root element.
    ///
    /// - Complexity: O(1) for other documents.
    package static func report(in body: [UInt8]) -> ServiceException? {
        guard let root = XMLRoot(body.prefix(4096)),
            ["serviceexceptionreport", "serviceexception", "wmtexception", "exceptionreport"]
                .contains(root.name.lowercased())
        else { return nil }
        return read(body)
    }

    /// Returns the first comment, where MapCache writes the reason, or an empty string.
    private static func reasonInComment(of bytes: [UInt8]) -> String {
        let text = ReadableText.decode(bytes)
        guard let start = text.firstRange(of: "<!--"), let end = text[start.upperBound...].firstRange(of: "-->") else {
            return ""
        }
        return ReadableText.line(String(text[start.upperBound..<end.lowerBound]), limit: textLimit)
    }

    /// Returns the exception in an XML document.
    static func exception(from root: XMLElement) -> ServiceException {
        let name = root.name.lowercased()
        if name == "wmtexception" {
            return ServiceException(shape: .wmtException, entries: [entry(code: nil, locator: nil, text: root.allText)])
        }
        let shape: ServiceException.Shape =
            switch name {
            case "serviceexceptionreport", "serviceexception": .serviceExceptionReport
            case "exceptionreport": .owsExceptionReport
            default: .xml
            }
        let elements =
            name == "serviceexception"
            ? [root]
            : root.children.filter { ["serviceexception", "exception"].contains($0.name.lowercased()) }
        var entries = elements.map { element in
            entry(
                code: element.attribute("code", ignoringCase: true)
                    ?? element.attribute("exceptionCode", ignoringCase: true),
                locator: element.attribute("locator", ignoringCase: true), text: element.allText)
        }
        if entries.isEmpty {
            let text = root.allText
            let isError = shape != .xml || name.contains("error") || name.contains("exception")
            let words = isError && !text.isEmpty ? text : "the response is an XML document <\(root.name)> \(text)"
            entries = [entry(code: nil, locator: nil, text: words)]
        }
        return ServiceException(shape: shape, entries: entries)
    }

    private static func entry(code: String?, locator: String?, text: String) -> ServiceException.Entry {
        let code = ReadableText.line(code ?? "", limit: 200), locator = ReadableText.line(locator ?? "", limit: 200)
        let words = ReadableText.line(text, limit: textLimit)
        return ServiceException.Entry(
            code: code.isEmpty ? nil : ServiceException.Code(rawValue: code), locator: locator.isEmpty ? nil : locator,
            text: words)
    }

    /// Returns the body without the header that some server programs print a second time.
    private static func withoutHeader(_ body: [UInt8]) -> [UInt8] {
        guard body.starts(with: Array("Content-".utf8)) else { return body }
        let head = body.prefix(2048)
        for index in head.indices.dropLast() where head[index] == 0x0A {
            if head[index + 1] == 0x0A { return Array(body[(index + 2)...]) }
            if head[index + 1] == 0x0D, index + 2 < head.count, head[index + 2] == 0x0A {
                return Array(body[(index + 3)...])
            }
        }
        return body
    }

    private static func words(in bytes: [UInt8], contentType: String?) -> ServiceException {
        let text = ReadableText.decode(bytes)
        let start = text.prefix(1024).lowercased()
        let isMarkup = ["<html", "<!doctype html", "<head", "<body"].contains { start.contains($0) }
        if isMarkup || start.trimmingSpace().hasPrefix("<") {
            let page = MarkupText(text)
            let line = ReadableText.line(page.summary, limit: isMarkup ? 400 : textLimit)
            if !line.isEmpty {
                return ServiceException(
                    shape: isMarkup ? .html : .xml, entries: [.init(code: nil, text: line)])
            }
        }
        if let line = ReadableText.readableLine(text, limit: 200) {
            // Markup without text is not a useful message.
            return ServiceException(
                shape: start.trimmingSpace().hasPrefix("<") ? .xml : .text, entries: [.init(code: nil, text: line)])
        }
        let type = contentType.map { " declared as \($0.prefix(80))" } ?? ""
        let first = bytes.prefix(8).map { ($0 < 16 ? "0" : "") + String($0, radix: 16, uppercase: true) }
        let description =
            "the response is neither an image nor text: \(bytes.count) bytes\(type), beginning "
            + first.joined(separator: " ")
        return ServiceException(shape: .text, entries: [.init(code: nil, text: description)])
    }
}

extension ServiceException {
    /// Whether there are messages in addition to codes.
    fileprivate var hasWords: Bool { entries.contains { !$0.text.isEmpty } }

    /// Returns the exception with a message for its first problem.
    fileprivate func adding(_ words: String) -> ServiceException {
        var entries = entries
        entries[0] = Entry(code: entries[0].code, locator: entries[0].locator, text: words)
        return ServiceException(shape: shape, entries: entries)
    }
}
