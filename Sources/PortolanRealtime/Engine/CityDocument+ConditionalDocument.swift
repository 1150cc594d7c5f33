public import Foundation
public import PortolanFetch
import PortolanWeb

extension CityDocument {
    /// A document with validators for conditional requests (RFC 9110, section 13).
    public struct ConditionalDocument: Hashable, Sendable {
        /// The document.
        public let body: [UInt8]
        /// The media type, such as "application/json".
        public let contentType: String
        /// The time of the last change, in whole seconds.
        public let modified: Date
        /// The strong entity tag of the content, in quotes.
        public let entityTag: String

        /// Creates a document.
        ///
        /// An invalid date counts as 1970.
        ///
        /// - Complexity: O(*n*) in the number of bytes.
        public init(_ body: [UInt8], contentType: String = "application/json", modified: Date) {
            self.body = body
            self.contentType = contentType
            self.modified = Date(timeIntervalSince1970: Double(ISOTime.seconds(modified) ?? 0))
            let digits = Array("0123456789abcdef")
            entityTag =
                "\"" + String(SHA256.hash(body).prefix(12).flatMap { [digits[Int($0 >> 4)], digits[Int($0 & 15)]] })
                + "\""
        }

        /// The time of the last change in the form of the `Last-Modified` field.
        public var lastModified: String { HTTPDate.text(of: ISOTime.seconds(modified) ?? 0) }

        /// Returns the response to a request: the document, or status 304 if the client has it.
        ///
        /// Entity tags take precedence over dates and are compared weakly. Invalid dates are ignored.
        ///
        /// - Parameter headers: the header fields of the request.
        public func answer(to headers: [HTTPHeader], url: String) -> HTTPResponse {
            let fields = [
                HTTPHeader(name: "ETag", value: entityTag), HTTPHeader(name: "Last-Modified", value: lastModified),
                HTTPHeader(name: "Cache-Control", value: "no-cache"),
            ]
            if isKnown(to: headers) { return HTTPResponse(status: 304, headers: fields, url: url) }
            return HTTPResponse(
                status: 200, headers: fields + [HTTPHeader(name: "Content-Type", value: contentType)], body: body,
                url: url)
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
            guard
                let since = headers.first(where: { $0.isNamed("If-Modified-Since") }).flatMap({
                    HTTPDate.read($0.value)
                })
            else { return false }
            return (ISOTime.seconds(modified) ?? 0) <= since
        }
    }
}
