import PortolanFetch

/// How an entry is written into columns, and how damage to them is found.
struct StoredRow: Sendable {
    let id: Int64
    let used: Int
    let entry: StoredResponse

    /// The sum of all but the body; it holds the key, so that no entry passes for another.
    static func headSum(_ entry: StoredResponse, text: String, key: StoreKey) -> Int64 {
        let head = "\(entry.status) \(entry.responseTime) \(entry.delay)\n" + text
        return Int64(bitPattern: Checksum.of(key.bytes + Array(head.utf8), seed: 1))
    }

    static let columns = "entry.id, used, status, headers, time, delay, head_sum, body_sum, bytes"

    /// Reads a row of ``columns``; nil when it is damaged.
    init?(_ row: borrowing SQLiteRow, key: StoreKey) {
        let text = row.text(3)
        let entry = StoredResponse(
            status: row.integer(2), headers: StoredResponse.headers(in: text), body: row.bytes(8),
            responseTime: row.integer(4), delay: row.integer(5))
        guard Self.headSum(entry, text: text, key: key) == Int64(row.integer(6)),
            Int64(bitPattern: entry.bodySum(for: key)) == Int64(row.integer(7))
        else { return nil }
        id = Int64(row.integer(0))
        used = row.integer(1)
        self.entry = entry
    }
}
