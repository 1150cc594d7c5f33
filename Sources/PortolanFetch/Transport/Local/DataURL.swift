import PortolanWeb

/// The content of a `data:` URL (RFC 2397).
///
/// The parser is strict: an invalid escape, an invalid base-64 digit or wrong padding is an error with its byte offset.
/// White space inside base 64 is skipped and missing padding accepted, as in browsers.
package struct DataURL: Hashable, Sendable {
    /// The media type with its parameters as written; `text/plain;charset=US-ASCII` if the URL has none.
    package let mediaType: String

    /// The decoded bytes.
    package let bytes: [UInt8]

    /// Parses a `data:` URL of at most `maximumByteCount` decoded bytes.
    ///
    /// - Throws: ``FetchError`` with code `malformedDataURL`, `bodyTooLarge`, or `unsupportedScheme` for another
    ///   scheme.
    package init(_ url: String, maximumByteCount: Int = 64 << 20) throws(FetchError) {
        let text = Array(url.utf8)
        guard text.prefix(5).map(\.asciiLowercased) == Array("data:".utf8) else {
            throw FetchError(.unsupportedScheme, url: url, detail: "not a data: URL")
        }
        guard let comma = text.firstIndex(of: UInt8(ascii: ",")) else {
            throw FetchError(.malformedDataURL, url: url, detail: "missing comma between type and data")
        }
        if let hash = text.firstIndex(of: UInt8(ascii: "#")) {
            let detail = "the # at byte \(hash) would end the data; write it as %23"
            throw FetchError(.malformedDataURL, url: url, detail: detail)
        }
        var type = text[5..<comma]
        let suffix = type.suffix(7).map(\.asciiLowercased)
        let isBase64 = suffix == Array(";base64".utf8)
        if isBase64 { type.removeLast(7) }
        mediaType = try DataURL.mediaType(Array(type), of: url)

        let payload = text[(comma + 1)...]
        // A byte takes at most three characters (%41), or four in base 64 with every digit escaped; the rest allows for
        // white space. Longer text is rejected before it is decoded.
        let (longest, overflow) = maximumByteCount.multipliedReportingOverflow(by: 6)
        if !overflow, payload.count > longest + 64 { throw .bodyTooLarge(url: url, limit: maximumByteCount) }
        if let fault = payload.indices.first(where: { DataURL.isBrokenEscape(text, at: $0) }) {
            let detail = "the % at byte \(fault) is not followed by two hexadecimal digits"
            throw FetchError(.malformedDataURL, url: url, detail: detail)
        }
        let decoded = PercentEncoding.decode(payload) ?? []
        bytes = isBase64 ? try DataURL.base64(decoded, of: url, payloadStart: comma + 1) : decoded
        guard bytes.count <= maximumByteCount else { throw .bodyTooLarge(url: url, limit: maximumByteCount) }
    }

    private static func mediaType(_ bytes: [UInt8], of url: String) throws(FetchError) -> String {
        if bytes.isEmpty { return "text/plain;charset=US-ASCII" }
        // It becomes a header field: printable ASCII only.
        if let offset = bytes.firstIndex(where: { !(0x20...0x7E).contains($0) }) {
            let detail = "unprintable byte \(offset + 5) in the media type"
            throw FetchError(.malformedDataURL, url: url, detail: detail)
        }
        let text = String(decoding: bytes, as: UTF8.self)
        return bytes.first == UInt8(ascii: ";") ? "text/plain" + text : text
    }

    private static func isBrokenEscape(_ text: [UInt8], at index: Int) -> Bool {
        guard text[index] == UInt8(ascii: "%") else { return false }
        guard index + 2 < text.count else { return true }
        return text[index + 1].hexadecimalValue == nil || text[index + 2].hexadecimalValue == nil
    }

    private static func base64(_ text: [UInt8], of url: String, payloadStart: Int) throws(FetchError) -> [UInt8] {
        do throws(Base64.Fault) {
            return try Base64.decode(text)
        } catch {
            let detail =
                switch error {
                case .unexpectedByte(let offset):
                    "byte \(offset) of the data (which begin at byte \(payloadStart)) is not base64"
                case .wrongLength:
                    "the base64 data have an invalid length: cut off, or wrong padding"
                }
            throw FetchError(.malformedDataURL, url: url, detail: detail)
        }
    }
}

/// Handles `data:` URLs, with status 200 and the media type as `Content-Type`.
package struct DataTransport: HTTPTransport {
    /// Creates the transport.
    package init() {}

    /// Returns the content of `request.url`; see ``DataURL`` for errors.
    package func send(_ request: HTTPRequest) async throws(FetchError) -> HTTPResponse {
        if Task.isCancelled { throw .cancelled(url: request.url) }
        let content = try DataURL(request.url, maximumByteCount: request.maximumBodyByteCount)
        let type = HTTPHeader(name: "Content-Type", value: content.mediaType)
        return HTTPResponse(status: 200, headers: [type], body: content.bytes, url: request.url)
    }
}
