/// An incremental parser for MQTT 3.1.1 packets.
///
/// The cost is linear in the number of bytes. At most one incomplete packet and one chunk are buffered.
package struct MQTTParser: Sendable {
    private let limit: Int
    private let source: String
    private var bytes: [UInt8] = []
    private var start = 0
    /// The number of bytes before `bytes`.
    private var passed = 0

    /// Creates a parser.
    ///
    /// - Parameters:
    ///   - limit: the maximum number of bytes after the length of a packet; 1 MiB by default.
    ///   - source: the name used in errors.
    package init(limit: Int = 1 << 20, source: String = "MQTT") {
        self.limit = limit
        self.source = source
    }

    /// Appends received bytes.
    package mutating func append(_ more: [UInt8]) {
        if start == bytes.count {
            passed += start
            start = 0
            bytes = more
            return
        }
        if start > bytes.count / 2 {
            bytes.removeFirst(start)
            passed += start
            start = 0
        }
        bytes += more
    }

    /// Returns the next complete packet, or `nil` if more bytes are needed.
    ///
    /// No more packets can be read after an error.
    ///
    /// - Throws: ``FeedError/Code/malformed``, ``FeedError/Code/limitExceeded``, or ``FeedError/Code/unsupported`` for
    ///   a message with quality of service 2, which was not requested.
    package mutating func next() throws(FeedError) -> MQTTPacket? {
        guard start < bytes.count else { return nil }
        // Section 2.2.3: up to four bytes with seven bits each.
        var length = 0, index = start + 1, shift = 0
        while true {
            guard shift < 28 else { throw fault(.malformed, at: start + 1, "invalid packet length") }
            guard index < bytes.count else { return nil }
            length |= Int(bytes[index] & 0x7F) << shift
            shift += 7
            index += 1
            if bytes[index - 1] & 0x80 == 0 { break }
        }
        guard length <= limit else {
            throw fault(.limitExceeded, at: start, "a packet of \(length) bytes exceeds the limit of \(limit)")
        }
        guard bytes.count - index >= length else { return nil }
        var body = Body(rest: bytes[index..<(index + length)])
        guard let packet = try read(bytes[start], &body), body.rest.isEmpty else {
            throw fault(.malformed, at: start, "unsupported packet type \(bytes[start] >> 4)")
        }
        start = index + length
        return packet
    }

    private func fault(_ code: FeedError.Code, at offset: Int, _ reason: String) -> FeedError {
        FeedError(code, source: source, offset: passed + offset, reason)
    }

    /// A reader for the part after the length.
    ///
    /// Its functions return `nil` if bytes are missing.
    private struct Body {
        var rest: ArraySlice<UInt8>

        mutating func byte() -> UInt8? { rest.popFirst() }

        mutating func number() -> UInt16? {
            guard let high = rest.popFirst(), let low = rest.popFirst() else { return nil }
            return UInt16(high) << 8 | UInt16(low)
        }

        /// Reads a packet identifier, which is never 0 (section 2.3.1).
        mutating func id() -> UInt16? { number().flatMap { $0 == 0 ? nil : $0 } }

        /// Reads UTF-8 text without U+0000 (section 1.5.3).
        mutating func text() -> String? {
            guard let count = number(), rest.count >= count else { return nil }
            let bytes = rest.prefix(Int(count))
            rest = rest.dropFirst(Int(count))
            return bytes.contains(0) ? nil : String(validating: bytes, as: UTF8.self)
        }

        /// Reads all remaining bytes.
        mutating func all() -> [UInt8] {
            defer { rest = [] }
            return Array(rest)
        }
    }

    /// Parses a packet from its first byte and its body, or returns `nil` if it is invalid.
    private func read(_ head: UInt8, _ body: inout Body) throws(FeedError) -> MQTTPacket? {
        switch head {
        case 0x10: return readConnect(&body)
        case 0x20:
            guard let flags = body.byte(), flags <= 1, let code = body.byte() else { return nil }
            return .connectAcknowledged(hasSession: flags == 1, code: code)
        case 0x30...0x3F:
            guard let topic = body.text(), !topic.isEmpty, !topic.utf8.contains(where: { "+#".utf8.contains($0) })
            else {
                return nil
            }
            var message = MQTTMessage(topic: topic, payload: [])
            switch head >> 1 & 3 {
            case 0: break
            case 1:
                guard let id = body.id() else { return nil }
                message.id = id
            case 2: throw fault(.unsupported, at: start, "unsupported quality of service (exactly once)")
            default: return nil
            }
            message.isRetained = head & 1 == 1
            message.isRepeated = head & 8 == 8
            message.payload = body.all()
            return .publish(message)
        case 0x40: return body.id().map { .publishAcknowledged(id: $0) }
        case 0x82:
            guard let id = body.id() else { return nil }
            var filters: [String] = []
            while !body.rest.isEmpty {
                guard let filter = body.text(), !filter.isEmpty, let quality = body.byte(), quality <= 2 else {
                    return nil
                }
                filters.append(filter)
            }
            return filters.isEmpty ? nil : .subscribe(id: id, filters: filters)
        case 0x90:
            guard let id = body.id() else { return nil }
            let codes = body.all()
            guard !codes.isEmpty, codes.allSatisfy({ $0 <= 2 || $0 == 0x80 }) else { return nil }
            return .subscribeAcknowledged(id: id, codes: codes)
        case 0xA2:
            guard let id = body.id() else { return nil }
            var filters: [String] = []
            while !body.rest.isEmpty {
                guard let filter = body.text(), !filter.isEmpty else { return nil }
                filters.append(filter)
            }
            return filters.isEmpty ? nil : .unsubscribe(id: id, filters: filters)
        case 0xB0: return body.id().map { .unsubscribeAcknowledged(id: $0) }
        case 0xC0: return .ping
        case 0xD0: return .pong
        case 0xE0: return .disconnect
        default: return nil
        }
    }

    private func readConnect(_ body: inout Body) -> MQTTPacket? {
        // A will is not supported.
        guard body.text() == "MQTT", body.byte() == 4, let flags = body.byte(), flags & 0x3F == 0x02,
            let keepAlive = body.number(), let client = body.text()
        else { return nil }
        var connecting = MQTTConnecting(client: client, keepAlive: keepAlive)
        if flags & 0x80 != 0 {
            guard let user = body.text() else { return nil }
            connecting.user = user
        }
        if flags & 0x40 != 0 {
            guard flags & 0x80 != 0, let password = body.text() else { return nil }
            connecting.password = password
        }
        return .connect(connecting)
    }
}
