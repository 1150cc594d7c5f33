extension STOMPFrame {
    /// A STOMP version, as named in `accept-version`.
    public enum Version: String, Hashable, Sendable, CaseIterable, Comparable {
        case v1_0 = "1.0"
        case v1_1 = "1.1"
        case v1_2 = "1.2"

        /// Returns whether the first version is older than the second.
        public static func < (a: STOMPFrame.Version, b: STOMPFrame.Version) -> Bool { a.rawValue < b.rawValue }
    }
}

/// A STOMP frame: a command, header fields and a body.
public struct STOMPFrame: Hashable, Sendable {
    /// A header field with its name and its unescaped value.
    public struct Header: Hashable, Sendable {
        /// The name.
        public var name: String
        /// The value.
        public var value: String

        /// Creates a header field.
        public init(_ name: String, _ value: String) {
            self.name = name
            self.value = value
        }
    }

    /// The command, such as `MESSAGE`.
    public var command: String
    /// The header fields in order.
    ///
    /// The first one with a name counts (STOMP 1.2, "Repeated Header Entries").
    public var headers: [Header]
    /// The body.
    public var body: [UInt8]

    /// Creates a frame.
    public init(_ command: String, _ headers: [Header] = [], body: [UInt8] = []) {
        self.command = command
        self.headers = headers
        self.body = body
    }

    /// Returns the value of the first header field with a name.
    public subscript(name: String) -> String? { headers.first { $0.name == name }?.value }

    /// Returns the encoded frame, with header fields escaped as the version requires and a NUL at the end.
    ///
    /// `CONNECT` and `CONNECTED` are not escaped (STOMP 1.2, "Value Encoding"), and neither is any frame in version
    /// 1.0. There, line ends and colons in names are replaced with spaces, so that values cannot inject header fields
    /// or frames.
    public func encoded(for version: STOMPFrame.Version) -> [UInt8] {
        var bytes: [UInt8] = []
        bytes.reserveCapacity(64 + headers.count * 32 + body.count)
        bytes += command.utf8
        bytes.append(Byte.lineFeed)
        let isEscaped = version > .v1_0 && command != "CONNECT" && command != "CONNECTED"
        func append(_ text: String, isName: Bool) {
            for byte in text.utf8 {
                switch byte {
                case Byte.lineFeed where isEscaped: bytes += [Byte.backslash, UInt8(ascii: "n")]
                case Byte.colon where isEscaped: bytes += [Byte.backslash, UInt8(ascii: "c")]
                case Byte.backslash where isEscaped: bytes += [Byte.backslash, Byte.backslash]
                // Version 1.1 has no escape for it, and 1.2 would treat it as a part of the line end.
                case Byte.carriageReturn where isEscaped && version == .v1_2:
                    bytes += [Byte.backslash, UInt8(ascii: "r")]
                case 0, Byte.lineFeed, Byte.carriageReturn: bytes.append(0x20)
                case Byte.colon where isName: bytes.append(0x20)
                default: bytes.append(byte)
                }
            }
        }
        for header in headers {
            append(header.name, isName: true)
            bytes.append(Byte.colon)
            append(header.value, isName: false)
            bytes.append(Byte.lineFeed)
        }
        if !body.isEmpty, self["content-length"] == nil { bytes += "content-length:\(body.count)\n".utf8 }
        bytes.append(Byte.lineFeed)
        bytes += body
        bytes.append(0)
        return bytes
    }
}

/// The delimiters of frames.
enum Byte {
    static let lineFeed = UInt8(ascii: "\n")
    static let carriageReturn = UInt8(ascii: "\r")
    static let colon = UInt8(ascii: ":")
    static let backslash = UInt8(ascii: "\\")
}
