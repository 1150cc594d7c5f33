import PortolanProtobuf

/// Turns the commands of features into vertices (vector-tile-spec 2.1, 4.3).
///
/// Features are read more liberally than the specification asks where MapLibre draws them: a `MoveTo` of several points in a line
/// begins a line at each, and lines and rings can have few vertices. Coordinates wrap around at 32 bits.
struct MVTGeometryDecoder {
    /// Whether a `ClosePath` closes a line, as tiles of version 1 have it.
    private let closesLines: Bool
    /// The index of the first vertex of each part, and the number of all vertices.
    private(set) var vertexOffsets: [UInt32] = [0]
    /// The coordinates in use, and zeros behind them.
    private var coordinates: [Int32] = []
    private var used = 0
    private var x: Int32 = 0
    private var y: Int32 = 0

    init(closesLines: Bool) { self.closesLines = closesLines }

    /// The coordinates x and y of all vertices by turns.
    consuming func finish() -> [Int32] {
        coordinates.removeLast(coordinates.count - used)
        return coordinates
    }

    /// Reads points, which become one part.
    mutating func readPoints(_ range: Range<Int>, in bytes: Span<UInt8>) throws(WireError) {
        var cursor = begin(range)
        while cursor.position < cursor.end {
            let command = try command(&cursor, in: bytes)
            guard command.id == 1 else {
                throw WireError(command.offset, .malformed, "a point has another command than MoveTo")
            }
            try readVertices(command, &cursor, in: bytes)
        }
        endPart()
    }

    /// Reads lines, each of which becomes a part.
    mutating func readLines(_ range: Range<Int>, in bytes: Span<UInt8>) throws(WireError) {
        var cursor = begin(range)
        var isOpen = false
        while cursor.position < cursor.end {
            let command = try command(&cursor, in: bytes)
            switch command.id {
            case 1:
                try move(command, &cursor, in: bytes, isOpen: isOpen)
                isOpen = command.count > 0 || isOpen
            case 2:
                guard isOpen else { throw WireError(command.offset, .malformed, "a line does not begin with MoveTo") }
                try readVertices(command, &cursor, in: bytes)
            case 7 where closesLines && isOpen && command.count <= 1:
                let first = 2 * Int(vertexOffsets[vertexOffsets.count - 1])
                coordinates += [0, 0]
                coordinates[used] = coordinates[first]
                coordinates[used + 1] = coordinates[first + 1]
                used += 2
            default: throw WireError(command.offset, .malformed, "a line has a command that lines do not have")
            }
        }
        if isOpen { endPart() }
    }

    /// Reads the rings of polygons, each of which becomes a part.
    mutating func readRings(_ range: Range<Int>, in bytes: Span<UInt8>) throws(WireError) {
        var cursor = begin(range)
        var isOpen = false
        while cursor.position < cursor.end {
            let command = try command(&cursor, in: bytes)
            switch command.id {
            case 1:
                try move(command, &cursor, in: bytes, isOpen: isOpen)
                isOpen = command.count > 0 || isOpen
            case 2:
                guard isOpen else { throw WireError(command.offset, .malformed, "a ring does not begin with MoveTo") }
                try readVertices(command, &cursor, in: bytes)
            case 7:
                guard isOpen else { throw WireError(command.offset, .malformed, "ClosePath without a ring") }
                guard command.count == 1 else {
                    throw WireError(command.offset, .malformed, "the count of ClosePath is not 1")
                }
                endPart()
                isOpen = false
            default: throw WireError(command.offset, .malformed, "an unknown command")
            }
        }
        if isOpen { endPart() }
    }

    private struct Command {
        let id: UInt64
        let count: Int
        let offset: Int
    }

    /// Makes room for the vertices of a feature, each coordinate of which takes one byte or more.
    private mutating func begin(_ range: Range<Int>) -> WireCursor {
        (x, y) = (0, 0)
        let missing = used + range.count - coordinates.count
        if missing > 0 { coordinates += repeatElement(0, count: max(missing, coordinates.count, 256)) }
        return WireCursor(range)
    }

