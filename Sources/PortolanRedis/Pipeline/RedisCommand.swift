/// A command as it is sent: an array of byte strings in the Redis serialization protocol (RESP 2).
struct RedisCommand: Sendable {
    /// One word of a command: its name, a key, a value.
    struct Word: ExpressibleByStringInterpolation {
        var bytes: [UInt8]

        init(_ bytes: [UInt8]) { self.bytes = bytes }
        init(stringLiteral text: String) { bytes = Array(text.utf8) }
        init(_ text: String) { bytes = Array(text.utf8) }
    }

    let bytes: [UInt8]

    init(_ words: Word...) {
        var bytes = Array("*\(words.count)\r\n".utf8)
        bytes.reserveCapacity(words.reduce(bytes.count) { $0 + $1.bytes.count + 24 })
        for word in words {
            bytes += "$\(word.bytes.count)\r\n".utf8
            bytes += word.bytes
            bytes += "\r\n".utf8
        }
        self.bytes = bytes
    }
}
