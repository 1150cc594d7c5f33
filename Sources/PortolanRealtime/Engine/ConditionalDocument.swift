public import Foundation
public import PortolanFetch
import PortolanWeb

/// A document that a server gives to those who do not have it yet (RFC 9110, section 13).
public struct ConditionalDocument: Hashable, Sendable {
    /// The document.
    public let body: [UInt8]
    /// What it is, as "application/json".
    public let contentType: String
    /// When it was made, in whole seconds.
    public let modified: Date
    /// The tag of this very content: strong, in quotes.
    public let entityTag: String

    /// Makes a document; what is no time counts as 1970.
    ///
    /// - Complexity: O(*n*) in the bytes.
    public init(_ body: [UInt8], contentType: String = "application/json", modified: Date) {
        self.body = body
        self.contentType = contentType
        self.modified = Date(timeIntervalSince1970: Double(ISOTime.seconds(modified) ?? 0))
        let digits = Array("0123456789abcdef")
        entityTag =
            "\"" + String(SHA256.hash(body).prefix(12).flatMap { [digits[Int($0 >> 4)], digits[Int($0 & 15)]] }) + "\""
    }

    /// When it was made, as `Last-Modified` has it.
    public var lastModified: String { HTTPDate.text(of: ISOTime.seconds(modified) ?? 0) }

    /// The answer to a request: the document, or 304 where who asks has it.
    ///
    /// Tags go before times, and are compared weakly; a time that cannot be read is passed over.
    ///
    /// - Parameter headers: of the request.
    public func answer(to headers: [HTTPHeader], url: String) -> HTTPResponse {
        let fields = [
            HTTPHeader(name: "ETag", value: entityTag), HTTPHeader(name: "Last-Modified", value: lastModified),
            HTTPHeader(name: "Cache-Control", value: "no-cache"),
        ]
        if isKnown(to: headers) { return HTTPResponse(status: 304, headers: fields, url: url) }
        return HTTPResponse(
            status: 200, headers: fields + [HTTPHeader(name: "Content-Type", value: contentType)], body: body, url: url)
    }

    private func isKnown(to headers: [HTTPHeader]) -> Bool {
        let tags = headers.filter { $0.isNamed("If-None-Match") }
        if !tags.isEmpty {
            return tags.flatMap { $0.value.split(separator: ",") }.contains { tag in
                let text = tag.drop { $0 == " " || $0 == "\t" }
                let bare = text.hasPrefix("W/") ? text.dropFirst(2) : text
                return bare.prefix { $0 != " " && $0 != "\t" } == entityTag[...] || bare == "*"
            }
        }
        guard let since = headers.first(where: { $0.isNamed("If-Modified-Since") }).flatMap({ HTTPDate.read($0.value) })
        else { return false }
        return (ISOTime.seconds(modified) ?? 0) <= since
    }
}
