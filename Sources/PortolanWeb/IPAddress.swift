/// An IPv4 or IPv6 address.
public struct IPAddress: Hashable, Sendable {
    /// The 4 or 16 bytes, most significant first.
    public let bytes: [UInt8]

    /// Creates an address from its 4 or 16 bytes; `nil` for any other number of bytes.
    public init?(bytes: [UInt8]) {
        guard bytes.count == 4 || bytes.count == 16 else { return nil }
        self.bytes = bytes
    }

    /// Parses the host of a URL in every spelling that resolvers accept as an address, or returns `nil` for a name.
    ///
    /// IPv4 addresses may have fewer than four parts, also in octal and hexadecimal, and a trailing dot, as in `127.1`,
    /// `0177.0.0.1` and `2130706433.` (WHATWG URL standard, and inet_aton(3)). IPv6 addresses may have brackets, as in
    /// `[::ffff:127.0.0.1]` (RFC 4291, section 2.2).
    public init?(host: some StringProtocol) {
        var text = Substring(host)
        if text.hasPrefix("["), text.hasSuffix("]") { text = text.dropFirst().dropLast() }
        guard let bytes = text.contains(":") ? Self.version6(text) : Self.version4(text) else { return nil }
        self.bytes = bytes
    }

    private static func version4(_ text: Substring) -> [UInt8]? {
        var parts = text.split(separator: ".", omittingEmptySubsequences: false)
        if parts.count > 1, parts.last?.isEmpty == true { parts.removeLast() }
        guard (1...4).contains(parts.count) else { return nil }
        let numbers = parts.compactMap(number)
        guard numbers.count == parts.count, let last = numbers.last, numbers.dropLast().allSatisfy({ $0 < 256 }),
            last < 1 << (8 * (5 - numbers.count))
        else { return nil }
        // The last part fills the remaining bytes.
        let rest = (0..<(5 - numbers.count)).reversed().map { UInt8(truncatingIfNeeded: last >> (8 * $0)) }
        return numbers.dropLast().map { UInt8(truncatingIfNeeded: $0) } + rest
    }

    private static func number(_ text: Substring) -> Int? {
        guard text.first?.isNumber == true else { return nil }
        if text.hasPrefix("0x") || text.hasPrefix("0X") {
            let digits = text.dropFirst(2)
            return digits.isEmpty ? 0 : digits.allSatisfy(\.isHexDigit) ? Int(digits, radix: 16) : nil
        }
        guard text.utf8.allSatisfy(\.isASCIIDigit) else { return nil }
        return text.hasPrefix("0") && text.count > 1 ? Int(text.dropFirst(), radix: 8) : Int(text)
    }

    private static func version6(_ text: Substring) -> [UInt8]? {
        let halves = text.split(separator: "::", maxSplits: 2, omittingEmptySubsequences: false)
        guard halves.count <= 2, let head = groups(halves[0], isLast: halves.count == 1) else { return nil }
        guard halves.count == 2 else { return head.count == 16 ? head : nil }
        guard let tail = groups(halves[1], isLast: true), head.count + tail.count <= 14 else { return nil }
        return head + [UInt8](repeating: 0, count: 16 - head.count - tail.count) + tail
    }

    /// Returns the bytes of groups of four digits, the last of which may be an IPv4 address.
    private static func groups(_ text: Substring, isLast: Bool) -> [UInt8]? {
        if text.isEmpty { return [] }
        let groups = text.split(separator: ":", omittingEmptySubsequences: false)
        var bytes: [UInt8] = []
        for (place, group) in groups.enumerated() {
            if isLast, place == groups.count - 1, group.contains(".") {
                guard let version4 = version4(group) else { return nil }
                bytes += version4
                continue
            }
            guard (1...4).contains(group.utf8.count), group.allSatisfy(\.isHexDigit),
                let value = UInt16(group, radix: 16)
            else { return nil }
            bytes += [UInt8(value >> 8), UInt8(value & 0xFF)]
        }
        return bytes.count <= 16 ? bytes : nil
    }
}

