import PortolanRaster

/// A file of a feed, row after row: values between commas (RFC 4180), the first row their names.
///
/// A byte order mark, any line ends, spaces around values, quotes with doubled ones in them and columns in any order are read as
/// GTFS Schedule has them ("File Requirements"). Values are places in a buffer, so that most become no text of their own.
struct FeedTable {
    let file: String
    /// Bytes of which the current row is a part.
    private(set) var bytes: [UInt8] = []
    /// The line of the current row.
    private(set) var line = 0
    /// How many rows there were, the names not among them.
    private(set) var rowCount = 0
    /// The names of the columns.
    private(set) var names: [String] = []
    private var source: FeedSource
    private let limits: FeedLimits
    private var position = 0
    private(set) var nextLine = 1
    private var takenCount = 0
    private var byteCount: Int
    /// Beginning and end of each value of the row, one after the other.
    private var bounds: [Int]
    private var valueCount = 0
    /// The first value of the row before, where it is not quoted.
    private var first = 0..<0
    /// Whether the first value is that of the row before: rows of one trip mostly stand together.
    private(set) var repeatsFirst = false
    /// Whether a value of the rows so far was quoted.
    private(set) var hasQuotes = false
    /// What is wrong with the row.
    private(set) var fault: Fault?

    enum Fault { case tooManyValues, unclosedQuote, textBehindQuote }

    /// What rows are charged to, but for those since the last time; threads that read pieces charge nothing.
    private var charge: MemoryCharge?
    private var chargedCount = (rows: 0, bytes: 0)
    /// About how many bytes of memory a row takes, besides its own.
    private let rowMemory: Int
    /// The number of rows after which memory and cancellation are looked at.
    private static let lookInterval = 4096

    private static let maximumColumnCount = 500
    private static let maximumUnclosedCount = 100
    private var unclosedCount = 0

    /// Opens a file and reads its names, of which an empty one has none; `nil` where there is no file.
    ///
    /// - Parameters:
    ///   - charge: what rows are charged to, or `nil` for nothing.
    ///   - rowMemory: about how many bytes of memory a row takes besides its own; 0 if the caller charges rows itself.
    init?(
        _ file: String, in files: FeedFiles, limits: FeedLimits, charge: MemoryCharge? = nil, rowMemory: Int = 0
    ) throws(TransitFeedError) {
        guard let source = try files.source(of: file, limits: limits) else { return nil }
        self.file = file
        self.charge = charge
        self.rowMemory = rowMemory
        byteCount = source.byteCount()
        self.source = source
        self.limits = limits
        bounds = [Int](repeating: 0, count: 2 * Self.maximumColumnCount)
        _ = try refill()
        if bytes.starts(with: [0xEF, 0xBB, 0xBF]) { position = 3 }
        guard try next() else { return }
        names = (0..<valueCount).map { text($0) }
        rowCount = 0
    }

    /// How many rows there will be, if they are as long as those before.
    var estimatedRowCount: Int {
        let usedCount = takenCount - (bytes.count - position)
        return Int(Double(byteCount) / Double(max(1, usedCount)) * Double(rowCount) * 1.02) + 16
    }

    /// Where a column stands, or -1.
    func column(_ name: String) -> Int { names.firstIndex(of: name) ?? -1 }

    /// Where a column stands without which the file says nothing.
    func required(_ name: String) throws(TransitFeedError) -> Int {
        guard let place = names.firstIndex(of: name) else { throw .missingColumn(file: file, column: name) }
        return place
    }

    /// The place of a value in ``bytes``; empty where the row has none.
    @inline(__always)
    func range(_ column: Int) -> Range<Int> {
        guard column >= 0, column < valueCount else { return 0..<0 }
        return bounds[2 * column]..<bounds[2 * column + 1]
    }

    /// Goes to the next row that is not empty; tells whether there is one.
    mutating func next() throws(TransitFeedError) -> Bool {
        while true {
            if position >= bytes.count, try !refill() { return false }
            var isWhole = scan(isLast: false)
            while !isWhole {
                // The row goes on behind the bytes that are there.
                if bytes.count - position <= limits.rowByteCount, try refill() {
                    isWhole = scan(isLast: false)
                    continue
                }
                let isLong = bytes.count - position > limits.rowByteCount
                isWhole = scan(isLast: true)
                guard !isLong || fault == .unclosedQuote else {
                    throw .limitExceeded(
                        file: file, line: line, what: "a row is longer than \(limits.rowByteCount) bytes")
                }
            }
            if fault == .unclosedQuote {
                unclosedCount += 1
                // Each was looked for as far as a row may go.
                guard unclosedCount <= Self.maximumUnclosedCount else {
                    throw .limitExceeded(
                        file: file, line: line, what: "more than \(Self.maximumUnclosedCount) quotes do not end")
                }
            }
            if valueCount == 1, bounds[0] == bounds[1], fault == nil { continue }
            rowCount += 1
            if rowCount.isMultiple(of: Self.lookInterval) { try look() }
            guard rowCount <= limits.rowCount else {
                throw .limitExceeded(file: file, line: line, what: "more than \(limits.rowCount) rows")
            }
            return true
        }
    }

