import PortolanWeb

/// What stores of any kind write of an entry beside its body.
extension StoredResponse {
    /// The header fields, one a line: none can hold a line break (RFC 9110, section 5.5).
    package var headerText: String {
        headers.filter { $0.syntaxFault == nil }.map { "\($0.name): \($0.value)" }.joined(separator: "\n")
    }

    /// Reads header fields that ``headerText`` has written.
    package static func headers(in text: String) -> [HTTPHeader] {
        text.split(separator: "\n").compactMap { line -> HTTPHeader? in
            guard let colon = line.utf8.firstIndex(of: UInt8(ascii: ":")) else { return nil }
            return HTTPHeader(
                name: String(line[..<colon]), value: String(line[line.utf8.index(after: colon)...].trimmed))
        }
    }

    /// The sum of the body; it holds the key, so that no entry passes for another.
    package func bodySum(for key: StoreKey) -> UInt64 { Checksum.of(body, seed: Checksum.of(key.bytes, seed: 2)) }
}
