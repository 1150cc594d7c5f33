import PortolanWeb

/// A range of the bytes of a file on a server, and the check of the response (RFC 9110, section 14).
package struct ByteRange: Hashable, Sendable {
    /// The reason why a response is not the range.
    package enum Fault: Error, Hashable, Sendable {
        /// The file is another version than the one that earlier ranges are of.
        case changed
        /// The server answers with another status.
        case status(Int)
        /// The range is compressed: a part of a compressed stream cannot be unpacked.
        case encoded(String)
        /// The server sends other bytes than those that were requested.
        case mismatch(String)
    }

    /// The bytes of a range.
    package struct Part: Sendable {
        /// The bytes of the range, or of the whole file; fewer if the file ends in the range.
        package let bytes: [UInt8]
        /// Whether the server ignored the range and sent the whole file.
        package let isWhole: Bool
        /// The version of the file.
        package let version: FileVersion
    }

    /// The first byte and the byte after the last.
    package let bounds: Range<UInt64>

    /// Makes a range, which must not be empty.
    package init(_ bounds: Range<UInt64>) {
        precondition(!bounds.isEmpty, "a range has at least one byte")
        self.bounds = bounds
    }

    /// The fields that request the range of a version.
    package func headers(of version: FileVersion?) -> [HTTPHeader] {
        var headers = [
            HTTPHeader(name: "Range", value: "bytes=\(bounds.lowerBound)-\(bounds.upperBound - 1)"),
            HTTPHeader(name: "Accept-Encoding", value: "identity"),
        ]
        if let condition = version?.condition { headers.append(condition) }
        return headers
    }

    /// The bytes in a response.
    ///
    /// - Parameter version: the version of earlier ranges, or `nil` for the first one.
    package func part(of response: HTTPResponse, version: FileVersion?) throws(Fault) -> Part {
        switch response.status {
        case 200:
            return try part(response, nil, isWhole: true, byteCount: UInt64(response.body.count), of: version)
        case 206: break
        case 412: throw .changed
        default: throw .status(response.status)
        }
        if let encoding = response.header("Content-Encoding"), encoding.lowercased() != "identity" {
            throw .encoded(encoding.inOneLine(limit: 100))
        }
        guard let field = response.header("Content-Range"), let sent = Self.contentRange(field) else {
            throw .mismatch("the response with status 206 has no valid Content-Range")
        }
        return try part(response, sent.range, isWhole: false, byteCount: sent.total, of: version)
    }

    private func part(
        _ response: HTTPResponse, _ sent: Range<UInt64>?, isWhole: Bool, byteCount: UInt64?, of version: FileVersion?
    ) throws(Fault) -> Part {
        let found = FileVersion(
            tag: response.header("ETag"), modified: response.header("Last-Modified"), byteCount: byteCount)
        if let version, !found.matches(version) { throw .changed }
        if let sent {
            // A shorter range is right only where the file ends.
            guard sent.lowerBound == bounds.lowerBound, sent.upperBound <= bounds.upperBound,
                sent.upperBound == bounds.upperBound || sent.upperBound == byteCount,
                UInt64(response.body.count) == sent.upperBound - sent.lowerBound
            else {
                throw .mismatch(
                    "bytes \(bounds.lowerBound) to \(bounds.upperBound - 1) were requested, and the server sent "
                        + "\(response.body.count) bytes as \(sent.lowerBound) to \(sent.upperBound - 1)")
            }
        }
        return Part(bytes: response.body, isWhole: isWhole, version: found)
    }

    /// The range and the length in a `Content-Range` (section 14.4).
    private static func contentRange(_ field: String) -> (range: Range<UInt64>, total: UInt64?)? {
        let words = field.split(separator: " ", maxSplits: 1)
        guard words.count == 2, words[0].lowercased() == "bytes" else { return nil }
        let parts = words[1].split(separator: "/", omittingEmptySubsequences: false)
        guard parts.count == 2, let (first, last) = ends(parts[0].trimmed), first <= last, last < UInt64(Int64.max)
        else { return nil }
        let total = parts[1].trimmed
        if total == "*" { return (first..<(last + 1), nil) }
        guard let count = UInt64(total), last < count else { return nil }
        return (first..<(last + 1), count)
    }

    private static func ends(_ text: Substring) -> (UInt64, UInt64)? {
        let ends = text.split(separator: "-", omittingEmptySubsequences: false)
        guard ends.count == 2, let first = UInt64(ends[0]), let last = UInt64(ends[1]) else { return nil }
        return (first, last)
    }
}