    /// Charges the rows read so far, and throws if the task was cancelled.
    private mutating func look() throws(TransitFeedError) {
        if Task.isCancelled { throw .cancelled(file: file) }
        guard let charge, rowMemory > 0 else { return }
        let usedCount = takenCount - (bytes.count - position)
        let more = (rowCount - chargedCount.rows) * rowMemory + max(0, usedCount - chargedCount.bytes)
        chargedCount = (rowCount, usedCount)
        do throws(MemoryError) { try charge.grow(by: more) } catch {
            throw .memory(file: file, line: line, what: "too large to be read: \(error)")
        }
    }

    /// Takes more bytes behind those that are not used yet.
    private mutating func refill() throws(TransitFeedError) -> Bool {
        if position > 0 {
            bytes.removeSubrange(..<position)
            position = 0
            first = 0..<0
        }
        let before = bytes.count
        let isMore = try source.append(to: &bytes, file: file)
        takenCount += bytes.count - before
        guard takenCount <= limits.byteCount else {
            throw .limitExceeded(file: file, line: nextLine, what: "longer than \(limits.byteCount) bytes")
        }
        return isMore
    }

    // MARK: - In pieces

    /// Where the next rows stand, in pieces of about as many bytes that each end with a line; none where few are left.
    ///
    /// A quote may hide the end of a line, so that a piece with one in it is none: ``hasQuotes`` tells once it is read.
    mutating func nextPieces(_ most: Int, of size: Int) throws(TransitFeedError) -> [Range<Int>] {
        // The threads that read them know nothing of the task for which they do.
        try look()
        while bytes.count - position < most * size, try refill() {}
        var pieces: [Range<Int>] = [], start = position
        let feed = UInt8(ascii: "\n")
        while pieces.count < most, bytes.count - start >= size,
            let last = bytes[start..<(start + size)].lastIndex(of: feed)
        {
            pieces.append(start..<(last + 1))
            start = last + 1
        }
        return pieces
    }

    /// A piece as a table of its own, its lines counted from 1.
    func piece(_ range: Range<Int>) -> FeedTable {
        var piece = self
        piece.bytes = Array(bytes[range])
        piece.source = .end
        piece.charge = nil
        (piece.position, piece.nextLine, piece.rowCount) = (0, 1, 0)
        (piece.byteCount, piece.takenCount) = (range.count, range.count)
        piece.first = 0..<0
        piece.hasQuotes = false
        return piece
    }

    /// What is read of the file while threads read pieces of what is there.
    struct Ahead: Sendable {
        fileprivate var source: FeedSource
        /// What stands behind the pieces, and what comes behind that.
        fileprivate var bytes: [UInt8]
        fileprivate let keptCount: Int
        fileprivate let file: String
        fileprivate var fault: TransitFeedError?

        /// Reads on, as many bytes as are wanted next.
        mutating func read(_ count: Int) {
            bytes.reserveCapacity(count + FeedSource.pieceLength)
            do throws(TransitFeedError) {
                while bytes.count < count, try source.append(to: &bytes, file: file) {}
            } catch { fault = error }
        }
    }

    /// What to read ahead into, behind pieces.
    func ahead(of pieces: [Range<Int>]) -> Ahead {
        let rest = bytes[(pieces.last?.upperBound ?? position)...]
        return Ahead(source: source, bytes: Array(rest), keptCount: rest.count, file: file)
    }

    /// Takes what was read ahead; ``refill()`` throws what went wrong with it, in its turn.
    mutating func take(_ ahead: consuming Ahead) throws(TransitFeedError) {
        source = ahead.fault.map { .fault($0) } ?? ahead.source
        takenCount += ahead.bytes.count - ahead.keptCount
        if position == bytes.count - ahead.keptCount {
            bytes = ahead.bytes
            (position, first) = (0, 0..<0)
        } else {
            bytes.append(contentsOf: ahead.bytes[ahead.keptCount...])
        }
        guard takenCount <= limits.byteCount else {
            throw .limitExceeded(file: file, line: nextLine, what: "longer than \(limits.byteCount) bytes")
        }
    }

    /// Goes on behind a piece that was read by itself.
    mutating func skip(_ range: Range<Int>, read piece: borrowing FeedTable) {
        position = range.upperBound
        line = nextLine + piece.line - 1
        nextLine += piece.nextLine - 1
        rowCount += piece.rowCount
        (first, repeatsFirst) = (0..<0, false)
    }

    // MARK: - Rows

