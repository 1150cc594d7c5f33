/// The separator and the column names of a text table.
struct CSVHeader {
    /// The separator.
    let mark: UInt8
    /// The names of all columns.
    let names: [String]
    /// The offset of the header line.
    private let start: Int

    /// Reads the header line, or returns `nil` if the bytes do not begin like a table.
    ///
    /// - Parameter bytes: the table, or its start, in UTF-8.
    init?(_ bytes: [UInt8]) {
        var start = 0, said: UInt8?
        // Excel uses a line that states the separator.
        if bytes.count > 5, String(decoding: bytes[..<4], as: UTF8.self).lowercased() == "sep=" {
            said = bytes[4]
            start = bytes.firstIndex(of: 0x0A).map { $0 + 1 } ?? bytes.count
        }
        guard let line = CSVRows.header(of: bytes[start...]), let first = line.first,
            ![0x3C, 0x7B, 0x5B].contains(first)
        else {
            return nil
        }
        let marks = [UInt8(ascii: ","), UInt8(ascii: ";"), UInt8(ascii: "\t"), UInt8(ascii: "|")]
        let counts = marks.map { mark in line.count { $0 == mark } }
        guard let most = counts.max(), let place = counts.firstIndex(of: most) else { return nil }
        mark = said ?? marks[place]
        self.start = start
        var rows = CSVRows(bytes, mark: mark, from: start)
        guard let names = rows.next() else { return nil }
        self.names = names
    }

    /// Returns the rows after the header.
    func rows(of bytes: [UInt8]) -> CSVRows {
        var rows = CSVRows(bytes, mark: mark, from: start)
        _ = rows.next()
        return rows
    }

    /// The names, distinct: duplicate or empty ones get a number.
    var distinctNames: [String] {
        var known: Set<String> = []
        return names.enumerated().map { index, name in
            let free = name.isEmpty || known.contains(name) ? "\(name)_\(index + 1)" : name
            known.insert(free)
            return free
        }
    }
}
