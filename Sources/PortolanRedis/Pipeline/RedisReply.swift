/// What a server replies to a command.
enum RedisReply: Hashable, Sendable {
    case nothing
    case integer(Int)
    case bytes([UInt8])
    case status(String)
    case error(String)
    case array([RedisReply])

    /// The number, or 0 when it is none.
    var integer: Int { if case .integer(let number) = self { number } else { 0 } }

    /// The bytes; none when it holds none.
    var bytes: [UInt8] { if case .bytes(let bytes) = self { bytes } else { [] } }

    /// The words of an error.
    var error: String? { if case .error(let words) = self { words } else { nil } }
}