    /// Finds the values of the row that begins at `position`; false where its end is not there yet.
    private mutating func scan(isLast: Bool) -> Bool {
        var bounds: [Int] = []
        swap(&bounds, &self.bounds)
        let repeated = Self.repeatedCount(of: first, at: position, in: bytes.span)
        let row = Self.row(
            in: bytes.span, from: position, repeated: repeated, isLast: isLast, limit: limits.rowByteCount,
            bounds: bounds.mutableSpan)
        swap(&bounds, &self.bounds)
        guard let row else { return false }
        repeatsFirst = repeated > 0
        first = self.bounds[0] == position ? position..<self.bounds[1] : 0..<0
        valueCount = row.count
        line = nextLine
        nextLine += row.lines
        position = row.end
        fault = row.fault ?? (names.isEmpty || row.count <= names.count ? nil : .tooManyValues)
        if row.isQuoted { hasQuotes = true }
        if row.isDoubled { undouble() }
        return true
    }

    private struct Row {
        var count = 0
        var end: Int
        var lines = 1
        var fault: Fault?
        /// Whether a value is quoted.
        var isQuoted = false
        /// Whether quotes are doubled in a value.
        var isDoubled = false
    }

    /// How many bytes of a row are a value that was there before, or 0 where it begins with another.
    private static func repeatedCount(of value: Range<Int>, at position: Int, in bytes: Span<UInt8>) -> Int {
        let end = position + value.count
        guard !value.isEmpty, end < bytes.count, bytes[end] == UInt8(ascii: ",") else { return 0 }
        let old = bytes.extracting(value), new = bytes.extracting(position..<end)
        guard old.count == new.count else { return 0 }
        // All bytes, even behind one that differs: so the processor compares many at once.
        var difference: UInt8 = 0
        for place in old.indices { difference |= old[place] ^ new[place] }
        return difference == 0 ? value.count : 0
    }

    /// The values of a row, of which the first may be known already; `nil` where its end is not there yet.
    private static func row(
        in bytes: Span<UInt8>, from position: Int, repeated: Int, isLast: Bool, limit rowLimit: Int,
        bounds place: consuming MutableSpan<Int>
    ) -> Row? {
        let comma = UInt8(ascii: ","), quote = UInt8(ascii: "\""), space = UInt8(ascii: " ")
        let feed = UInt8(ascii: "\n"), carriage = UInt8(ascii: "\r")
        var i = position, count = 0, row = Row(end: position)
        let end = bytes.count, limit = place.count
        if repeated > 0 {
            place[0] = position
            place[1] = position + repeated
            count = 1
            i = position + repeated + 1
        }
        var isEnded = false
        while !isEnded {
            while i < end, bytes[i] == space { i &+= 1 }
            var start = i, stop = i
            if i < end, bytes[i] == quote {
                row.isQuoted = true
                start = i + 1
                var j = start, isClosed = false
                while j < end, j - start <= rowLimit {
                    if bytes[j] == quote {
                        if j + 1 < end, bytes[j + 1] == quote {
                            row.isDoubled = true
                            j += 2
                            continue
                        }
                        if j + 1 == end, !isLast { return nil }
                        isClosed = true
                        break
                    }
                    if bytes[j] == feed { row.lines += 1 }
                    j += 1
                }
                if isClosed {
                    stop = j
                    i = j + 1
                    while i < end, bytes[i] == space { i += 1 }
                    if i < end, bytes[i] != comma, bytes[i] != feed, bytes[i] != carriage {
                        row.fault = .textBehindQuote
                        while i < end, bytes[i] != comma, bytes[i] != feed, bytes[i] != carriage { i += 1 }
                    }
                } else {
                    guard isLast else { return nil }
                    // It never ends: the row ends with its first line, so that one quote does not take the rest of the file.
                    row.fault = .unclosedQuote
                    row.lines = 1
                    while i < end, bytes[i] != feed { i += 1 }
                    stop = i
                }
            } else {
                while i < end {
                    let byte = bytes[i]
                    if byte <= comma, byte == comma || byte == feed || byte == carriage { break }
                    i &+= 1
                }
                stop = i
                while stop > start, bytes[stop &- 1] == space { stop &-= 1 }
            }
            if 2 &* count &+ 1 < limit {
                place[2 &* count] = start
                place[2 &* count &+ 1] = stop
                count &+= 1
            } else {
                row.fault = row.fault ?? .tooManyValues
            }
            if i >= end {
                guard isLast else { return nil }
                isEnded = true
            } else if bytes[i] == comma {
                i &+= 1
            } else {
                if bytes[i] == carriage {
                    if i + 1 >= end, !isLast { return nil }
                    i &+= i + 1 < end && bytes[i + 1] == feed ? 2 : 1
                } else {
                    i &+= 1
                }
                isEnded = true
            }
        }
        row.count = count
        row.end = i
        return row
    }

    /// Takes one of two quotes away in quoted values of the row.
    private mutating func undouble() {
        let quote = UInt8(ascii: "\"")
        for value in 0..<valueCount {
            var to = bounds[2 * value], from = to
            guard to > 0, bytes[to - 1] == quote else { continue }
            let end = bounds[2 * value + 1]
            while from < end {
                bytes[to] = bytes[from]
                from += bytes[from] == quote ? 2 : 1
                to += 1
            }
            bounds[2 * value + 1] = to
        }
    }
}