extension IPAddress {
    /// The networks of addresses, by the registries of special-purpose addresses (RFC 6890).
    public enum Network: String, Hashable, Sendable, CaseIterable {
        /// Public addresses.
        case global
        /// This machine (`127.0.0.0/8`, `::1`).
        case loopback
        /// Private networks (`10.0.0.0/8`, `172.16.0.0/12`, `192.168.0.0/16`, `fc00::/7`).
        case privateUse = "private"
        /// The network between a provider and its customers (`100.64.0.0/10`, RFC 6598).
        case carrier
        /// The local link (`169.254.0.0/16`, `fe80::/10`), which includes the metadata services of clouds.
        case linkLocal
        /// No address (`0.0.0.0/8`, `::`), which systems interpret as this machine.
        case unspecified
        /// Multicast (`224.0.0.0/4`, `ff00::/8`).
        case multicast
        /// Documentation, benchmarks and unassigned addresses.
        case reserved
    }

    /// The network of the address.
    ///
    /// For an IPv6 address that contains an IPv4 address, it is the network of the latter.
    public var network: Network {
        bytes.count == 4 ? Self.network(ofVersion4: bytes[...]) : Self.network(ofVersion6: bytes)
    }

    private static func network(ofVersion4 bytes: ArraySlice<UInt8>) -> Network {
        let first = bytes[bytes.startIndex], second = bytes[bytes.startIndex + 1], third = bytes[bytes.startIndex + 2]
        switch (first, second, third) {
        case (0, _, _): return .unspecified
        case (10, _, _), (172, 16...31, _), (192, 168, _): return .privateUse
        case (100, 64...127, _): return .carrier
        case (127, _, _): return .loopback
        case (169, 254, _): return .linkLocal
        case (192, 0, 0), (192, 0, 2), (192, 88, 99), (198, 18...19, _), (198, 51, 100), (203, 0, 113): return .reserved
        case (224...239, _, _): return .multicast
        case (240..., _, _): return .reserved
        default: return .global
        }
    }

    private static func network(ofVersion6 bytes: [UInt8]) -> Network {
        let last = bytes[12...]
        if bytes.dropLast().allSatisfy({ $0 == 0 }), bytes[15] < 2 { return bytes[15] == 1 ? .loopback : .unspecified }
        let zeros = bytes.prefix { $0 == 0 }.count
        // IPv4-compatible, mapped and translated addresses, and those behind a NAT64 (RFC 4291, 2765 and 6052).
        if zeros >= 12 || zeros == 10 && bytes[10] == 0xFF && bytes[11] == 0xFF
            || zeros == 8 && bytes[8...11].elementsEqual([0xFF, 0xFF, 0, 0])
            || bytes[..<12].elementsEqual([0, 0x64, 0xFF, 0x9B, 0, 0, 0, 0, 0, 0, 0, 0])
        {
            return network(ofVersion4: last)
        }
        switch (bytes[0], bytes[1]) {
        case (0, 0x64) where bytes[2] == 0xFF && bytes[3] == 0x9B: return .privateUse
        // 6to4 (RFC 3056): the address of the decapsulating router.
        case (0x20, 0x02): return network(ofVersion4: bytes[2...5])
        // Teredo, benchmarks, documentation.
        case (0x20, 0x01) where bytes[2] < 2 || bytes[2] == 0x0D && bytes[3] == 0xB8: return .reserved
        case (0x3F, 0xFF) where bytes[2] < 0x10: return .reserved
        case (0x20...0x3F, _): return .global
        case (0xFC...0xFD, _): return .privateUse
        // Site-local addresses (fec0::/10) are deprecated, and were private.
        case (0xFE, 0xC0...): return .privateUse
        case (0xFE, 0x80...0xBF): return .linkLocal
        case (0xFF, _): return .multicast
        default: return .reserved
        }
    }
}

extension IPAddress: CustomStringConvertible {
    /// The address as `10.0.0.7`, or as groups of hexadecimal digits.
    public var description: String {
        if bytes.count == 4 { return bytes.map(String.init).joined(separator: ".") }
        let groups = stride(from: 0, to: 16, by: 2).map { UInt16(bytes[$0]) << 8 | UInt16(bytes[$0 + 1]) }
        return groups.map { String($0, radix: 16) }.joined(separator: ":")
    }
}
