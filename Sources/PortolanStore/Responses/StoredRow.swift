import PortolanFetch

/// How an entry is written into columns, and how damage to them is found.
struct StoredRow: Sendable {
    let id: Int64
    let used: Int
    let entry: StoredResponse

    /// The fields, one a line: none can hold a line break (RFC 9110, section 5.5).
    static func text(_ headers: [HTTPHeader]) -> String {
        headers.filter { $0.syntaxFault == nil }.map { "\($0.name): \($0.value)" }.joined(separator: "\n")
    }

    /// The sum of all but the body; it holds the key, so that no entry passes for another.
    static func headSum(_ entry: StoredResponse, text: String, key: StoreKey) -> Int64 {
        let head = "\(entry.status) \(entry.responseTime) \(entry.delay)\n" + text
        return Int64(bitPattern: Checksum.of(key.bytes + Array(head.utf8), seed: 1))
    }

    /// The sum of the body.
    static func bodySum(_ entry: StoredResponse, key: StoreKey) -> Int64 {
        Int64(bitPattern: Checksum.of(entry.body, seed: Checksum.of(key.bytes, seed: 2)))
    }

    static let columns = "entry.id, used, status, headers, time, delay, head_sum, body_sum, bytes"

    /// Reads a row of ``columns``; nil when it is damaged.
    init?(_ row: borrowing SQLiteRow, key: StoreKey) {
        let text = row.text(3)
        let headers = text.split(separator: "\n").compactMap { line -> HTTPHeader? in
            guard let colon = line.utf8.firstIndex(of: UInt8(ascii: ":")) else { return nil }
            return HTTPHeader(
                name: String(line[..<colon]), value: String(line[line.utf8.index(after: colon)...].trimmed))
        }
        let entry = StoredResponse(
            status: row.integer(2), headers: headers, body: row.bytes(8), responseTime: row.integer(4),
            delay: row.integer(5))
        guard Self.headSum(entry, text: text, key: key) == Int64(row.integer(6)),
            Self.bodySum(entry, key: key) == Int64(row.integer(7))
        else { return nil }
        id = Int64(row.integer(0))
        used = row.integer(1)
        self.entry = entry
    }
}
