/// An incremental parser for STOMP frames (STOMP 1.0, 1.1 and 1.2).
///
/// The cost is linear in the number of bytes. At most one incomplete frame within the limits and one chunk are
/// buffered.
package struct STOMPParser: Sendable {
    /// The limits of a frame.
    package struct Limits: Hashable, Sendable {
        /// The maximum number of header fields; 128 by default.
        package var headerCount = 128
        /// The maximum size of command and header fields in bytes; 64 KiB by default.
        package var headByteCount = 64 << 10
        /// The maximum size of the body in bytes; 4 MiB by default.
        package var bodyByteCount = 4 << 20

        /// Creates the default limits.
        package init() {}
    }

    private enum Awaited {
        /// The blank line after the header fields: the start of the current line and the search position.
        case head(line: Int, seen: Int, isFirst: Bool)
        /// A body of known length, followed by NUL.
        case body(STOMPFrame, count: Int)
        /// The NUL at the end: the search position.
        case end(STOMPFrame, seen: Int)
    }

    /// The version that applies to the next frames.
    package var version: STOMPFrame.Version
    private let limits: Limits
    private let source: String
    private var bytes: [UInt8] = []
    /// The start of the current frame, or of its body after its header fields have been parsed.
    private var start = 0
    private var awaited = Awaited.head(line: 0, seen: 0, isFirst: true)
    /// The number of bytes before `bytes`.
    private var passed = 0

    /// Creates a parser.
    ///
    /// - Parameter source: the name used in errors.
    package init(version: STOMPFrame.Version = .v1_2, limits: Limits = Limits(), source: String = "STOMP") {
        self.version = version
        self.limits = limits
        self.source = source
    }

    /// Appends received bytes.
    package mutating func append(_ more: [UInt8]) {
        if start == bytes.count, case .head(_, _, true) = awaited {
            passed += start
            bytes = more
            move(by: -start)
        } else {
            if start > 1 << 16 || start > bytes.count / 2 {
                bytes.removeFirst(start)
                passed += start
                move(by: -start)
            }
            bytes += more
        }
    }

    private mutating func move(by offset: Int) {
        start += offset
        switch awaited {
        case .head(let line, let seen, let isFirst):
            awaited = .head(line: line + offset, seen: seen + offset, isFirst: isFirst)
        case .body: break
        case .end(let frame, let seen): awaited = .end(frame, seen: seen + offset)
        }
    }

    /// Returns the next complete frame, or `nil` if more bytes are needed.
    ///
    /// Heart-beats are skipped. No more frames can be read after an error.
    ///
    /// - Throws: ``FeedError/Code/malformed`` or ``FeedError/Code/limitExceeded``.
    package mutating func next() throws(FeedError) -> STOMPFrame? {
        while true {
            switch awaited {
            case .head(let line, let seen, let isFirst):
                guard try readHead(line: line, seen: seen, isFirst: isFirst) else { return nil }
            case .body(let frame, let count):
                guard bytes.count - start > count else { return nil }
                guard bytes[start + count] == 0 else {
                    throw fault(.malformed, at: start + count, "missing NUL after the body of \(frame.command)")
                }
                return finish(frame, bodyEnd: start + count)
            case .end(let frame, let seen):
                let end = bytes[seen...].firstIndex(of: 0)
                guard (end ?? bytes.count) - start <= limits.bodyByteCount else {
                    throw fault(.limitExceeded, at: start, "a body exceeds \(limits.bodyByteCount) bytes")
                }
                guard let end else {
                    awaited = .end(frame, seen: bytes.count)
                    return nil
                }
                return finish(frame, bodyEnd: end)
            }
        }
    }

    private mutating func finish(_ frame: STOMPFrame, bodyEnd: Int) -> STOMPFrame {
        var frame = frame
        if bodyEnd > start { frame.body = Array(bytes[start..<bodyEnd]) }
        start = bodyEnd + 1
        awaited = .head(line: start, seen: start, isFirst: true)
        return frame
    }

    private func fault(_ code: FeedError.Code, at offset: Int, _ reason: String) -> FeedError {
        FeedError(code, source: source, offset: passed + offset, reason)
    }

    /// Searches for the end of the header fields.
    ///
    /// Returns false if more bytes are needed.
    private mutating func readHead(line: Int, seen: Int, isFirst: Bool) throws(FeedError) -> Bool {
        var line = line, seen = seen
        if isFirst {
            // Line ends between frames include heart-beats.
            while start < bytes.count, bytes[start] == Byte.lineFeed || bytes[start] == Byte.carriageReturn {
                start += 1
            }
            (line, seen) = (start, start)
            awaited = .head(line: start, seen: start, isFirst: true)
            guard start < bytes.count else { return false }
        }
        while true {
            let end = bytes[seen...].firstIndex(of: Byte.lineFeed)
            guard (end ?? bytes.count) - start <= limits.headByteCount else {
                throw fault(
                    .limitExceeded, at: start, "command and headers exceed \(limits.headByteCount) bytes")
            }
            guard let end else {
                awaited = .head(line: line, seen: bytes.count, isFirst: false)
                return false
            }
            if end == line || (end == line + 1 && bytes[line] == Byte.carriageReturn) {
                try readFrame(headEnd: line)
                // The body starts after the blank line.
                start = end + 1
                if case .end(let frame, _) = awaited { awaited = .end(frame, seen: start) }
                return true
            }
            (line, seen) = (end + 1, end + 1)
        }
    }

    /// Parses the command and the header fields, which end before an offset.
    private mutating func readFrame(headEnd: Int) throws(FeedError) {
        var lineStart = start
        var frame: STOMPFrame?
        while lineStart < headEnd {
            guard let lineEnd = bytes[lineStart..<headEnd].firstIndex(of: Byte.lineFeed) else { break }
            var end = lineEnd
            let endsInReturn = end > lineStart && bytes[end - 1] == Byte.carriageReturn
            // Version 1.2 allows CR LF line ends, and so may the frames that negotiate the version.
            if endsInReturn, version != .v1_1 || frame == nil || frame?.command == "CONNECTED" { end -= 1 }
            if frame == nil {
                let command = bytes[lineStart..<end]
                guard command.count <= 32, command.allSatisfy({ (0x41...0x5A).contains($0) }), !command.isEmpty else {
                    throw fault(.malformed, at: lineStart, "not a STOMP command")
                }
                frame = STOMPFrame(String(decoding: command, as: UTF8.self))
            } else if let command = frame?.command {
                guard (frame?.headers.count ?? 0) < limits.headerCount else {
                    throw fault(.limitExceeded, at: lineStart, "a frame has more than \(limits.headerCount) headers")
                }
                try frame?.headers.append(readHeader(lineStart..<end, of: command))
            }
            lineStart = lineEnd + 1
        }
        guard let frame else { throw fault(.malformed, at: start, "not a STOMP command") }
        guard let length = frame["content-length"] else {
            awaited = .end(frame, seen: headEnd)
            return
        }
        guard !length.isEmpty, length.utf8.count <= 18, length.utf8.allSatisfy({ (0x30...0x39).contains($0) }),
            let count = Int(length)
        else { throw fault(.malformed, at: start, "the content-length of \(frame.command) is not a number") }
        guard count <= limits.bodyByteCount else {
            throw fault(.limitExceeded, at: start, "a body exceeds \(limits.bodyByteCount) bytes")
        }
        awaited = .body(frame, count: count)
    }

    private func readHeader(_ range: Range<Int>, of command: String) throws(FeedError) -> STOMPFrame.Header {
        guard let colon = bytes[range].firstIndex(of: Byte.colon) else {
            throw fault(.malformed, at: range.lowerBound, "missing colon in a header of \(command)")
        }
        let isEscaped = version > .v1_0 && command != "CONNECT" && command != "CONNECTED"
        if isEscaped {
            return try STOMPFrame.Header(
                unescaped(range.lowerBound..<colon), unescaped((colon + 1)..<range.upperBound))
        }
        var value = bytes[(colon + 1)..<range.upperBound]
        if version == .v1_0 {
            // Version 1.0 examples have a space after the colon. Later versions forbid trimming.
            value = value.drop { $0 == 0x20 }
        }
        return try STOMPFrame.Header(
            text(bytes[range.lowerBound..<colon], at: range.lowerBound), text(value, at: colon + 1))
    }

    private func text(_ slice: ArraySlice<UInt8>, at offset: Int) throws(FeedError) -> String {
        guard let text = String(validating: slice, as: UTF8.self) else {
            // Version 1.0 does not define the encoding, and brokers pass bytes through.
            if version == .v1_0 { return String(decoding: slice, as: UTF8.self) }
            throw fault(.malformed, at: offset, "invalid UTF-8 in a header")
        }
        return text
    }

    private func unescaped(_ range: Range<Int>) throws(FeedError) -> String {
        guard bytes[range].contains(Byte.backslash) else { return try text(bytes[range], at: range.lowerBound) }
        var plain: [UInt8] = []
        var index = range.lowerBound
        while index < range.upperBound {
            let byte = bytes[index]
            index += 1
            guard byte == Byte.backslash else {
                plain.append(byte)
                continue
            }
            let escape = index < range.upperBound ? bytes[index] : 0
            index += 1
            switch escape {
            case UInt8(ascii: "n"): plain.append(Byte.lineFeed)
            case UInt8(ascii: "c"): plain.append(Byte.colon)
            case Byte.backslash: plain.append(Byte.backslash)
            case UInt8(ascii: "r") where version == .v1_2: plain.append(Byte.carriageReturn)
            default: throw fault(.malformed, at: index - 2, "an escape that is not valid in STOMP \(version.rawValue)")
            }
        }
        return try text(plain[...], at: range.lowerBound)
    }
}
