/// A message of an event stream (WHATWG HTML, "Server-sent events").
package struct EventStreamMessage: Hashable, Sendable {
    /// The name of the event, "message" by default.
    package var event: String
    /// The data.
    package var data: String
    /// The identifier that a client sends when it reconnects, or `nil`.
    package var id: String?

    /// Creates a message.
    package init(event: String = "message", data: String, id: String? = nil) {
        self.event = event
        self.data = data
        self.id = id
    }

    /// The encoded message: UTF-8 with an empty line at the end.
    package var bytes: [UInt8] {
        var text = ""
        // A line break in a name or identifier would start another field.
        func field(_ name: String, _ value: String) {
            text += "\(name): \(value.filter { !$0.isNewline && $0 != "\0" })\n"
        }
        if let id { field("id", id) }
        if event != "message" { field("event", event) }
        for line in data.split(
            omittingEmptySubsequences: false, whereSeparator: { $0 == "\n" || $0 == "\r\n" || $0 == "\r" })
        {
            text += "data: \(line)\n"
        }
        return Array((text + "\n").utf8)
    }

    /// A comment that keeps an idle connection open.
    package static let stillHere: [UInt8] = Array(":\n\n".utf8)
}

/// An incremental parser for event streams (WHATWG HTML, "Interpreting an event stream").
package struct EventStreamReader: Sendable {
    private var line: [UInt8] = []
    private var data: [UInt8]?
    private var event = ""
    private var isAfterReturn = false, isAtStart = true
    private let limit: Int
    private let source: String
    /// The last received identifier, or "".
    package private(set) var lastID = ""
    /// The reconnection delay if the server sent one.
    package private(set) var retry: Duration?

    /// Creates a parser.
    ///
    /// - Parameter limit: the maximum size of a message in bytes.
    package init(source: String = "event stream", limit: Int = 64 << 20) {
        self.source = source
        self.limit = limit
    }

    /// Parses bytes, and returns the completed messages.
    ///
    /// - Throws: ``FeedError`` if a message exceeds the limit.
    package mutating func take(_ bytes: some Sequence<UInt8>) throws(FeedError) -> [EventStreamMessage] {
        var messages: [EventStreamMessage] = []
        for byte in bytes {
            if byte == 0x0A, isAfterReturn {
                isAfterReturn = false
                continue
            }
            isAfterReturn = byte == 0x0D
            if byte == 0x0A || byte == 0x0D {
                if let message = endLine() { messages.append(message) }
                continue
            }
            line.append(byte)
            guard line.count + (data?.count ?? 0) <= limit else {
                throw FeedError(.limitExceeded, source: source, "a message exceeds \(limit) bytes")
            }
        }
        return messages
    }

    private mutating func endLine() -> EventStreamMessage? {
        var line = self.line[...]
        self.line = []
        if isAtStart, line.starts(with: [0xEF, 0xBB, 0xBF]) { line = line.dropFirst(3) }
        isAtStart = false
        if line.isEmpty { return endMessage() }
        let colon = line.firstIndex(of: UInt8(ascii: ":"))
        guard colon != line.startIndex else { return nil }
        let name = line[..<(colon ?? line.endIndex)]
        var value = colon.map { line[($0 + 1)...] } ?? []
        if value.first == 0x20 { value = value.dropFirst() }
        switch String(decoding: name, as: UTF8.self) {
        case "data": data = (data.map { $0 + [0x0A] } ?? []) + value
        case "event": event = String(decoding: value, as: UTF8.self)
        case "id": if !value.contains(0) { lastID = String(decoding: value, as: UTF8.self) }
        case "retry":
            if value.count < 10, let milliseconds = Int(String(decoding: value, as: UTF8.self)), milliseconds >= 0 {
                retry = .milliseconds(milliseconds)
            }
        default: break
        }
        return nil
    }

    private mutating func endMessage() -> EventStreamMessage? {
        defer { (data, event) = (nil, "") }
        guard let data else { return nil }
        return EventStreamMessage(
            event: event.isEmpty ? "message" : event, data: String(decoding: data, as: UTF8.self),
            id: lastID.isEmpty ? nil : lastID)
    }
}