    private func command(_ cursor: inout WireCursor, in bytes: Span<UInt8>) throws(WireError) -> Command {
        let offset = cursor.position
        let bits = try cursor.varint(in: bytes) & 0xFFFF_FFFF
        return Command(id: bits & 7, count: Int(bits >> 3), offset: offset)
    }

    /// Begins a part at each of the points.
    private mutating func move(
        _ command: Command, _ cursor: inout WireCursor, in bytes: Span<UInt8>, isOpen: Bool
    ) throws(WireError) {
        guard command.count > 0 else { return }
        if isOpen { endPart() }
        guard command.count > 1 else { return try readVertices(command, &cursor, in: bytes) }
        let single = Command(id: 1, count: 1, offset: command.offset)
        for number in 1...command.count {
            try readVertices(single, &cursor, in: bytes)
            if number < command.count { endPart() }
        }
    }

    private mutating func endPart() { vertexOffsets.append(UInt32(truncatingIfNeeded: used / 2)) }

    private mutating func readVertices(
        _ command: Command, _ cursor: inout WireCursor, in bytes: Span<UInt8>
    ) throws(WireError) {
        // Each of them takes two bytes or more, so there is room.
        guard 2 * command.count <= cursor.end - cursor.position else {
            throw WireError(command.offset, .malformed, "the count of a command is greater than the geometry")
        }
        var x = x, y = y, index = used, position = cursor.position
        let end = cursor.end
        var output = coordinates.mutableSpan
        for _ in 0..<command.count {
            let (first, second) = try Self.pair(in: bytes, at: &position, end: end)
            x &+= Self.delta(first)
            y &+= Self.delta(second)
            output[index] = x
            output[index + 1] = y
            index += 2
        }
        (self.x, self.y, used) = (x, y, index)
        cursor = WireCursor(position..<end)
    }

    /// The next two numbers, without a branch for each of their lengths, which processors cannot predict.
    @inline(__always) private static func pair(
        in bytes: Span<UInt8>, at position: inout Int, end: Int
    ) throws(WireError) -> (UInt64, UInt64) {
        let raw = unsafe bytes.bytes
        if position <= min(end, raw.byteCount) - 8 {
            // The bound: 8 bytes from here are within the bytes.
            let word = unsafe UInt64(littleEndian: raw.unsafeLoadUnaligned(fromByteOffset: position, as: UInt64.self))
            if word & 0x8080 == 0 {
                position += 2
                return (word & 0x7F, word >> 8 & 0x7F)
            }
            // The last bytes of numbers have no upper bit.
            let ends = ~word & 0x8080_8080_8080_8080, later = ends & (ends &- 1)
            if later != 0 {
                let first = UInt64(ends.trailingZeroBitCount + 1), both = UInt64(later.trailingZeroBitCount + 1)
                position += Int(both >> 3)
                return (
                    number(word & ((1 &<< first) &- 1)), number((word & (UInt64.max &>> (64 &- both))) &>> first)
                )
            }
        }
        let first = try WireCursor.varint(in: bytes, at: &position, end: end)
        return (first, try WireCursor.varint(in: bytes, at: &position, end: end))
    }

    /// The lowest 32 bits of a number, from bytes that have 7 bits each.
    @inline(__always) private static func number(_ bytes: UInt64) -> UInt64 {
        (bytes & 0x7F) | (bytes >> 1 & 0x3F80) | (bytes >> 2 & 0x1F_C000) | (bytes >> 3 & 0xFE0_0000)
            | (bytes >> 4 & 0xF000_0000)
    }

    @inline(__always) private static func delta(_ bits: UInt64) -> Int32 {
        let value = UInt32(truncatingIfNeeded: bits)
        return Int32(bitPattern: value >> 1 ^ (0 &- (value & 1)))
    }
}
