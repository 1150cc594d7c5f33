/// The tokenizer of text tables (RFC 4180).
///
/// It finds the values of a row without copying them.
///
/// A line ends with LF, CR LF or CR. Quoted values may contain separators, line breaks, and doubled quotes.
package struct RowScanner: Sendable {
    /// The separator.
    private let mark: UInt8
    /// Whether spaces around values are ignored, as in GTFS ("File Requirements").
    private let trimsSpaces: Bool
    /// Whether text after a closing quote belongs to the value, and an unclosed quote extends to the end of the
    /// document.
    ///
    /// Otherwise both are faults, and an unclosed quote ends its row at the end of its first line.
    private let isLenient: Bool

    /// A fault in the quotes of a row, or in the number of its values.
    package enum Fault: Sendable { case tooManyValues, unclosedQuote, textBehindQuote }

    /// A row.
    ///
    /// The bounds of its values are in the span given to ``row(in:from:repeated:isLast:limit:bounds:)``.
    package struct Row {
        /// The number of values.
        package fileprivate(set) var count = 0
        /// The index after the row.
        package fileprivate(set) var end: Int
        /// The number of lines.
        package fileprivate(set) var lines = 1
        package fileprivate(set) var fault: Fault?
        /// Whether a value is quoted.
        package fileprivate(set) var isQuoted = false
        /// Whether a quoted value contains quotes, which ``unquote(_:in:)`` removes.
        package fileprivate(set) var hasInnerQuotes = false
    }

    /// The scanner of GTFS files, with commas as separators.
    package static let feed = RowScanner(mark: UInt8(ascii: ","), trimsSpaces: true, isLenient: false)

    /// Returns a scanner for tables from other programs.
    package static func lenient(mark: UInt8) -> RowScanner {
        RowScanner(mark: mark, trimsSpaces: false, isLenient: true)
    }

    /// Finds the values of a row.
    ///
    /// Returns `nil` if its end is not in the available bytes.
    ///
    /// - Parameters:
    ///   - repeated: the number of bytes of the first value if it is known and a separator follows, or 0.
    ///   - isLast: whether no more bytes follow.
    ///   - rowLimit: the maximum number of bytes up to the end of a quote.
    ///   - bounds: receives the start and end of each value.
    package func row(
        in bytes: Span<UInt8>, from position: Int, repeated: Int = 0, isLast: Bool, limit rowLimit: Int = .max,
        bounds: consuming MutableSpan<Int>
    ) -> Row? {
        let mark = mark, trimsSpaces = trimsSpaces, isLenient = isLenient
        let quote = UInt8(ascii: "\""), space = UInt8(ascii: " "), feed = UInt8(ascii: "\n")
        let carriage = UInt8(ascii: "\r")
        // Most bytes are greater than all bytes that end a value, and are checked with one comparison.
        let greatest = max(mark, carriage)
        var i = position, count = 0, row = Row(end: position)
        let end = bytes.count, limit = bounds.count
        if repeated > 0 {
            bounds[0] = position
            bounds[1] = position + repeated
            count = 1
            i = position + repeated + 1
        }
        var isEnded = false
        while !isEnded {
            if trimsSpaces { while i < end, bytes[i] == space { i &+= 1 } }
            var start = i, stop = i
            if i < end, bytes[i] == quote {
                row.isQuoted = true
                start = i + 1
                var j = start, isClosed = false
                while j < end, j - start <= rowLimit {
                    if bytes[j] == quote {
                        if j + 1 < end, bytes[j + 1] == quote {
                            row.hasInnerQuotes = true
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
                    if trimsSpaces { while i < end, bytes[i] == space { i += 1 } }
                    if i < end, bytes[i] != mark, bytes[i] != feed, bytes[i] != carriage {
                        while i < end, bytes[i] != mark, bytes[i] != feed, bytes[i] != carriage { i += 1 }
                        if isLenient { (stop, row.hasInnerQuotes) = (i, true) } else { row.fault = .textBehindQuote }
                    }
                } else {
                    guard isLast else { return nil }
                    if isLenient {
                        i = end
                    } else {
                        // The row ends with its first line, so that one quote does not consume the rest of the file.
                        row.fault = .unclosedQuote
                        row.lines = 1
                        while i < end, bytes[i] != feed { i += 1 }
                    }
                    stop = i
                }
            } else {
                while i < end {
                    let byte = bytes[i]
                    if byte <= greatest, byte == mark || byte == feed || byte == carriage { break }
                    i &+= 1
                }
                stop = i
                if trimsSpaces { while stop > start, bytes[stop &- 1] == space { stop &-= 1 } }
            }
            if 2 &* count &+ 1 < limit {
                bounds[2 &* count] = start
                bounds[2 &* count &+ 1] = stop
                count &+= 1
            } else {
                row.fault = row.fault ?? .tooManyValues
            }
            if i >= end {
                guard isLast else { return nil }
                isEnded = true
            } else if bytes[i] == mark {
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

    /// Removes doubled quotes in a quoted value, and its closing quote if text follows, in place.
    ///
    /// - Returns: the index after the value.
    package static func unquote(_ value: Range<Int>, in bytes: inout [UInt8]) -> Int {
        let quote = UInt8(ascii: "\"")
        var to = value.lowerBound, from = to, isOpen = true
        while from < value.upperBound {
            if isOpen, bytes[from] == quote {
                from += 1
                guard from < value.upperBound, bytes[from] == quote else {
                    isOpen = false
                    continue
                }
            }
            bytes[to] = bytes[from]
            from += 1
            to += 1
        }
        return to
    }
}
