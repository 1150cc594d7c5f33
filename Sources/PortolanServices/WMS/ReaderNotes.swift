import PortolanWeb

/// What was odd in a document, up to a bound.
struct ReaderNotes {
    private static let limit = 100
    private(set) var lines: [String]

    init(_ lines: [String] = []) {
        self.lines = lines
    }

    mutating func add(_ line: @autoclosure () -> String) {
        if lines.count < Self.limit { lines.append(ReadableText.line(line(), limit: 500)) }
    }
}
