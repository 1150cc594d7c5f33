/// A part of an attribution that leads to a page on the web.
package struct AttributionLink: Hashable, Sendable {
    /// The part, as it is in the attribution.
    package let text: String
    /// The address, with the scheme `http` or `https`.
    package let address: String

    /// Creates a link, or returns `nil` without a text, or for an address with another scheme.
    package init?(text: String, address: String) {
        let scheme = address.prefix { $0 != ":" }.lowercased()
        guard !text.isEmpty, ["http", "https"].contains(scheme), address.utf8.count <= 2000,
            address.unicodeScalars.allSatisfy({ $0.value > 0x20 && $0.value != 0x7F })
        else { return nil }
        (self.text, self.address) = (text, address)
    }

    /// Returns the addresses that are written in a text.
    package static func written(in text: String) -> [AttributionLink] {
        text.split(whereSeparator: \.isWhitespace).compactMap { word in
            guard
                let start = [word.firstRange(of: "https://"), word.firstRange(of: "http://")]
                    .compactMap({ $0?.lowerBound }).min()
            else { return nil }
            // Punctuation after an address is not a part of it.
            var address = word[start...]
            while let last = address.last, ".,;:!?)]}>\"'".contains(last) { address.removeLast() }
            // A scheme alone.
            guard let colon = address.firstIndex(of: ":"), address[colon...].count > 3 else { return nil }
            return AttributionLink(text: String(address), address: String(address))
        }
    }
}
