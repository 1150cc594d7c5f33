/// Reads or writes columns.
///
/// The same code does both, so that the order always agrees.
protocol SnapshotCoder {
    /// Whether values are read from a file.
    var isReading: Bool { get }
    mutating func integers<T: FixedWidthInteger & Sendable>(_ values: inout [T]) throws(Timetable.SnapshotError)
    /// Codes raw bytes.
    mutating func bytes(_ values: inout [UInt8]) throws(Timetable.SnapshotError)
}

extension SnapshotCoder {
    mutating func doubles(_ values: inout [Double]) throws(Timetable.SnapshotError) {
        var patterns = values.map(\.bitPattern)
        try integers(&patterns)
        if isReading { values = patterns.map { Double(bitPattern: $0) } }
    }

    mutating func texts(_ column: inout TextColumn) throws(Timetable.SnapshotError) {
        try bytes(&column.bytes)
        try integers(&column.ends)
    }

    /// Codes an array of texts.
    mutating func texts(_ values: inout [String]) throws(Timetable.SnapshotError) {
        var column = TextColumn()
        for value in values { column.append(value.utf8) }
        try texts(&column)
        guard isReading else { return }
        if let what = column.inconsistency { throw refusal(what) }
        values = (0..<column.count).map { column[$0] }
    }

    mutating func integer<T: FixedWidthInteger & Sendable>(_ value: inout T) throws(Timetable.SnapshotError) {
        var values = [value]
        try integers(&values)
        guard let first = values.first, values.count == 1 else { throw refusal("expected one number") }
        value = first
    }

    /// Throws unless the columns of a table are consistent.
    func expect(_ isWhole: Bool, _ what: String) throws(Timetable.SnapshotError) {
        if !isWhole { throw refusal(what) }
    }

    private func refusal(_ what: String) -> Timetable.SnapshotError {
        guard let reader = self as? SnapshotReader else { return .damaged(file: "", byte: 0, what: what) }
        return .damaged(file: reader.file, byte: reader.position, what: what)
    }
}

/// Writes columns one after the other, in little-endian byte order.
struct SnapshotWriter: SnapshotCoder {
    private(set) var bytes: [UInt8] = []

    init(bytes: [UInt8] = []) { self.bytes = bytes }

    var isReading: Bool { false }

    mutating func put<T: FixedWidthInteger>(_ value: T) {
        for byte in 0..<(T.bitWidth / 8) { bytes.append(UInt8(truncatingIfNeeded: value >> T(8 * byte))) }
    }

    mutating func integers<T: FixedWidthInteger & Sendable>(_ values: inout [T]) throws(Timetable.SnapshotError) {
        put(UInt64(values.count))
        bytes.reserveCapacity(bytes.count + values.count * (T.bitWidth / 8))
        for value in values { put(value) }
    }

    mutating func bytes(_ values: inout [UInt8]) throws(Timetable.SnapshotError) {
        put(UInt64(values.count))
        bytes.append(contentsOf: values)
    }
}

/// Reads columns.
///
/// Lengths beyond the end of the file are rejected before memory is allocated.
struct SnapshotReader: SnapshotCoder {
    let bytes: [UInt8]
    private(set) var position: Int
    let file: String

    init(bytes: [UInt8], position: Int, file: String) {
        self.bytes = bytes
        self.position = position
        self.file = file
    }

    var isReading: Bool { true }

    mutating func take<T: FixedWidthInteger>() throws(Timetable.SnapshotError) -> T {
        let width = T.bitWidth / 8
        guard bytes.count - position >= width else {
            throw .damaged(file: file, byte: position, what: "unexpected end of data")
        }
        var value: T = 0
        for byte in 0..<width { value |= T(truncatingIfNeeded: bytes[position + byte]) << T(8 * byte) }
        position += width
        return value
    }

    /// Reads the number of values of a column with the given width in bytes.
    private mutating func count(width: Int) throws(Timetable.SnapshotError) -> Int {
        let place = position, count: UInt64 = try take()
        guard count <= UInt64((bytes.count - position) / width) else {
            throw .damaged(file: file, byte: place, what: "more values than bytes")
        }
        return Int(count)
    }

    mutating func integers<T: FixedWidthInteger & Sendable>(_ values: inout [T]) throws(Timetable.SnapshotError) {
        let width = T.bitWidth / 8, count = try count(width: width)
        var taken = [T](repeating: 0, count: count)
        let whole = bytes, source = whole.span.extracting(position..<(position + count * width))
        for index in taken.indices {
            var value: T = 0, byte = 0
            while byte < width {
                value |= T(truncatingIfNeeded: source[index &* width &+ byte]) << T(8 &* byte)
                byte &+= 1
            }
            taken[index] = value
        }
        values = taken
        position += count * width
    }

    mutating func bytes(_ values: inout [UInt8]) throws(Timetable.SnapshotError) {
        let count = try count(width: 1)
        values = Array(bytes[position..<(position + count)])
        position += count
    }
}
