/// The rows of a text table, as found by `RowScanner`.
struct CSVRows {
    private let bytes: [UInt8]
    private let scanner: RowScanner
    private var index = 0
    private var nextLine = 1
    private var bounds = [Int](repeating: 0, count: 128)
    /// The maximum number of values in a row; more are ignored.
    private static let maximumValueCount = 1 << 20
    /// The first line number of the last row, from 1.
    private(set) var line = 1
    /// Whether the last row is an empty line.
    private(set) var isBlank = false

    init(_ bytes: [UInt8], mark: UInt8, from start: Int = 0) {
        self.bytes = bytes
        scanner = .lenient(mark: mark)
        index = start
        // A line before the header states the separator.
        if start > 0 { nextLine = 2 }
    }

    /// Returns the first line without quoted values, or `nil` if none exists.
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

    /// Returns the values of the next row, or `nil` after the last.
    mutating func next() -> [String]? {
        guard index < bytes.count else { return nil }
        let start = index
        var bounds: [Int] = []
        swap(&bounds, &self.bounds)
        defer { swap(&bounds, &self.bounds) }
        var found = scanner.row(in: bytes.span, from: start, isLast: true, bounds: bounds.mutableSpan)
        while found?.fault == .tooManyValues, bounds.count < 2 * Self.maximumValueCount {
            bounds = [Int](repeating: 0, count: 4 * bounds.count)
            found = scanner.row(in: bytes.span, from: start, isLast: true, bounds: bounds.mutableSpan)
        }
        guard let row = found else { return nil }
        index = row.end
        line = nextLine
        nextLine += row.lines
        isBlank = !row.isQuoted && row.count == 1 && bounds[0] == bounds[1]
        return (0..<row.count).map { value in
            let range = bounds[2 * value]..<bounds[2 * value + 1]
            guard row.hasInnerQuotes, range.lowerBound > start, bytes[range.lowerBound - 1] == UInt8(ascii: "\"") else {
                return String(decoding: bytes[range], as: UTF8.self)
            }
            var text = Array(bytes[range])
            let end = RowScanner.unquote(text.indices, in: &text)
            return String(decoding: text[..<end], as: UTF8.self)
        }
    }
}
