#if os(Linux)
/// Status and header fields, put together from the lines libcurl hands over.
struct CurlResponseHead {
    /// The most bytes of header taken, over all interim responses and trailers.
    static let maximumByteCount = 256 << 10

    private(set) var status: Int?
    private(set) var headers: [HTTPHeader] = []
    private var byteCount = 0
    private var isComplete = false

    var hasLocation: Bool { headers.contains { $0.isNamed("Location") } }

    var contentLength: Int? {
        headers.first { $0.isNamed("Content-Length") }.flatMap { Int($0.value) }.flatMap { $0 >= 0 ? $0 : nil }
    }

    /// Takes one line with its line end; false when that would be too much.
    mutating func append(line: [UInt8]) -> Bool {
        byteCount += line.count
        guard byteCount <= CurlResponseHead.maximumByteCount else { return false }
        let content = line[..<((line.lastIndex { $0 != 0x0D && $0 != 0x0A } ?? -1) + 1)]
        if content.isEmpty {
            isComplete = true
        } else if content.starts(with: "HTTP/".utf8) {
            // A status line; after an interim response (1xx) or a proxy's the real one begins anew.
            let fields = content.split(separator: 0x20, maxSplits: 2)
            status = fields.count > 1 ? Int(String(decoding: fields[1], as: UTF8.self)) : nil
            headers = []
            isComplete = false
        } else if !isComplete, let colon = content.firstIndex(of: UInt8(ascii: ":")) {
            let name = String(decoding: content[..<colon], as: UTF8.self)
            headers.append(HTTPHeader(name: name, value: CurlResponseHead.value(content[(colon + 1)...])))
        }
        return true
    }

    private static func value(_ bytes: ArraySlice<UInt8>) -> String {
        func isText(_ byte: UInt8) -> Bool { byte != 0x20 && byte != 0x09 }
        guard let first = bytes.firstIndex(where: isText), let last = bytes.lastIndex(where: isText) else { return "" }
        return String(decoding: bytes[first...last], as: UTF8.self)
    }
}
#endif
