import PortolanFormats
import PortolanRaster

/// A reader for the rows of a feed file: comma-separated values (RFC 4180) with column names in the first row.
///
/// Byte order marks, any line ends, spaces around values, quoted values with doubled quotes and columns in any order
/// are accepted, as GTFS Schedule demands ("File Requirements"). Values are ranges of a buffer, so that most never
/// become strings.
struct FeedTable {
    let file: String
    /// The buffer that contains the current row.
    private(set) var bytes: [UInt8] = []
    /// The line number of the current row.
    private(set) var line = 0
    /// The number of rows so far, without the header.
    private(set) var rowCount = 0
    /// The column names.
    private(set) var names: [String] = []
    private var source: FeedSource
    private let limits: TransitFeed.Limits
    private var position = 0
    private(set) var nextLine = 1
    private var takenCount = 0
    private var byteCount: Int
    /// The start and end of each value of the row, one after the other.
    private var bounds: [Int]
    private var valueCount = 0
    /// The range of the first value in the previous row, if it was not quoted.
    private var first = 0..<0
    /// Whether the first value equals that of the previous row.
    ///
    /// Rows of one trip are usually adjacent.
    private(set) var repeatsFirst = false
    /// Whether any row so far had a quoted value.
    private(set) var hasQuotes = false
    /// The fault of the row.
    private(set) var fault: RowScanner.Fault?

    /// The memory account of the rows.
    ///
    /// Threads that read pieces charge nothing.
    private var charge: MemoryCharge?
    private var chargedCount = (rows: 0, bytes: 0)
    /// The approximate memory in bytes for each row besides its text.
    private let rowMemory: Int
    /// The number of rows between checks of memory and cancellation.
    private static let lookInterval = 4096

    private static let maximumColumnCount = 500
    private static let maximumUnclosedCount = 100
    private var unclosedCount = 0

