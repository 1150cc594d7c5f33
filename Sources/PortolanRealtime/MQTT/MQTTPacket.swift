/// A control packet of MQTT 3.1.1 (OASIS Standard, 29 October 2014) that a subscriber sends or receives.
package enum MQTTPacket: Hashable, Sendable {
    /// CONNECT (section 3.1), with a clean session and without a will.
    case connect(MQTTConnecting)
    /// CONNACK (section 3.2).
    ///
    /// The code is 0 if the connection is accepted, otherwise the reason of the refusal.
    case connectAcknowledged(hasSession: Bool, code: UInt8)
    /// PUBLISH (section 3.3).
    case publish(MQTTMessage)
    /// PUBACK (section 3.4).
    case publishAcknowledged(id: UInt16)
    /// SUBSCRIBE (section 3.8).
    ///
    /// All filters have quality of service 0.
    case subscribe(id: UInt16, filters: [String])
    /// SUBACK (section 3.9).
    ///
    /// There is one code for each filter; 0x80 means that it is refused.
    case subscribeAcknowledged(id: UInt16, codes: [UInt8])
    /// UNSUBSCRIBE (section 3.10).
    case unsubscribe(id: UInt16, filters: [String])
    /// UNSUBACK (section 3.11).
    case unsubscribeAcknowledged(id: UInt16)
    /// PINGREQ (section 3.12).
    case ping
    /// PINGRESP (section 3.13).
    case pong
    /// DISCONNECT (section 3.14).
    case disconnect
}

/// The content of a CONNECT packet (section 3.1).
package struct MQTTConnecting: Hashable, Sendable {
    /// The client identifier, or an empty string to let the broker choose one.
    package var client: String
    /// The maximum interval in seconds between packets of the client; 0 disables the check.
    package var keepAlive: UInt16
    /// The user name, or `nil`.
    package var user: String?
    /// The password, or `nil`.
    ///
    /// It requires a user name.
    package var password: String?

    /// Creates the content of a CONNECT packet.
    package init(client: String = "", keepAlive: UInt16 = 30, user: String? = nil, password: String? = nil) {
        self.client = client
        self.keepAlive = keepAlive
        self.user = user
        self.password = password
    }
}

/// A message on a topic (section 3.3).
package struct MQTTMessage: Hashable, Sendable {
    /// The topic: levels separated by `/`.
    package var topic: String
    /// The payload.
    package var payload: [UInt8]
    /// The packet identifier of a message with quality of service 1, or `nil` for 0.
    package var id: UInt16?
    /// Whether the broker stored the message for later subscribers.
    package var isRetained = false
    /// Whether the message may be a duplicate.
    package var isRepeated = false

    /// Creates a message.
    package init(topic: String, payload: [UInt8], id: UInt16? = nil) {
        self.topic = topic
        self.payload = payload
        self.id = id
    }
}

extension MQTTPacket {
    /// The encoded packet, or `nil` if a text exceeds 65,535 bytes or the packet 268,435,455 bytes (section 2.2.3).
    package var encoded: [UInt8]? {
        var body: [UInt8] = [], head: UInt8
        func append(_ number: UInt16) { body += [UInt8(number >> 8), UInt8(number & 0xFF)] }
        func append(_ text: String) -> Bool {
            guard let count = UInt16(exactly: text.utf8.count) else { return false }
            append(count)
            body += text.utf8
            return true
        }
        switch self {
        case .connect(let client):
            head = 0x10
            guard append("MQTT") else { return nil }
            let hasPassword = client.user != nil && client.password != nil
            // The flags are clean session, user name and password.
            body += [4, 0x02 | (client.user != nil ? 0x80 : 0) | (hasPassword ? 0x40 : 0)]
            append(client.keepAlive)
            guard append(client.client) else { return nil }
            if let user = client.user, !append(user) { return nil }
            if hasPassword, let password = client.password, !append(password) { return nil }
        case .connectAcknowledged(let hasSession, let code):
            head = 0x20
            body = [hasSession ? 1 : 0, code]
        case .publish(let message):
            head = 0x30 | (message.isRepeated ? 8 : 0) | (message.id != nil ? 2 : 0) | (message.isRetained ? 1 : 0)
            guard append(message.topic) else { return nil }
            if let id = message.id { append(id) }
            body += message.payload
        case .publishAcknowledged(let id):
            head = 0x40
            append(id)
        case .subscribe(let id, let filters):
            head = 0x82
            append(id)
            for filter in filters {
                guard append(filter) else { return nil }
                body.append(0)
            }
        case .subscribeAcknowledged(let id, let codes):
            head = 0x90
            append(id)
            body += codes
        case .unsubscribe(let id, let filters):
            head = 0xA2
            append(id)
            for filter in filters where !append(filter) { return nil }
        case .unsubscribeAcknowledged(let id):
            head = 0xB0
            append(id)
        case .ping: head = 0xC0
        case .pong: head = 0xD0
        case .disconnect: head = 0xE0
        }
        guard body.count <= 268_435_455 else { return nil }
        var length = body.count, bytes = [head]
        repeat {
            let digit = UInt8(length & 0x7F)
            length >>= 7
            bytes.append(length > 0 ? digit | 0x80 : digit)
        } while length > 0
        return bytes + body
    }
}
