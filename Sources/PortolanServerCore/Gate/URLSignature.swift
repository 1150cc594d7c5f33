import PortolanFetch
import PortolanWeb

/// Signed URLs: `…?…&expires=T&sig=S`, where S is the HMAC-SHA256 (RFC 2104) of the path and query before it in
/// unpadded base64url.
package struct URLSignature: Hashable, Sendable {
    /// The keys.
    ///
    /// The first one signs and all are accepted, so that keys can be rotated.
    private let keys: [[UInt8]]

    /// Creates signatures with keys, or returns `nil` if there is no key or one has fewer than 16 bytes.
    package init?(keys: [[UInt8]]) {
        guard !keys.isEmpty, keys.allSatisfy({ $0.count >= 16 }) else { return nil }
        self.keys = keys
    }

    /// Returns a URL with its signature.
    ///
    /// - Parameters:
    ///   - target: the path and the query.
    ///   - expiry: the time until which it is valid, in seconds since 1970.
    package func signing(_ target: String, expiry: Int) -> String {
        let signed = target + (target.contains("?") ? "&" : "?") + "expires=\(expiry)"
        return signed + "&sig=" + Self.letters(Self.code(Array(signed.utf8), key: keys[0]))
    }

    /// Checks the signature and expiry of a URL.
    ///
    /// - Parameter now: seconds since 1970.
    /// - Throws: ``Problem`` of kind `unauthorized`.
    package func check(_ target: String, now: Int) throws(Problem) {
        guard let mark = target.ranges(of: "&sig=").last else {
            throw Problem(.unauthorized, "missing signature", key: "sig")
        }
        let signed = Array(target[..<mark.lowerBound].utf8), signature = Array(target[mark.upperBound...].utf8)
        // Takes the same time whichever key matches, and however much of a wrong signature matches.
        var isValid = false
        for key in keys {
            let right = Array(Self.letters(Self.code(signed, key: key)).utf8)
            let difference = zip(right, signature).reduce(right.count ^ signature.count) { $0 | Int($1.0 ^ $1.1) }
            if difference == 0 { isValid = true }
        }
        guard isValid else { throw Problem(.unauthorized, "invalid signature", key: "sig") }
        let query = target[..<mark.lowerBound].split(separator: "?", maxSplits: 1).dropFirst().first ?? ""
        let expiry = query.split(separator: "&").last { $0.hasPrefix("expires=") }.flatMap { Int($0.dropFirst(8)) }
        guard let expiry, now <= expiry else {
            throw Problem(.unauthorized, "expired signature", key: "expires")
        }
    }

    /// Returns the HMAC-SHA256 of a message.
    ///
    /// - Complexity: O(*n*) in the number of bytes.
    package static func code(_ message: [UInt8], key: [UInt8]) -> [UInt8] {
        var block = key.count > 64 ? SHA256.hash(key) : key
        block += [UInt8](repeating: 0, count: 64 - block.count)
        let inner = SHA256.hash(block.map { $0 ^ 0x36 } + message)
        return SHA256.hash(block.map { $0 ^ 0x5C } + inner)
    }

    private static func letters(_ bytes: [UInt8]) -> String {
        Base64.encode(bytes).replacing("+", with: "-").replacing("/", with: "_").replacing("=", with: "")
    }
}