    /// Opens a file and reads its header, which is empty for an empty file; returns `nil` if the file does not exist.
    ///
    /// - Parameters:
    ///   - charge: the memory account of the rows, or `nil`.
    ///   - rowMemory: the approximate memory in bytes for each row besides its text; 0 if the caller charges rows
    ///     itself.
    init?(
        _ file: String, in files: FeedFiles, limits: TransitFeed.Limits, charge: MemoryCharge? = nil, rowMemory: Int = 0
    ) throws(TransitFeed.ReadError) {
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

    /// The estimated total number of rows, from the average length so far.
    var estimatedRowCount: Int {
        let usedCount = takenCount - (bytes.count - position)
        return Int(Double(byteCount) / Double(max(1, usedCount)) * Double(rowCount) * 1.02) + 16
    }

    /// Returns the index of a column, or -1.
    func column(_ name: String) -> Int { names.firstIndex(of: name) ?? -1 }

    /// Returns the index of a required column.
    func required(_ name: String) throws(TransitFeed.ReadError) -> Int {
        guard let place = names.firstIndex(of: name) else { throw .missingColumn(file: file, column: name) }
        return place
    }

    /// Returns the range of a value in ``bytes``, empty if the row does not have it.
    @inline(__always)
    func range(_ column: Int) -> Range<Int> {
        guard column >= 0, column < valueCount else { return 0..<0 }
        return bounds[2 * column]..<bounds[2 * column + 1]
    }

    /// Advances to the next row that is not empty, and returns whether there is one.
    mutating func next() throws(TransitFeed.ReadError) -> Bool {
        while true {
            if position >= bytes.count, try !refill() { return false }
            var isWhole = scan(isLast: false)
            while !isWhole {
                // The row continues beyond the buffer.
                if bytes.count - position <= limits.rowByteCount, try refill() {
                    isWhole = scan(isLast: false)
                    continue
                }
                let isLong = bytes.count - position > limits.rowByteCount
                isWhole = scan(isLast: true)
                guard !isLong || fault == .unclosedQuote else {
                    throw .limitExceeded(
                        file: file, line: line, what: "a row exceeds \(limits.rowByteCount) bytes")
                }
            }
            if fault == .unclosedQuote {
                unclosedCount += 1
                // Each search for a closing quote costs up to the row limit.
                guard unclosedCount <= Self.maximumUnclosedCount else {
                    throw .limitExceeded(
                        file: file, line: line, what: "more than \(Self.maximumUnclosedCount) unclosed quotes")
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
    private mutating func look() throws(TransitFeed.ReadError) {
        if Task.isCancelled { throw .cancelled(file: file) }
        guard let charge, rowMemory > 0 else { return }
        let usedCount = takenCount - (bytes.count - position)
        let more = (rowCount - chargedCount.rows) * rowMemory + max(0, usedCount - chargedCount.bytes)
        chargedCount = (rowCount, usedCount)
        do throws(MemoryBudget.ExceededError) { try charge.grow(by: more) } catch {
            throw .memory(file: file, line: line, what: "too large for memory: \(error)")
        }
    }

    /// Appends more bytes to the unused ones.
    private mutating func refill() throws(TransitFeed.ReadError) -> Bool {
        if position > 0 {
            bytes.removeSubrange(..<position)
            position = 0
            first = 0..<0
        }
        let before = bytes.count
        let isMore = try source.append(to: &bytes, file: file)
        takenCount += bytes.count - before
        guard takenCount <= limits.byteCount else {
            throw .limitExceeded(file: file, line: nextLine, what: "exceeds \(limits.byteCount) bytes")
        }
        return isMore
    }

    // MARK: - Pieces

    /// Returns the ranges of the next pieces of about `size` bytes that each end with a line; empty if few bytes are
    /// left.
    ///
    /// A piece with a quote is not usable, because the quote may contain a line end. ``hasQuotes`` is set once the
    /// piece is read.
    mutating func nextPieces(_ most: Int, of size: Int) throws(TransitFeed.ReadError) -> [Range<Int>] {
        // The threads that read pieces cannot see the cancellation of this task.
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

    /// Returns a piece as an independent table with lines counted from 1.
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

    /// Bytes that are read ahead while threads read the current pieces.
    struct Ahead: Sendable {
        fileprivate var source: FeedSource
        /// The bytes after the pieces, followed by those read ahead.
        fileprivate var bytes: [UInt8]
        fileprivate let keptCount: Int
        fileprivate let file: String
        fileprivate var fault: TransitFeed.ReadError?

        /// Reads until the buffer has `count` bytes.
        mutating func read(_ count: Int) {
            bytes.reserveCapacity(count + FeedSource.pieceLength)
            do throws(TransitFeed.ReadError) {
                while bytes.count < count, try source.append(to: &bytes, file: file) {}
            } catch { fault = error }
        }
    }

    /// Returns a buffer for reading ahead of these pieces.
    func ahead(of pieces: [Range<Int>]) -> Ahead {
        let rest = bytes[(pieces.last?.upperBound ?? position)...]
        return Ahead(source: source, bytes: Array(rest), keptCount: rest.count, file: file)
    }

    /// Takes the bytes that were read ahead.
    ///
    /// An error is thrown later by ``refill()``, in file order.
    mutating func take(_ ahead: consuming Ahead) throws(TransitFeed.ReadError) {
        source = ahead.fault.map { .fault($0) } ?? ahead.source
        takenCount += ahead.bytes.count - ahead.keptCount
        if position == bytes.count - ahead.keptCount {
            bytes = ahead.bytes
            (position, first) = (0, 0..<0)
        } else {
            bytes.append(contentsOf: ahead.bytes[ahead.keptCount...])
        }
        guard takenCount <= limits.byteCount else {
            throw .limitExceeded(file: file, line: nextLine, what: "exceeds \(limits.byteCount) bytes")
        }
    }

    /// Continues after a piece that was read separately.
    mutating func skip(_ range: Range<Int>, read piece: borrowing FeedTable) {
        position = range.upperBound
        line = nextLine + piece.line - 1
        nextLine += piece.nextLine - 1
        rowCount += piece.rowCount
        (first, repeatsFirst) = (0..<0, false)
    }

    // MARK: - Rows

    /// Finds the values of the row at `position`, and returns false if its end is not in the buffer yet.
    private mutating func scan(isLast: Bool) -> Bool {
        var bounds: [Int] = []
        swap(&bounds, &self.bounds)
        let repeated = Self.repeatedCount(of: first, at: position, in: bytes.span)
        let row = RowScanner.feed.row(
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
        if row.hasInnerQuotes { unquote() }
        return true
    }

    /// Returns the length of a row's first value if it equals a known one, otherwise 0.
    private static func repeatedCount(of value: Range<Int>, at position: Int, in bytes: Span<UInt8>) -> Int {
        let end = position + value.count
        guard !value.isEmpty, end < bytes.count, bytes[end] == UInt8(ascii: ",") else { return 0 }
        let old = bytes.extracting(value), new = bytes.extracting(position..<end)
        guard old.count == new.count else { return 0 }
        // There is no early exit, so that the loop is vectorized.
        var difference: UInt8 = 0
        for place in old.indices { difference |= old[place] ^ new[place] }
        return difference == 0 ? value.count : 0
    }

    /// Removes the inner quotes of quoted values of the row.
    private mutating func unquote() {
        for value in 0..<valueCount {
            let start = bounds[2 * value]
            guard start > 0, bytes[start - 1] == UInt8(ascii: "\"") else { continue }
            bounds[2 * value + 1] = RowScanner.unquote(start..<bounds[2 * value + 1], in: &bytes)
        }
    }
}
