import PortolanWeb

/// The directives of a response's `Cache-Control` to a private cache (RFC 9111, section 5.2.2; RFC 5861; RFC 8246).
///
/// `s-maxage`, `public`, `private` and `proxy-revalidate` speak to shared caches and are passed over.
package struct CacheDirectives: Hashable, Sendable {
    /// Seconds that the response is fresh.
    package var maxAge: Int?
    /// It is not to be kept.
    package var isNoStore = false
    /// It is not to be used without asking first.
    package var isNoCache = false
    /// Once stale it is not to be used without asking first, even when nobody answers.
    package var mustRevalidate = false
    /// It does not change while it is fresh.
    package var isImmutable = false
    /// Seconds after its time in which it may be used while it is asked for anew.
    package var staleWhileRevalidate: Int?
    /// Seconds after its time in which it may be used when it cannot be had anew.
    package var staleIfError: Int?

    /// A day in far future: what is longer counts as this long (RFC 9111, section 1.2.2, wants 2^31 at least).
    package static let longestSeconds = 1 << 31

    /// Reads the fields; where a directive stands twice or is no number, the one that keeps less counts.
    package init(_ fields: [String]) {
        for item in fields.flatMap(Self.items) {
            let equals = item.utf8.firstIndex(of: UInt8(ascii: "="))
            let name = item[..<(equals ?? item.endIndex)].trimmed.lowercased()
            let value = equals.map { item[item.utf8.index(after: $0)...].trimmed.unquoted }
            switch name {
            case "max-age": maxAge = min(maxAge ?? .max, Self.seconds(value))
            case "no-store": isNoStore = true
            // With names of fields it would concern these alone; the cautious reading is allowed.
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

    /// The items between commas outside quotes.
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

    /// A number that cannot be read means: stale (RFC 9111, section 4.2.1).
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
