import PortolanWeb

/// The `Cache-Control` directives of a response for a private cache (RFC 9111, section 5.2.2; RFC 5861; RFC 8246).
///
/// `s-maxage`, `public`, `private` and `proxy-revalidate` apply to shared caches and are ignored.
package struct CacheDirectives: Hashable, Sendable {
    /// The number of seconds for which the response is fresh.
    package var maxAge: Int?
    /// Whether the response must not be stored.
    package var isNoStore = false
    /// Whether the response must not be used without revalidation.
    package var isNoCache = false
    /// Whether a stale response must not be used without revalidation, even if the server is unreachable.
    package var mustRevalidate = false
    /// Whether the response does not change while it is fresh.
    package var isImmutable = false
    /// The seconds for which a stale response may be used while it is revalidated.
    package var staleWhileRevalidate: Int?
    /// The seconds for which a stale response may be used if revalidation fails.
    package var staleIfError: Int?

    /// The limit to which longer times are reduced; at least 2^31 by RFC 9111, section 1.2.2.
    package static let longestSeconds = 1 << 31

    /// Parses header fields.
    ///
    /// Of repeated directives the more restrictive one is used, and an invalid number means 0.
    package init(_ fields: [String]) {
        for item in fields.flatMap(Self.items) {
            let equals = item.utf8.firstIndex(of: UInt8(ascii: "="))
            let name = item[..<(equals ?? item.endIndex)].trimmed.lowercased()
            let value = equals.map { item[item.utf8.index(after: $0)...].trimmed.unquoted }
            switch name {
            case "max-age": maxAge = min(maxAge ?? .max, Self.seconds(value))
            case "no-store": isNoStore = true
            // With field names it would apply to these fields only; the stricter interpretation is allowed.
            case "no-cache": isNoCache = true
            case "must-revalidate": mustRevalidate = true
            case "immutable": isImmutable = true
            case "stale-while-revalidate":
                staleWhileRevalidate = min(staleWhileRevalidate ?? .max, Self.seconds(value))
            case "stale-if-error": staleIfError = min(staleIfError ?? .max, Self.seconds(value))
            default: break
            }
        }
    }

    /// Splits a field at commas outside quotes.
    private static func items(_ field: String) -> [Substring] {
        var items: [Substring] = [], start = field.startIndex, isQuoted = false
        for index in field.utf8.indices {
            let byte = field.utf8[index]
            if byte == UInt8(ascii: "\"") { isQuoted.toggle() }
            guard byte == UInt8(ascii: ","), !isQuoted else { continue }
            items.append(field[start..<index])
            start = field.utf8.index(after: index)
        }
        items.append(field[start...])
        return items
    }

    /// Parses seconds.
    ///
    /// An invalid number means stale (RFC 9111, section 4.2.1).
    private static func seconds(_ text: Substring?) -> Int {
        guard let text, !text.isEmpty, text.utf8.allSatisfy(\.isASCIIDigit) else { return 0 }
        return min(Int(text) ?? longestSeconds, longestSeconds)
    }
}

extension Substring {
    fileprivate var unquoted: Substring {
        utf8.count >= 2 && utf8.first == UInt8(ascii: "\"") && utf8.last == UInt8(ascii: "\"")
            ? dropFirst().dropLast() : self
    }
}
