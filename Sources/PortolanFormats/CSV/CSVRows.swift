import PortolanFeatures

/// The rows of a table in text (RFC 4180): values in quotes may hold marks, line ends, and quotes twice.
struct CSVRows {
    private let bytes: [UInt8]
    private let mark: UInt8
    private var index = 0
    private var nextLine = 1
    /// The line on which the last row begins, from 1.
    private(set) var line = 1
    /// Whether the last row is a line without anything in it.
    private(set) var isBlank = false

    init(_ bytes: [UInt8], mark: UInt8, from start: Int = 0) {
        self.bytes = bytes
        self.mark = mark
        index = start
        // A line before the names says the mark.
        if start > 0 { nextLine = 2 }
    }

    /// The first line, its quoted parts aside; `nil` where there is none.
    static func header(of bytes: ArraySlice<UInt8>) -> [UInt8]? {
        var line: [UInt8] = []
        var isQuoted = false
        for byte in bytes.prefix(1 << 16) {
            if byte == UInt8(ascii: "\"") { isQuoted.toggle() }
            if isQuoted { continue }
            if byte == 0x0A || byte == 0x0D { break }
            line.append(byte)
        }
        return line.isEmpty ? nil : line
    }

    /// The values of the next row, or `nil` behind the last.
    mutating func next() -> [String]? {
        guard index < bytes.count else { return nil }
        line = nextLine
        var values: [String] = []
        var value: [UInt8] = []
        var isQuoted = false, hasQuotes = false
        defer { isBlank = !hasQuotes && values.count == 1 && values[0].isEmpty }
        func add() { values.append(String(decoding: value, as: UTF8.self)) }
        while index < bytes.count {
            let byte = bytes[index]
            index += 1
            if byte == 0x0A { nextLine += 1 }
            if isQuoted {
                guard byte == UInt8(ascii: "\"") else {
                    value.append(byte)
                    continue
                }
                if index < bytes.count, bytes[index] == byte {
                    value.append(byte)
                    index += 1
                } else {
                    isQuoted = false
                }
            } else if byte == UInt8(ascii: "\""), value.isEmpty {
                (isQuoted, hasQuotes) = (true, true)
            } else if byte == mark {
                add()
                value.removeAll(keepingCapacity: true)
            } else if byte == 0x0A {
                if value.last == 0x0D { value.removeLast() }
                add()
                return values
            } else {
                value.append(byte)
            }
        }
        add()
        return values
    }
}
