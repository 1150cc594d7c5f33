import PortolanWeb

/// One header field of a request or a response.
///
/// Two headers are equal when their values are and their names differ at most in case (RFC 9110, section 5.1).
public struct HTTPHeader: Sendable {
    /// The field name as it was written.
    public var name: String

    /// The field value, without the white space around it.
    public var value: String

    /// Makes a header; the syntax is checked when the request is sent (``FetchError/Code/invalidRequest``).
    public init(name: String, value: String) {
        self.name = name
        self.value = value
    }
}

extension HTTPHeader: Hashable {
    /// Whether both have the same value and, but for case, the same name.
    public static func == (left: HTTPHeader, right: HTTPHeader) -> Bool {
        left.value == right.value && left.isNamed(right.name)
    }

    /// Hashes what `==` compares.
    public func hash(into hasher: inout Hasher) {
        for byte in name.utf8 { hasher.combine(byte.asciiLowercased) }
        hasher.combine(value)
    }
}

extension HTTPHeader {
    /// Whether this field has the name `name`, compared without regard to ASCII case.
    package func isNamed(_ name: String) -> Bool {
        self.name.utf8.count == name.utf8.count
            && zip(self.name.utf8, name.utf8).allSatisfy { $0.asciiLowercased == $1.asciiLowercased }
    }

    /// What is wrong with the field's syntax (RFC 9110, section 5), in words; nil when nothing is.
    package var syntaxFault: String? {
        if name.isEmpty { return "a header has no name" }
        guard name.utf8.allSatisfy(\.isHTTPTokenByte) else {
            return "a header name has a character HTTP does not allow"
        }
        // A line break would smuggle in further headers.
        let isClean = value.utf8.allSatisfy { $0 >= 0x20 && $0 != 0x7F || $0 == 0x09 }
        return isClean ? nil : "the value of header \(name) has a control character"
    }
}

extension UInt8 {
    /// `tchar` of RFC 9110, section 5.6.2.
    fileprivate var isHTTPTokenByte: Bool {
        switch self {
        case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
            UInt8(ascii: "0")...UInt8(ascii: "9"):
            true
        default: "!#$%&'*+-.^_`|~".utf8.contains(self)
        }
    }
}
